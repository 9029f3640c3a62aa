package io.headgate.testbed.virtual;

import java.util.List;

/**
 * Which part of a run each node is in. All hosts are in the first, because they share their
 * traffic: its flows, and what is counted of them. Switches follow in the order of their numbers;
 * on each side every part has as much to do as the others, as far as hosts and whole switches
 * allow, since a turn takes as long as its longest part.
 */
final class Parting {
    /** A host's traffic and its card take as long as this number of a switch's ports. */
    private static final int HOST_WEIGHT = 4;

    private Parting() {}

    /**
     * The part of each node, by number.
     *
     * @param sides as of {@link TwoSides}
     * @param parts at least 1
     */
    static int[] of(List<VirtualNode> nodes, int[] sides, int parts) {
        int[] partOf = new int[nodes.size()];
        for (int side = 0; side < 2; side++) {
            int those = side;
            part(
                    nodes.stream().filter(node -> sides[node.number()] == those).toList(),
                    parts,
                    partOf);
        }
        return partOf;
    }

    private static void part(List<VirtualNode> ofSide, int parts, int[] partOf) {
        long left = 0;
        long load = 0;
        for (VirtualNode node : ofSide) {
            left += weight(node);
            load += node instanceof HostNode ? weight(node) : 0;
        }
        int part = 0;
        for (VirtualNode node : ofSide) {
            if (node instanceof HostNode) {
                continue;
            }
            // To the next part if at least half of the switch would be more than an even share.
            while (part < parts - 1 && load + weight(node) / 2 >= left / (parts - part)) {
                left -= load;
                load = 0;
                part++;
            }
            load += weight(node);
            partOf[node.number()] = part;
        }
    }

    private static int weight(VirtualNode node) {
        return node instanceof HostNode ? HOST_WEIGHT : node.ports();
    }
}
