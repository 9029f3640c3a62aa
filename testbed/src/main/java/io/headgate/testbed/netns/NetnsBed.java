package io.headgate.testbed.netns;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.LinuxInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Hosts in network namespaces with addresses in one subnet, each with one link towards a switch.
 * Stands until {@link #close}, which any thread may call, also while the bed is being built; a bed
 * whose process was killed is removed when the next one is made.
 */
public final class NetnsBed implements AutoCloseable {
    private final BedPlan plan;
    private final Namespaces namespaces;

    private NetnsBed(BedPlan plan, Namespaces namespaces) {
        this.plan = plan;
        this.namespaces = namespaces;
    }

    /**
     * A bed that is yet to be built, so that its owner can already promise to close it. First
     * removes what dead labs left.
     *
     * @param say told, in sentences, what was swept up
     * @throws BedException if a namespace of the plan's names exists already
     */
    public static NetnsBed plan(BedPlan plan, LabRecords records, Consumer<String> say)
            throws BedException {
        return new NetnsBed(plan, Namespaces.plan(plan.namespaces(), plan.prefix(), records, say));
    }

    /** Removes what labs left whose process is gone. */
    public static void sweep(LabRecords records, Consumer<String> say) throws BedException {
        Namespaces.sweep(records, say);
    }

    /**
     * Makes the namespaces and, where they are veth pairs, the links.
     *
     * @throws BedException if the kernel refuses, or the bed was closed meanwhile
     */
    public void build() throws BedException {
        for (String name : plan.namespaces()) {
            namespaces.add(name, plan.ipv6() && !name.equals(plan.switchNetns()));
        }
        for (int host = 1; host <= plan.hosts(); host++) {
            ip("-n", plan.hostNetns(host), "link", "set", "lo", "up");
        }
        if (plan.wiring() == BedPlan.Wiring.VETH) {
            for (int host = 1; host <= plan.hosts(); host++) {
                addVeth(host);
            }
            configureHosts();
        } else if (plan.wiring() == BedPlan.Wiring.AGENT) {
            for (int host = 1; host <= plan.hosts(); host++) {
                addAgentLink(host);
            }
        }
    }

    private void addAgentLink(int host) throws BedException {
        String netns = plan.switchNetns();
        ip(
                "link",
                "add",
                plan.agentInterface(host),
                "netns",
                netns,
                "type",
                "veth",
                "peer",
                "name",
                plan.switchInterface(host),
                "netns",
                netns);
        for (String end : List.of(plan.agentInterface(host), plan.switchInterface(host))) {
            Namespaces.switchOffOffloads(netns, end);
            ip("-n", netns, "link", "set", end, "mtu", mtu(), "up");
        }
    }

    private void addVeth(int host) throws BedException {
        String netns = plan.hostNetns(host);
        String end = plan.switchInterface(host);
        ip(
                "link",
                "add",
                BedPlan.HOST_INTERFACE,
                "netns",
                netns,
                "address",
                plan.mac(host),
                "type",
                "veth",
                "peer",
                "name",
                end,
                "netns",
                plan.switchNetns());
        Namespaces.switchOffOffloads(plan.switchNetns(), end);
        ip("-n", plan.switchNetns(), "link", "set", end, "mtu", mtu(), "up");
    }

    private String mtu() {
        return Integer.toString(plan.mtuBytes());
    }

    /**
     * Gives the hosts' interfaces, which must exist by now, their addresses and MTU, and sets them
     * up.
     */
    public void configureHosts() throws BedException {
        for (int host = 1; host <= plan.hosts(); host++) {
            configureHost(host);
        }
    }

    /** The same for one host, whose interface was made anew. */
    public void configureHost(int host) throws BedException {
        String netns = plan.hostNetns(host);
        String eth = BedPlan.HOST_INTERFACE;
        Namespaces.switchOffOffloads(netns, eth);
        ip("-n", netns, "link", "set", eth, "address", plan.mac(host), "mtu", mtu());
        ip("-n", netns, "addr", "add", plan.address(host) + "/24", "dev", eth);
        if (plan.ipv6()) {
            ip("-n", netns, "addr", "add", plan.address6(host) + "/64", "dev", eth, "nodad");
        }
        ip("-n", netns, "link", "set", eth, "up");
    }

    private void ip(String... arguments) throws BedException {
        namespaces.ip(arguments);
    }

    public BedPlan plan() {
        return plan;
    }

    /** Starts and stops the programs of this bed. */
    public Programs programs() {
        return namespaces.programs();
    }

    /** Interface statistics of a host, as its kernel counts them. */
    public LinuxInterface hostInterface(int host) throws BedException {
        try {
            return LinuxInterface.read(plan.hostNetns(host), BedPlan.HOST_INTERFACE);
        } catch (DeviceException e) {
            throw new BedException(e);
        }
    }

    /** Ends the bed's programs and removes its namespaces, and with them its links. Idempotent. */
    @Override
    public void close() {
        List<Namespaces.Link> links = new ArrayList<>();
        if (plan.wiring() != BedPlan.Wiring.TAP) {
            for (int host = 1; host <= plan.hosts(); host++) {
                links.add(new Namespaces.Link(plan.switchNetns(), plan.switchInterface(host)));
            }
        }
        namespaces.close(links);
    }
}
