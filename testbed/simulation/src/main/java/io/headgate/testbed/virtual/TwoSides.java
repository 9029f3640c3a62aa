package io.headgate.testbed.virtual;

import io.headgate.testbed.virtual.link.VirtualLink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Divides the nodes of a network into two sides such that every link joins the two sides, if that
 * is possible.
 */
final class TwoSides {
    private static final int UNKNOWN = -1;

    private TwoSides() {}

    /**
     * The side, 0 or 1, of each node by number; all on side 0 if there is a cycle of an odd number
     * of links.
     */
    static int[] of(int nodes, List<VirtualLink> links) {
        List<List<Integer>> neighbours = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            neighbours.add(new ArrayList<>());
        }
        for (VirtualLink link : links) {
            int one = link.end(0).node();
            int other = link.end(1).node();
            neighbours.get(one).add(other);
            neighbours.get(other).add(one);
        }
        int[] sides = new int[nodes];
        Arrays.fill(sides, UNKNOWN);
        ArrayDeque<Integer> reached = new ArrayDeque<>();
        for (int first = 0; first < nodes; first++) {
            if (sides[first] != UNKNOWN) {
                continue;
            }
            sides[first] = 0;
            reached.add(first);
            while (!reached.isEmpty()) {
                int node = reached.remove();
                for (int neighbour : neighbours.get(node)) {
                    if (sides[neighbour] == sides[node]) {
                        return new int[nodes];
                    }
                    if (sides[neighbour] == UNKNOWN) {
                        sides[neighbour] = 1 - sides[node];
                        reached.add(neighbour);
                    }
                }
            }
        }
        return sides;
    }

    static boolean areTwo(int[] sides) {
        return Arrays.stream(sides).anyMatch(side -> side == 1);
    }
}
