package io.headgate.testbed.topology;

import io.headgate.config.FlowControlConfig;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds the cyclic buffer dependencies of a network from its routes alone. A frame that came to a
 * switch by one link waits there for the next link on its path, and so for the buffer at that
 * link's far end. Pauses can deadlock only if such waits form a circle (Dally and Seitz, 1987). All
 * pairs of hosts count, with all equal next hops.
 */
public final class BufferCycles {
    /** A switch's port to another switch. */
    private record Channel(int node, int port) implements Comparable<Channel> {
        @Override
        public int compareTo(Channel other) {
            return node != other.node
                    ? Integer.compare(node, other.node)
                    : Integer.compare(port, other.port);
        }
    }

    private final Topology topology;
    private final Graph graph;
    private final Routing routing;
    private final Map<Channel, Set<Channel>> waitsFor = new TreeMap<>();

    private BufferCycles(Topology topology) {
        this.topology = topology;
        this.graph = new Graph(topology.hosts(), topology.switches(), topology.links());
        this.routing = new Routing(graph, topology.routes(), new BitSet());
    }

    /**
     * Finds the cycles: for each group of ports that depend on one another, the shortest circle
     * through the first.
     *
     * @return ports such as {@code s1/p2} in the order in which each waits for the next, and the
     *     last for the first; empty if pauses can cause no deadlock
     */
    public static List<List<String>> of(Topology topology) {
        BufferCycles cycles = new BufferCycles(topology);
        Set<Integer> seen = new HashSet<>();
        for (int host = 0; host < cycles.graph.hosts; host++) {
            int edge = cycles.routing.neighbourOf(host);
            // Without routes of their own, hosts of a switch are reached alike.
            if (!cycles.graph.isHost(edge) && (seen.add(edge) || !topology.routes().isEmpty())) {
                cycles.addPaths(host);
            }
        }
        return cycles.find();
    }

    /** A sentence for each cycle; empty if no port has pauses or credits. */
    public static List<String> describe(NetworkPlan plan) {
        boolean isLossless =
                plan.switches().stream()
                        .flatMap(one -> one.ports().stream())
                        .anyMatch(port -> port.flowControl().mode() != FlowControlConfig.Mode.NONE);
        return (isLossless ? of(plan.topology()) : List.<List<String>>of())
                .stream()
                        .map(ports ->
                                "the routes of this network form a cyclic buffer dependency, so"
                                        + " pauses or credits can deadlock: "
                                        + String.join(" waits for ", ports)
                                        + " waits for "
                                        + ports.getFirst())
                        .toList();
    }

    /** Adds the waits on the paths of all frames to a host. */
    private void addPaths(int to) {
        Deque<Channel> left = new ArrayDeque<>();
        Set<Channel> seen = new HashSet<>();
        for (int host = 0; host < graph.hosts; host++) {
            int edge = routing.neighbourOf(host);
            if (host != to && !graph.isHost(edge)) {
                for (Channel first : next(edge, to)) {
                    if (seen.add(first)) {
                        left.add(first);
                    }
                }
            }
        }
        while (!left.isEmpty()) {
            Channel at = left.remove();
            int behind = graph.ports(at.node).get(at.port).peer();
            for (Channel channel : next(behind, to)) {
                waitsFor.computeIfAbsent(at, _ -> new TreeSet<>()).add(channel);
                if (seen.add(channel)) {
                    left.add(channel);
                }
            }
        }
    }

    /** The ports to other switches by which a switch sends what is for a host. */
    private List<Channel> next(int node, int to) {
        if (node == routing.neighbourOf(to) && !routing.isGiven(node, to)) {
            return List.of();
        }
        return Arrays.stream(routing.nextHops(node, to))
                .filter(port -> !graph.isHost(graph.ports(node).get(port).peer()))
                .mapToObj(port -> new Channel(node, port))
                .toList();
    }

    private List<List<String>> find() {
        List<List<String>> cycles = new ArrayList<>();
        Set<Channel> done = new HashSet<>();
        for (Channel first : waitsFor.keySet()) {
            if (!done.contains(first)) {
                Map<Channel, Channel> before = reachedFrom(first);
                if (before.containsKey(first)) {
                    cycles.add(names(circle(first, before)));
                    // The found cycle also represents all channels that depend on one another with
                    // it.
                    for (Channel other : before.keySet()) {
                        if (reachedFrom(other).containsKey(first)) {
                            done.add(other);
                        }
                    }
                }
            }
        }
        return cycles;
    }

    /**
     * Every port that a port waits for, directly or not, with the one before it on a shortest way.
     */
    private Map<Channel, Channel> reachedFrom(Channel first) {
        Map<Channel, Channel> before = new HashMap<>();
        Deque<Channel> left = new ArrayDeque<>(List.of(first));
        while (!left.isEmpty()) {
            Channel at = left.remove();
            for (Channel next : waitsFor.getOrDefault(at, Set.of())) {
                if (before.putIfAbsent(next, at) == null) {
                    left.add(next);
                }
            }
        }
        return before;
    }

    private static List<Channel> circle(Channel first, Map<Channel, Channel> before) {
        List<Channel> circle = new ArrayList<>();
        Channel at = first;
        do {
            at = Objects.requireNonNull(before.get(at), "a port that was reached");
            circle.addFirst(at);
        } while (!at.equals(first));
        return circle;
    }

    private List<String> names(List<Channel> channels) {
        return channels.stream()
                .map(channel ->
                        topology.switches().get(channel.node - graph.hosts).name()
                                + "/p"
                                + (channel.port + 1))
                .toList();
    }
}
