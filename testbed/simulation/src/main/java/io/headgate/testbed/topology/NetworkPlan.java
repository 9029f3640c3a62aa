package io.headgate.testbed.topology;

import io.headgate.config.InterfaceAddress;
import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A topology with all details filled in: addresses; a configuration for each switch with its
 * forwarding entries, routes and neighbours; and for each host the addresses that it needs to form
 * frames without ARP or neighbour discovery. Both beds are built from it. Immutable.
 */
public final class NetworkPlan {
    private final Topology topology;
    private final PlanOptions options;
    private final Routing routing;
    private final List<SwitchConfig> switches;
    private final List<HostPlan> hosts;
    private final List<LinkPlan> links;

    private NetworkPlan(Topology topology, PlanOptions options) {
        this.topology = topology;
        this.options = options;
        Addressing.requireDifferentMacs(topology.switches().stream().map(options::nameOf).toList());
        Graph graph = new Graph(topology.hosts(), topology.switches(), topology.links());
        this.routing = new Routing(graph, topology.routes(), new BitSet());
        this.links = links(graph);
        LinkEnds ends = new LinkEnds(topology, options.scale());
        this.hosts = hosts(graph, ends);
        SwitchPlanner planner =
                new SwitchPlanner(topology, options, graph, routing, links, hosts, ends);
        this.switches =
                IntStream.range(0, topology.switches().size())
                        .mapToObj(planner::config)
                        .map(options.adjust())
                        .toList();
    }

    /**
     * Fills a topology in.
     *
     * @throws IllegalArgumentException in one sentence, if a scaled rate or delay is out of range,
     *     or two switches get the same MAC addresses
     */
    public static NetworkPlan of(Topology topology, PlanOptions options) {
        return new NetworkPlan(topology, options);
    }

    /**
     * The routes of every switch, by number, if some links are down.
     *
     * @param down the numbers of these links
     */
    public List<RoutedConfig> routesWithout(BitSet down) {
        Graph graph = new Graph(topology.hosts(), topology.switches(), topology.links());
        Routing left = new Routing(graph, topology.routes(), down);
        LinkEnds ends = new LinkEnds(topology, options.scale());
        SwitchPlanner planner =
                new SwitchPlanner(topology, options, graph, left, links, hosts, ends);
        return IntStream.range(0, topology.switches().size())
                .mapToObj(number -> planner.config(number).routed())
                .toList();
    }

    private List<LinkPlan> links(Graph graph) {
        List<LinkPlan> plans = new ArrayList<>();
        Map<String, Integer> parallel = new HashMap<>();
        int[] ports = new int[graph.nodes];
        for (int number = 0; number < topology.links().size(); number++) {
            Topology.Link link = topology.links().get(number);
            int a = graph.number(link.a());
            int b = graph.number(link.b());
            String pair = link.a() + "-" + link.b();
            String key = a < b ? pair : link.b() + "-" + link.a();
            int count = parallel.merge(key, 1, Integer::sum);
            plans.add(
                    new LinkPlan(
                            number,
                            count == 1 ? pair : pair + "." + count,
                            end(graph, a, ports[a]++),
                            end(graph, b, ports[b]++),
                            scaled(link)));
        }
        return List.copyOf(plans);
    }

    private static LinkPlan.End end(Graph graph, int node, int port) {
        boolean isHost = graph.isHost(node);
        return new LinkPlan.End(isHost, isHost ? node : node - graph.hosts, port);
    }

    private LinkSpec scaled(Topology.Link link) {
        long rateBps = link.spec().rateBps() / options.scale();
        if (rateBps < LinkSpec.MIN_RATE_BPS) {
            throw new IllegalArgumentException(
                    "the link "
                            + link.a()
                            + "-"
                            + link.b()
                            + " of "
                            + link.spec().rateBps()
                            + " b/s, scaled by "
                            + options.scale()
                            + ", is below 1 Mb/s; a scale of at most "
                            + link.spec().rateBps() / LinkSpec.MIN_RATE_BPS
                            + " is possible");
        }
        return link.spec()
                .withRateBps(rateBps)
                .withDelayPs(link.spec().delayPs() * options.scale())
                .withFaults(
                        link.spec().faults() == null
                                ? null
                                : link.spec().faults().slower(options.scale()));
    }

    private List<HostPlan> hosts(Graph graph, LinkEnds ends) {
        List<HostPlan> plans = new ArrayList<>();
        for (int host = 0; host < graph.hosts; host++) {
            Graph.Port up = graph.ports(host).getFirst();
            boolean routed =
                    topology.mode() == SwitchConfig.Mode.ROUTED && !graph.isHost(up.peer());
            int router = up.peer() - graph.hosts;
            int port = up.peerPort();
            LinkSpec spec = links.get(up.link()).spec();
            plans.add(
                    new HostPlan(
                            host,
                            topology.hosts().get(host).name(),
                            options.addresses().mac(host),
                            routed
                                    ? Addressing.hostLink(router, port, 1)
                                    : options.addresses().ipv4(host),
                            options.ipv6() ? address6(host, port, routed, router) : null,
                            routed ? Addressing.hostLink(router, port, 0).address() : null,
                            routed && options.ipv6()
                                    ? Addressing.hostLink6(router, port, 0).address()
                                    : null,
                            routed
                                    ? SwitchAddresses.mac(
                                            options.nameOf(topology.switches().get(router)), port)
                                    : 0,
                            spec.rateBps(),
                            spec.delayPs(),
                            topology.sizes().mtuBytes(),
                            ends.ofHost(up.link(), topology.hosts().get(host))));
        }
        return List.copyOf(plans);
    }

    private InterfaceAddress address6(int host, int port, boolean routed, int router) {
        return routed ? Addressing.hostLink6(router, port, 1) : options.addresses().ipv6(host);
    }

    public Topology topology() {
        return topology;
    }

    public PlanOptions options() {
        return options;
    }

    /** The switches' configurations, by number. */
    public List<SwitchConfig> switches() {
        return switches;
    }

    /** The hosts, by number. */
    public List<HostPlan> hosts() {
        return hosts;
    }

    /** The links, by number. */
    public List<LinkPlan> links() {
        return links;
    }

    /**
     * A host.
     *
     * @throws IllegalArgumentException if none has that name
     */
    public HostPlan host(String name) {
        return hosts.get(topology.host(name));
    }

    /** The name of the host or switch at which a link ends. */
    public String node(LinkPlan.End end) {
        return end.isHost() ? hosts.get(end.node()).name() : switches.get(end.node()).name();
    }

    /** The place of a link's end: a switch's port as {@code s1:p2}, or a host's name. */
    public String place(LinkPlan.End end) {
        return end.isHost()
                ? node(end)
                : node(end) + ":" + switches.get(end.node()).ports().get(end.port()).name();
    }

    /** The end of a link at a place; null: there is none. */
    public LinkPlan.@Nullable End end(String place) {
        return links.stream()
                .flatMap(link -> Stream.of(link.a(), link.b()))
                .filter(end -> place(end).equals(place))
                .findFirst()
                .orElse(null);
    }

    /** The far end of the link that has an end. */
    public LinkPlan.End peer(LinkPlan.End end) {
        for (LinkPlan link : links) {
            if (link.a().equals(end) || link.b().equals(end)) {
                return link.a().equals(end) ? link.b() : link.a();
            }
        }
        throw new IllegalArgumentException("no link ends at " + end);
    }

    /** The ends by which frames leave from one host to another, the host's own first. */
    public List<LinkPlan.End> way(int from, int to) {
        List<LinkPlan.End> way = new ArrayList<>();
        LinkPlan.End at = new LinkPlan.End(true, from, 0);
        for (LinkPlan link : path(from, to)) {
            boolean isForward = link.a().isHost() == at.isHost() && link.a().node() == at.node();
            way.add(isForward ? link.a() : link.b());
            at = isForward ? link.b() : link.a();
        }
        return way;
    }

    /** Links that a frame crosses from one host to another; 0 to itself. */
    public int linksBetween(int from, int to) {
        return path(from, to).size();
    }

    /** Ports of a switch that share the traffic for a host, in ascending order. */
    public List<Integer> nextPorts(int switchNumber, int host) {
        return Arrays.stream(routing.nextHops(hosts.size() + switchNumber, host)).boxed().toList();
    }

    /** The links that a frame crosses from one host to another, by the first of equal ports. */
    public List<LinkPlan> path(int from, int to) {
        return from == to ? List.of() : routing.path(from, to, links);
    }
}
