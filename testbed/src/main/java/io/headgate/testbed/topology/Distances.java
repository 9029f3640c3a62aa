package io.headgate.testbed.topology;

import java.util.Arrays;
import java.util.BitSet;

/** Numbers of links between nodes. Hosts forward nothing. */
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

    /** Links from each node to one, by breadth-first search; -1 where there is no path. */
    int[] from(int origin) {
        int[] distance = new int[graph.nodes];
        int[] queue = new int[graph.nodes];
        Arrays.fill(distance, -1);
        distance[origin] = 0;
        queue[0] = origin;
        int tail = 1;
        for (int head = 0; head < tail; head++) {
            int node = queue[head];
            if (node != origin && graph.isHost(node)) {
                continue;
            }
            for (Graph.Port port : graph.ports(node)) {
                if (distance[port.peer()] < 0 && !down.get(port.link())) {
                    distance[port.peer()] = distance[node] + 1;
                    queue[tail++] = port.peer();
                }
            }
        }
        return distance;
    }
}
