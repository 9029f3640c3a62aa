package io.headgate.testbed.topology;

import io.headgate.config.key.Text;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks that hosts, switches, links and routes form a valid network. */
final class GraphChecks {
    /**
     * A reason why the graph is not a valid network: its place, the value found there, and what is
     * allowed.
     *
     * @param index number in the section
     */
    record Problem(Section section, int index, String found, String allowed) {
        String sentence() {
            return found + "; allowed: " + allowed;
        }
    }

    /** The list of a topology that a problem is in. */
    enum Section {
        HOSTS,
        SWITCHES,
        LINKS,
        ROUTES,
        /** The network as a whole. */
        ALL
    }

    static final int MAX_HOSTS = 10_000;
    static final int MAX_SWITCHES = 4096;
    static final int MAX_PORTS = 128;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,24}");

    private final List<Topology.Host> hosts;
    private final List<Topology.Switch> switches;
    private final List<Topology.Link> links;
    private final List<Topology.Route> routes;
    private final Graph graph;
    private final List<Problem> problems = new ArrayList<>();

    private GraphChecks(
            List<Topology.Host> hosts,
            List<Topology.Switch> switches,
            List<Topology.Link> links,
            List<Topology.Route> routes) {
        this.hosts = hosts;
        this.switches = switches;
        this.links = links;
        this.routes = routes;
        this.graph = new Graph(hosts, switches, links);
    }

    /** All problems. Those of the whole network are reported only if its parts are correct. */
    static List<Problem> check(
            List<Topology.Host> hosts,
            List<Topology.Switch> switches,
            List<Topology.Link> links,
            List<Topology.Route> routes) {
        GraphChecks checks = new GraphChecks(hosts, switches, links, routes);
        checks.names();
        checks.links();
        checks.routes();
        if (checks.problems.isEmpty()) {
            checks.ends();
        }
        if (checks.problems.isEmpty()) {
            checks.reachability();
        }
        if (checks.problems.isEmpty() && !routes.isEmpty()) {
            checks.circles();
        }
        return checks.problems;
    }

    private void add(Section section, int index, String found, String allowed) {
        problems.add(new Problem(section, index, found, allowed));
    }

    private void names() {
        if (hosts.size() < 2 || hosts.size() > MAX_HOSTS) {
            add(Section.ALL, 0, hosts.size() + " hosts", "2 to " + MAX_HOSTS + " hosts");
        }
        if (switches.size() > MAX_SWITCHES) {
            add(
                    Section.ALL,
                    0,
                    switches.size() + " switches",
                    "at most " + MAX_SWITCHES + " switches");
        }
        Map<String, String> seen = new HashMap<>();
        for (int i = 0; i < hosts.size(); i++) {
            name(Section.HOSTS, i, hosts.get(i).name(), "host", seen);
        }
        for (int i = 0; i < switches.size(); i++) {
            name(Section.SWITCHES, i, switches.get(i).name(), "switch", seen);
        }
    }

    private void name(
            Section section, int index, String name, String kind, Map<String, String> seen) {
        if (!NAME.matcher(name).matches()) {
            add(section, index, "the name '" + name + "'", "1 to 24 letters, digits, - or _");
            return;
        }
        String before = seen.putIfAbsent(name, kind);
        if (before != null) {
            add(
                    section,
                    index,
                    "the name " + name + ", which a " + before + " has already",
                    "a name of its own for each host and switch");
        }
    }

    private void links() {
        for (int i = 0; i < links.size(); i++) {
            Topology.Link link = links.get(i);
            for (String end : List.of(link.a(), link.b())) {
                if (graph.number(end) < 0) {
                    add(
                            Section.LINKS,
                            i,
                            "the unknown node " + Text.quote(end),
                            Text.oneOf(end, nodes()));
                }
            }
            if (link.a().equals(link.b())) {
                add(
                        Section.LINKS,
                        i,
                        "a link from " + link.a() + " to itself",
                        "the names of two nodes");
            }
        }
    }

    /** All names, switches first: most that is linked to is one. */
    private List<String> nodes() {
        List<String> names = new ArrayList<>();
        switches.forEach(node -> names.add(node.name()));
        hosts.forEach(host -> names.add(host.name()));
        return names;
    }

    private void routes() {
        Set<List<String>> seen = new HashSet<>();
        for (int i = 0; i < routes.size(); i++) {
            Topology.Route route = routes.get(i);
            int at = graph.number(route.at());
            int to = graph.number(route.to());
            if (at < 0 || graph.isHost(at)) {
                add(
                        Section.ROUTES,
                        i,
                        "a route at " + (at < 0 ? "the unknown node " : "") + route.at(),
                        Text.oneOf(
                                route.at(), switches.stream().map(Topology.Switch::name).toList()));
                continue;
            }
            if (to < 0 || !graph.isHost(to)) {
                add(
                        Section.ROUTES,
                        i,
                        "a route to " + (to < 0 ? "the unknown node " : "") + route.to(),
                        Text.oneOf(route.to(), hosts.stream().map(Topology.Host::name).toList()));
            }
            if (route.via().isEmpty()) {
                add(Section.ROUTES, i, "a route by no neighbour", "one or more neighbours");
            }
            for (String hop : route.via()) {
                int via = graph.number(hop);
                boolean isPossible =
                        via >= 0
                                && (!graph.isHost(via) || via == to)
                                && graph.ports(at).stream().anyMatch(port -> port.peer() == via);
                if (!isPossible) {
                    add(
                            Section.ROUTES,
                            i,
                            "a route by " + hop + ", which is not a switch next to " + route.at(),
                            Text.oneOf(hop, switchesBeside(at)));
                }
            }
            if (!seen.add(List.of(route.at(), route.to()))) {
                add(
                        Section.ROUTES,
                        i,
                        "a second route at " + route.at() + " to " + route.to(),
                        "one route for each switch and host, with all neighbours in via");
            }
        }
    }

    private List<String> switchesBeside(int node) {
        return graph.ports(node).stream()
                .filter(port -> !graph.isHost(port.peer()))
                .map(port -> switches.get(port.peer() - hosts.size()).name())
                .toList();
    }

    /** How many links each node has. */
    private void ends() {
        for (int node = 0; node < graph.nodes; node++) {
            int count = graph.ports(node).size();
            if (graph.isHost(node) && count != 1) {
                add(
                        Section.HOSTS,
                        node,
                        hosts.get(node).name() + " with " + count + " links",
                        "one link for each host");
            } else if (!graph.isHost(node) && (count == 0 || count > MAX_PORTS)) {
                add(
                        Section.SWITCHES,
                        node - hosts.size(),
                        switches.get(node - hosts.size()).name() + " with " + count + " links",
                        "1 to " + MAX_PORTS + " links for each switch");
            }
        }
    }

    private void reachability() {
        int[] distance = graph.distances(0, new BitSet());
        for (int host = 1; host < hosts.size(); host++) {
            if (distance[host] < 0) {
                add(
                        Section.ALL,
                        0,
                        hosts.get(host).name() + ", which cannot reach " + hosts.get(0).name(),
                        "a path between all hosts");
                return;
            }
        }
    }

    /** Whether frames for a host that has routes of its own ever come back to a switch. */
    private void circles() {
        Routing routing = new Routing(graph, routes, new BitSet());
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < routes.size(); i++) {
            int to = graph.number(routes.get(i).to());
            List<String> circle = seen.add(to) ? circle(routing, to) : List.of();
            if (!circle.isEmpty()) {
                add(
                        Section.ROUTES,
                        i,
                        "routes to "
                                + routes.get(i).to()
                                + " that go in a circle: "
                                + String.join(" > ", circle),
                        "routes that pass every switch at most once");
                return;
            }
        }
    }

    /** A circle among the next hops towards a host, by depth-first search; empty if none. */
    private List<String> circle(Routing routing, int to) {
        int[] state = new int[graph.nodes]; // 0 not seen, 1 on the way, 2 done
        for (int start = hosts.size(); start < graph.nodes; start++) {
            ArrayDeque<Integer> way = new ArrayDeque<>();
            if (state[start] == 0 && walk(routing, to, start, state, way)) {
                List<String> names = new ArrayList<>();
                way.descendingIterator()
                        .forEachRemaining(
                                node -> names.add(switches.get(node - hosts.size()).name()));
                return names;
            }
        }
        return List.of();
    }

    private boolean walk(Routing routing, int to, int node, int[] state, ArrayDeque<Integer> way) {
        state[node] = 1;
        way.push(node);
        for (int port : routing.nextHops(node, to)) {
            int peer = graph.ports(node).get(port).peer();
            if (graph.isHost(peer) || state[peer] == 2) {
                continue;
            }
            if (state[peer] == 1) {
                while (way.peekLast() != null && way.peekLast() != peer) {
                    way.removeLast();
                }
                way.push(peer);
                return true;
            }
            if (walk(routing, to, peer, state, way)) {
                return true;
            }
        }
        way.pop();
        state[node] = 2;
        return false;
    }

    /** Whether switches form a loop; two links between the same two switches do. */
    static boolean hasLoop(Graph graph) {
        int[] root = new int[graph.nodes];
        for (int node = 0; node < graph.nodes; node++) {
            root[node] = node;
        }
        for (int node = 0; node < graph.nodes; node++) {
            for (Graph.Port port : graph.ports(node)) {
                if (port.peer() < node) {
                    int a = find(root, node);
                    int b = find(root, port.peer());
                    if (a == b) {
                        return true;
                    }
                    root[a] = b;
                }
            }
        }
        return false;
    }

    private static int find(int[] root, int node) {
        int at = node;
        while (root[at] != at) {
            root[at] = root[root[at]];
            at = root[at];
        }
        return at;
    }
}
