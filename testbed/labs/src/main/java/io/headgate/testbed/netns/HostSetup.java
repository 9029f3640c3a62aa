package io.headgate.testbed.netns;

import io.headgate.config.InterfaceAddress;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.topology.NetworkPlan;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Configures a host's interface by its plan: addresses, neighbours, and its link's rate. */
final class HostSetup {
    private static final int MIN_WIRE_BYTES = 84;
    private static final long BUCKETS_PER_SEC = 250;
    private static final int HOST_QUEUE_BYTES = 200_000;

    private final NetworkPlan plan;
    private final Namespaces namespaces;
    private final String interfaceName;
    private final boolean paced;

    /**
     * @param interfaceName of every host's interface
     * @param paced whether hosts hold to their links' rates, and know all other hosts
     */
    HostSetup(NetworkPlan plan, Namespaces namespaces, String interfaceName, boolean paced) {
        this.plan = plan;
        this.namespaces = namespaces;
        this.interfaceName = interfaceName;
        this.paced = paced;
    }

    /** Configures a host's interface, which must exist already and is up afterwards. */
    void run(HostPlan host, String netns) throws BedException {
        String eth = " dev " + interfaceName;
        List<String> commands = new ArrayList<>();
        commands.add("link set lo up");
        commands.add("link set" + eth + " address " + MacAddress.format(host.mac()));
        commands.add("link set" + eth + " mtu " + host.mtuBytes() + " up");
        commands.add("addr add " + text(host.ipv4()) + eth);
        if (host.ipv6() != null) {
            commands.add("addr add " + text(host.ipv6()) + eth + " nodad");
        }
        if (paced || !asks()) {
            addNeighbours(host, commands);
        }
        namespaces.batch("ip", netns, commands);
        if (paced) {
            pace(host, netns);
        }
    }

    /** Gives a host that asks for addresses permanent neighbour entries instead. */
    void introduce(HostPlan host, String netns) throws BedException {
        if (asks()) {
            List<String> commands = new ArrayList<>();
            addNeighbours(host, commands);
            namespaces.batch("ip", netns, commands);
        }
    }

    /**
     * Whether hosts find each other by asking: where switches route, or do not flood, they know.
     */
    private boolean asks() {
        return plan.topology().mode() == SwitchConfig.Mode.BRIDGE && !plan.topology().hasLoop();
    }

    private void pace(HostPlan host, String netns) throws BedException {
        long burstBytes =
                Math.max(2L * (host.mtuBytes() + 18), host.rateBps() / 8 / BUCKETS_PER_SEC);
        namespaces.batch(
                "tc",
                netns,
                List.of(
                        String.format(
                                Locale.ROOT,
                                "qdisc replace dev %s root handle 1: stab overhead %d mpu %d"
                                        + " linklayer ethernet tbf rate %dbit burst %d limit %d",
                                interfaceName,
                                Ethernet.WIRE_OVERHEAD_BYTES,
                                MIN_WIRE_BYTES,
                                host.rateBps(),
                                burstBytes,
                                HOST_QUEUE_BYTES)));
    }

    private void addNeighbours(HostPlan host, List<String> commands) {
        if (host.hasGateway()) {
            addGateway(host.gateway(), host.gatewayMac(), "0.0.0.0/0", commands);
            addGateway(host.gateway6(), host.gatewayMac(), "::/0", commands);
            return;
        }
        for (HostPlan other : plan.hosts()) {
            if (other.number() != host.number()) {
                commands.add(neighbour(other.address(), other.mac()));
                if (other.ipv6() != null) {
                    commands.add(neighbour(other.address6(), other.mac()));
                }
            }
        }
    }

    private void addGateway(
            @Nullable InetAddress gateway, long mac, String all, List<String> commands) {
        if (gateway != null) {
            commands.add(neighbour(gateway, mac));
            commands.add("route add " + all + " via " + gateway.getHostAddress());
        }
    }

    private String neighbour(InetAddress address, long mac) {
        return "neigh replace "
                + address.getHostAddress()
                + " lladdr "
                + MacAddress.format(mac)
                + " nud permanent dev "
                + interfaceName;
    }

    private static String text(InterfaceAddress address) {
        return address.address().getHostAddress() + "/" + address.prefixLength();
    }
}
