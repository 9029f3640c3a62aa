package io.headgate.testbed.topology;

import java.util.Arrays;
import java.util.BitSet;
import org.agrona.collections.IntArrayQueue;

/** What the shortest paths between nodes cost: their numbers of links, if each counts once. */
final class Distances {
    private final Graph graph;
    private final BitSet down;

    Distances(Graph graph) {
        this(graph, new BitSet());
    }

    /**
     * @param down links that nothing passes, by their numbers
     */
    Distances(Graph graph, BitSet down) {
        this.graph = graph;
        this.down = down;
    }

    /**
     * Costs from each node to one; -1 where there is no path. Hosts forward nothing. Nodes are
     * looked at again when they turn out to be nearer, which none does where each link counts once.
     */
    int[] from(int origin) {
        int[] distance = new int[graph.nodes];
        IntArrayQueue queue = new IntArrayQueue(-1);
        Arrays.fill(distance, -1);
        distance[origin] = 0;
        queue.addInt(origin);
        while (!queue.isEmpty()) {
            int node = queue.pollInt();
            if (node != origin && graph.isHost(node)) {
                continue;
            }
            for (Graph.Port port : graph.ports(node)) {
                int by = distance[node] + port.cost();
                int known = distance[port.peer()];
                if ((known < 0 || by < known) && !down.get(port.link())) {
                    distance[port.peer()] = by;
                    queue.addInt(port.peer());
                }
            }
        }
        return distance;
    }
}
