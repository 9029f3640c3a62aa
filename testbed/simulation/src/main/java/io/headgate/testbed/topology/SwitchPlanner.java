package io.headgate.testbed.topology;

import io.headgate.config.BridgeConfig;
import io.headgate.config.ConfigDefaults;
import io.headgate.config.DetourDeclaration;
import io.headgate.config.DeviceConfig;
import io.headgate.config.InterfaceAddress;
import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.PortTraffic;
import io.headgate.config.RoutedConfig;
import io.headgate.config.RoutedConfig.StaticNeighbour;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Section;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.frame.FlowHash;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes the configurations of a network's switches. */
final class SwitchPlanner {
    private static final int VLAN = 1;
    private static final int TABLE_RESERVE = 16;
    private static final int MIN_TABLE = 16;

    private final Topology topology;
    private final PlanOptions options;
    private final Graph graph;
    private final Routing routing;
    private final List<LinkPlan> links;
    private final List<HostPlan> hosts;
    private final LinkEnds linkEnds;
    private final boolean routed;
    private final boolean hasLoop;
    private final Map<Integer, List<Integer>> hostsByRouter = new HashMap<>();

    SwitchPlanner(
            Topology topology,
            PlanOptions options,
            Graph graph,
            Routing routing,
            List<LinkPlan> links,
            List<HostPlan> hosts,
            LinkEnds linkEnds) {
        this.topology = topology;
        this.options = options;
        this.graph = graph;
        this.routing = routing;
        this.links = links;
        this.hosts = hosts;
        this.linkEnds = linkEnds;
        this.routed = topology.mode() == SwitchConfig.Mode.ROUTED;
        this.hasLoop = GraphChecks.hasLoop(graph);
        for (int host = 0; host < graph.hosts; host++) {
            hostsByRouter
                    .computeIfAbsent(routing.neighbourOf(host), _ -> new ArrayList<>())
                    .add(host);
        }
    }

    SwitchConfig config(int number) {
        Topology.Switch self = topology.switches().get(number);
        int node = graph.hosts + number;
        List<PortConfig> ports = ports(number, node);
        return ConfigDefaults.bridge(options.nameOf(self), ports)
                .withMechanisms(Section.slower(topology.mechanisms(), options.scale()).mechanisms())
                .withMode(topology.mode())
                .withAddress(routed ? Addressing.router(number) : Addressing.bridge(number))
                .withBridge(bridge(node))
                .withRouted(routed ? routed(node) : ConfigDefaults.ROUTED)
                .withMemory(memory(ports))
                .withWorkers(options.workers())
                .withSeed(seed(options.seed(), self));
    }

    /** Mixes the run's seed with the name, so that another switch more changes no other's. */
    private static long seed(long runSeed, Topology.Switch self) {
        long hash = runSeed;
        for (byte character : self.name().getBytes(StandardCharsets.UTF_8)) {
            hash = FlowHash.mix(hash + 0x9E37_79B9_7F4A_7C15L + character);
        }
        return hash + self.seedOffset();
    }

    /**
     * In virtual time a network has many ports and few busy priorities, and each priority may use
     * all the slots that a burst leaves. On real devices each has its own. What flow control
     * promises lossless priorities comes on top.
     */
    private int slots(List<PortConfig> ports) {
        int slots = topology.sizes().slots();
        int ringSlots = 0;
        int accounts = 1;
        int promised = 0;
        for (PortConfig port : ports) {
            int laterSlots =
                    port.device() instanceof DeviceConfig.Faulty faulty
                            ? faulty.faults().limitFrames() - faulty.faults().slots()
                            : 0;
            ringSlots = Math.max(ringSlots, port.device().receiveSlots() + laterSlots);
            promised = Math.max(promised, port.promisedSlots() + port.sharedSlots());
            if (!(port.device() instanceof DeviceConfig.Virtual)) {
                accounts = ConfigDefaults.ACCOUNTS;
            }
        }
        return accounts * (slots - ConfigDefaults.COPY_BURST_SLOTS) + ringSlots + promised;
    }

    private MemoryConfig memory(List<PortConfig> ports) {
        int slotBytes =
                ports.stream()
                        .mapToInt(port -> ElidedSlots.bytes(port.mechanisms()))
                        .max()
                        .orElse(ElidedSlots.BYTES);
        if (options.payload() != MemoryConfig.Payload.ELIDED) {
            int payloadBytes =
                    ports.stream()
                            .mapToInt(PortConfig::linkMtuBytes)
                            .max()
                            .orElse(topology.sizes().mtuBytes());
            slotBytes = MemoryConfig.slotBytesFor(payloadBytes);
        }
        return new MemoryConfig(
                slotBytes,
                slots(ports),
                MemoryConfig.SlotReuse.LIFO,
                topology.sizes().sharedBytes(),
                options.payload());
    }

    private List<PortConfig> ports(int number, int node) {
        List<PortConfig> ports = new ArrayList<>();
        List<Graph.Port> ends = graph.ports(node);
        Topology.Sizes sizes = topology.sizes();
        String name = topology.switches().get(number).name();
        for (int port = 0; port < ends.size(); port++) {
            LinkPlan link = links.get(ends.get(port).link());
            PortTraffic.End end = linkEnds.ofSwitch(link.number());
            int capSlots = sizes.slots() - ConfigDefaults.COPY_BURST_SLOTS;
            if (sizes.sharedBytes() > 0) {
                // The shared buffer alone bounds what a priority holds.
                capSlots = Math.max(capSlots, end.flowControl().sharedSlots());
            }
            DeviceConfig device = options.devices().of(name, port, link.name());
            boolean isToHost = graph.isHost(ends.get(port).peer());
            if (!device.isVirtual()) {
                LinkPlan.End self = new LinkPlan.End(false, number, port);
                boolean isFirst = isToHost || link.a().equals(self);
                device =
                        RealLinks.device(
                                device, link, isFirst, isToHost, options.seed(), options.links());
            }
            ports.add(
                    ConfigDefaults.port("p" + (port + 1), device)
                            .withRateBps(link.spec().rateBps())
                            .withMtuBytes(sizes.mtuBytes())
                            .withQueueLimitBytes(sizes.queueLimitBytes())
                            .withAccountCapBytes((long) capSlots * linkEnds.frameBytes(end))
                            .withAccountCapSlots(capSlots)
                            .withTraffic(end.traffic())
                            .withFlowControl(end.flowControl())
                            .withMechanisms(placed(end.mechanisms(), isToHost, ends.size()))
                            .withAddresses(
                                    routed ? addresses(number, port, ends.get(port)) : List.of()));
        }
        return ports;
    }

    /** A detour's settings follow from where its port is. */
    private static Mechanisms placed(Mechanisms said, boolean isToHost, int ports) {
        Mechanisms placed = said;
        for (Mechanisms.Use use : said.of(Mechanism.Kind.DETOUR)) {
            if (MechanismRegistry.find(use.kind(), use.name())
                    instanceof DetourDeclaration<?> detour) {
                placed = placed.with(detour.placedUse(use, isToHost, ports));
            }
        }
        return placed;
    }

    private List<InterfaceAddress> addresses(int number, int port, Graph.Port end) {
        List<InterfaceAddress> addresses = new ArrayList<>();
        if (graph.isHost(end.peer())) {
            addresses.add(Addressing.hostLink(number, port, 0));
            if (options.ipv6()) {
                addresses.add(Addressing.hostLink6(number, port, 0));
            }
        } else {
            int self = endOf(end.link(), number, port);
            addresses.add(Addressing.routerLink(end.link(), self));
            if (options.ipv6()) {
                addresses.add(Addressing.routerLink6(end.link(), self));
            }
        }
        return addresses;
    }

    /** Which end of a link a switch's port is: 0 or 1. */
    private int endOf(int link, int number, int port) {
        return links.get(link).a().equals(new LinkPlan.End(false, number, port)) ? 0 : 1;
    }

    /** Every host's address is known beforehand; nothing needs to be learned or flooded. */
    private BridgeConfig bridge(int node) {
        BridgeConfig defaults = ConfigDefaults.BRIDGE;
        if (routed) {
            return defaults;
        }
        List<BridgeConfig.StaticEntry> entries = new ArrayList<>();
        for (int host = 0; host < graph.hosts; host++) {
            int[] ports = routing.nextHops(node, host);
            if (ports.length > 0) {
                // A bridge takes one of several shortest paths, and another one for the next host.
                int port = ports[host % ports.length];
                entries.add(
                        new BridgeConfig.StaticEntry(
                                hosts.get(host).mac(), VLAN, "p" + (port + 1)));
            }
        }
        return defaults.withStaticEntries(entries)
                .withFdbEntries(entries.size() + topology.switches().size() + TABLE_RESERVE)
                .withFloodFramesPerSec(hasLoop ? 0 : defaults.floodFramesPerSec());
    }

    private RoutedConfig routed(int node) {
        List<RoutedConfig.Route> routes = new ArrayList<>();
        for (int router = graph.hosts; router < graph.nodes; router++) {
            List<Integer> behind = hostsByRouter.getOrDefault(router, List.of());
            int[] ports =
                    router == node || behind.isEmpty() ? new int[0] : routing.towards(node, router);
            if (ports.length > 0) {
                int number = router - graph.hosts;
                routes.add(route(node, Addressing.block(number), ports, false));
                if (options.ipv6()) {
                    routes.add(route(node, Addressing.block6(number), ports, true));
                }
            }
            for (int host : behind) {
                if (routing.isGiven(node, host)) {
                    addGiven(node, host, routes);
                }
            }
        }
        List<StaticNeighbour> neighbours = neighbours(node);
        return ConfigDefaults.ROUTED
                .withRoutes(routes)
                .withNeighbourEntries(Math.max(MIN_TABLE, neighbours.size() + TABLE_RESERVE))
                .withNeighbours(neighbours)
                .withPaths(Section.slower(topology.paths(), options.scale()));
    }

    private void addGiven(int node, int host, List<RoutedConfig.Route> routes) {
        int[] ports = routing.nextHops(node, host);
        HostPlan plan = hosts.get(host);
        if (graph.isHost(graph.ports(node).get(ports[0]).peer())) {
            return; // the host's own link, whose network is known
        }
        routes.add(route(node, new InterfaceAddress(plan.address(), 32), ports, false));
        if (options.ipv6()) {
            routes.add(route(node, new InterfaceAddress(plan.address6(), 128), ports, true));
        }
    }

    private RoutedConfig.Route route(int node, InterfaceAddress prefix, int[] ports, boolean ipv6) {
        List<InetAddress> via =
                Arrays.stream(ports).mapToObj(port -> peerAddress(node, port, ipv6)).toList();
        return new RoutedConfig.Route(prefix, via);
    }

    /** The address of the router at the other end of a port's link. */
    private InetAddress peerAddress(int node, int port, boolean ipv6) {
        Graph.Port end = graph.ports(node).get(port);
        int other = 1 - endOf(end.link(), node - graph.hosts, port);
        return (ipv6
                        ? Addressing.routerLink6(end.link(), other)
                        : Addressing.routerLink(end.link(), other))
                .address();
    }

    private List<StaticNeighbour> neighbours(int node) {
        List<StaticNeighbour> neighbours = new ArrayList<>();
        List<Graph.Port> ends = graph.ports(node);
        for (int port = 0; port < ends.size(); port++) {
            Graph.Port end = ends.get(port);
            if (graph.isHost(end.peer())) {
                HostPlan host = hosts.get(end.peer());
                neighbours.add(new StaticNeighbour(host.address(), host.mac()));
                if (options.ipv6()) {
                    neighbours.add(new StaticNeighbour(host.address6(), host.mac()));
                }
                continue;
            }
            String peer = options.nameOf(topology.switches().get(end.peer() - graph.hosts));
            long mac = SwitchAddresses.mac(peer, end.peerPort());
            neighbours.add(new StaticNeighbour(peerAddress(node, port, false), mac));
            if (options.ipv6()) {
                neighbours.add(new StaticNeighbour(peerAddress(node, port, true), mac));
            }
        }
        return neighbours;
    }
}
