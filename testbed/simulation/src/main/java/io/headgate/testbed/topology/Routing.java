package io.headgate.testbed.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the ports of a switch that lead to a host on shortest paths, or on the given route if there
 * is one. All hosts of a switch share one computation.
 */
final class Routing {
    private final Graph graph;

    /** By node: to switches that have hosts, which are all that is asked for. */
    private final int[] @Nullable [] distanceTo;

    private final Map<Long, int[]> given = new HashMap<>();
    private final BitSet down;

    /**
     * @param down numbers of the links that are down
     */
    Routing(Graph graph, List<Topology.Route> routes, BitSet down) {
        this.graph = graph;
        this.down = down;
        this.distanceTo = new int[graph.nodes][];
        for (int host = 0; host < graph.hosts; host++) {
            int edge = neighbourOf(host);
            if (distanceTo[edge] == null) {
                distanceTo[edge] = graph.distances(edge, down);
            }
        }
        for (Topology.Route route : routes) {
            int at = graph.number(route.at());
            List<Integer> ports = new ArrayList<>();
            for (int port = 0; port < graph.ports(at).size(); port++) {
                int peer = graph.ports(at).get(port).peer();
                if (!down.get(graph.ports(at).get(port).link())
                        && route.via().stream().anyMatch(hop -> graph.number(hop) == peer)) {
                    ports.add(port);
                }
            }
            if (!ports.isEmpty()) {
                given.put(
                        key(at, graph.number(route.to())),
                        ports.stream().mapToInt(Integer::intValue).toArray());
            }
        }
    }

    private static long key(int node, int host) {
        return ((long) node << 32) | host;
    }

    /** The switch, or the other host, that a host is linked to. */
    int neighbourOf(int host) {
        return graph.ports(host).getFirst().peer();
    }

    /** The ports of a switch that lead to a host, in ascending order; never empty. */
    int[] nextHops(int node, int host) {
        int[] exception = given.get(key(node, host));
        if (exception != null) {
            return exception;
        }
        int edge = neighbourOf(host);
        return edge == node
                ? new int[] {graph.ports(host).getFirst().peerPort()}
                : towards(node, edge);
    }

    boolean isGiven(int node, int host) {
        return given.containsKey(key(node, host));
    }

    /** The ports of a switch that begin a shortest path to one with hosts, in ascending order. */
    int[] towards(int node, int other) {
        int[] distance = distanceTo[other];
        if (distance == null) {
            throw new IllegalArgumentException("node " + other + " has no hosts");
        }
        List<Graph.Port> ports = graph.ports(node);
        int[] found = new int[ports.size()];
        int count = 0;
        for (int port = 0; port < found.length; port++) {
            int peer = ports.get(port).peer();
            if (distance[peer] == distance[node] - ports.get(port).cost()
                    && distance[peer] >= 0
                    && !down.get(ports.get(port).link())
                    && (peer == other || !graph.isHost(peer))) {
                found[count++] = port;
            }
        }
        return Arrays.copyOf(found, count);
    }

    /** Links that a frame crosses from one host to another, by the first of equal next hops. */
    List<LinkPlan> path(int from, int to, List<LinkPlan> links) {
        List<LinkPlan> path = new ArrayList<>();
        Graph.Port end = graph.ports(from).getFirst();
        path.add(links.get(end.link()));
        for (int node = end.peer(); node != to; node = end.peer()) {
            end = graph.ports(node).get(nextHops(node, to)[0]);
            path.add(links.get(end.link()));
        }
        return List.copyOf(path);
    }
}
