package io.headgate.testbed.netns;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.LinuxInterface;
import io.headgate.dataplane.device.linux.NetworkNamespace;
import io.headgate.dataplane.device.linux.Offload;
import io.headgate.testbed.netns.LabRecords.Lab;
import io.headgate.testbed.netns.LabRecords.Namespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Hosts in network namespaces with addresses in one subnet, each with one link towards a switch.
 * Stands until {@link #close}, which any thread may call, also while the bed is being built; a bed
 * whose process was killed is removed when the next one is made.
 */
public final class NetnsBed implements AutoCloseable {
    private static final long COMMAND_TIMEOUT_MS = 20_000;

    private final BedPlan plan;
    private final LabRecords records;
    private final String id;
    private final Programs programs;
    private final List<Namespace> namespaces = new ArrayList<>();
    private boolean closed;

    private NetnsBed(BedPlan plan, LabRecords records, String id) throws BedException {
        this.plan = plan;
        this.records = records;
        this.id = id;
        this.programs = new Programs(records.scratch(id));
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
        sweep(records, say);
        requireFree(plan, records);
        return new NetnsBed(plan, records, plan.prefix() + "lab-" + ProcessHandle.current().pid());
    }

    /** Removes what labs left whose process is gone. */
    public static void sweep(LabRecords records, Consumer<String> say) throws BedException {
        for (Lab lab : records.all()) {
            if (lab.isAlive()) {
                continue;
            }
            List<String> removed = new ArrayList<>();
            try (Programs programs = new Programs(records.scratch(lab.id()))) {
                for (Namespace namespace : lab.namespaces()) {
                    if (remove(programs, namespace)) {
                        removed.add(namespace.name());
                    }
                }
            }
            records.forget(lab.id());
            if (!removed.isEmpty()) {
                say.accept(
                        "Swept up after a lab that was killed (process "
                                + lab.pid()
                                + "): "
                                + String.join(", ", removed)
                                + ".");
            }
        }
    }

    private static void requireFree(BedPlan plan, LabRecords records) throws BedException {
        for (String name : plan.namespaces()) {
            if (LabRecords.inodeOf(name).isEmpty()) {
                continue;
            }
            Optional<Lab> owner =
                    records.all().stream()
                            .filter(lab ->
                                    lab.namespaces().stream().anyMatch(n -> n.name().equals(name)))
                            .findFirst();
            throw new BedException(
                    "there is a network namespace '"
                            + name
                            + "' already, "
                            + owner.map(lab -> "of the lab that process " + lab.pid() + " runs")
                                    .orElse("and no lab made it")
                            + "; choose other names with --prefix, e.g. --prefix x, which makes"
                            + " them xh1, xh2 and so on");
        }
    }

    /**
     * Makes the namespaces and, where they are veth pairs, the links.
     *
     * @throws BedException if the kernel refuses, or the bed was closed meanwhile
     */
    public void build() throws BedException {
        for (String name : plan.namespaces()) {
            addNamespace(name);
        }
        for (int host = 1; host <= plan.hosts(); host++) {
            ip("-n", plan.hostNetns(host), "link", "set", "lo", "up");
        }
        if (plan.wiring() == BedPlan.Wiring.VETH) {
            for (int host = 1; host <= plan.hosts(); host++) {
                addVeth(host);
            }
            configureHosts();
        }
    }

    private void addNamespace(String name) throws BedException {
        synchronized (this) {
            if (closed) {
                throw new BedException("the test bed is being removed");
            }
            // Known before it is made: killed in between, we have left nothing unrecorded.
            namespaces.add(new Namespace(name, LabRecords.NOT_MADE));
            records.write(LabRecords.ours(id, namespaces));
            ip("netns", "add", name);
            namespaces.set(
                    namespaces.size() - 1,
                    new Namespace(name, LabRecords.inodeOf(name).orElse(LabRecords.NOT_MADE)));
            records.write(LabRecords.ours(id, namespaces));
        }
        if (!plan.ipv6() || name.equals(plan.switchNetns())) {
            switchOffIpv6(name);
        }
    }

    private static void switchOffIpv6(String netns) throws BedException {
        for (String which : List.of("all", "default")) {
            Path setting = Path.of("/proc/sys/net/ipv6/conf", which, "disable_ipv6");
            try {
                NetworkNamespace.call(
                        netns,
                        () -> {
                            try {
                                if (Files.exists(setting)) {
                                    Files.writeString(setting, "1");
                                }
                            } catch (IOException e) {
                                throw new DeviceException(
                                        "cannot switch IPv6 off by " + setting, e);
                            }
                            return null;
                        });
            } catch (DeviceException e) {
                throw new BedException(e.getMessage() + " in namespace '" + netns + "'", e);
            }
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
        switchOffOffloads(plan.switchNetns(), end);
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
            String netns = plan.hostNetns(host);
            String eth = BedPlan.HOST_INTERFACE;
            switchOffOffloads(netns, eth);
            ip("-n", netns, "link", "set", eth, "address", plan.mac(host), "mtu", mtu());
            ip("-n", netns, "addr", "add", plan.address(host) + "/24", "dev", eth);
            if (plan.ipv6()) {
                ip("-n", netns, "addr", "add", plan.address6(host) + "/64", "dev", eth, "nodad");
            }
            ip("-n", netns, "link", "set", eth, "up");
        }
    }

    /**
     * On a veth or TAP nobody does the work that is left to hardware: a frame without checksum, or
     * longer than the MTU, would go through the switch as it is.
     */
    private static void switchOffOffloads(String netns, String interfaceName) throws BedException {
        try {
            LinuxInterface link = LinuxInterface.read(netns, interfaceName);
            for (Offload offload :
                    List.of(
                            Offload.TX_CHECKSUM,
                            Offload.TSO,
                            Offload.GSO,
                            Offload.GRO,
                            Offload.RX_VLAN,
                            Offload.TX_VLAN,
                            Offload.TX_STAG)) {
                if (link.offloads().contains(offload)) {
                    link.set(offload, false);
                }
            }
        } catch (DeviceException e) {
            throw new BedException(e);
        }
    }

    private void ip(String... arguments) throws BedException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(Arrays.asList(arguments));
        Programs.Result result = programs.run(null, COMMAND_TIMEOUT_MS, command);
        if (!result.ok()) {
            throw new BedException("'" + String.join(" ", command) + "': " + result.lastLine());
        }
    }

    private static boolean remove(Programs programs, Namespace namespace) throws BedException {
        Optional<Long> inode = LabRecords.inodeOf(namespace.name());
        if (inode.isEmpty()
                || (namespace.inode() != LabRecords.NOT_MADE && namespace.inode() != inode.get())) {
            return false;
        }
        return programs.run(
                        null, COMMAND_TIMEOUT_MS, List.of("ip", "netns", "del", namespace.name()))
                .ok();
    }

    public BedPlan plan() {
        return plan;
    }

    /** Starts and stops the programs of this bed. */
    public Programs programs() {
        return programs;
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
        programs.close();
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            boolean all = true;
            try (Programs last = new Programs(records.scratch(id))) {
                if (plan.wiring() == BedPlan.Wiring.VETH) {
                    // At once: a namespace that is deleted takes its links along only later.
                    for (int host = 1; host <= plan.hosts(); host++) {
                        last.run(
                                null,
                                COMMAND_TIMEOUT_MS,
                                List.of(
                                        "ip",
                                        "-n",
                                        plan.switchNetns(),
                                        "link",
                                        "del",
                                        plan.switchInterface(host)));
                    }
                }
                for (Namespace namespace : namespaces.reversed()) {
                    remove(last, namespace);
                    all &= LabRecords.inodeOf(namespace.name()).isEmpty();
                }
            } catch (BedException e) {
                all = false;
            }
            if (all) {
                records.forget(id);
            }
        }
    }
}
