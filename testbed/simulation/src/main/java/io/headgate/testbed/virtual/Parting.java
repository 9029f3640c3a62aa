package io.headgate.testbed.virtual;

import io.headgate.testbed.virtual.link.VirtualLink;
import java.util.Arrays;
import java.util.List;

/**
 * Divides the nodes of a run into parts. Hosts are divided evenly in the order of their numbers. A
 * switch with hosts is in the part of its first host, so that most traffic of hosts stays in one
 * part. The other switches follow in the order of their numbers. On each side all parts have about
 * equal work, as far as hosts and whole switches allow, since a turn takes as long as its longest
 * part.
 */
final class Parting {
    /** A host's traffic and its card take as long as this number of a switch's ports. */
    private static final int HOST_WEIGHT = 4;

    private static final int UNKNOWN = -1;

    private final List<VirtualNode> nodes;
    private final int parts;
    private final int[] partOf;

    private Parting(List<VirtualNode> nodes, int parts) {
        this.nodes = nodes;
        this.parts = parts;
        this.partOf = new int[nodes.size()];
        Arrays.fill(partOf, UNKNOWN);
    }

    /**
     * The part of each node, by number.
     *
     * @param sides as of {@link TwoSides}
     * @param parts at least 1
     */
    static int[] of(List<VirtualNode> nodes, List<VirtualLink> links, int[] sides, int parts) {
        Parting parting = new Parting(nodes, parts);
        parting.partHosts();
        links.forEach(parting::joinHost);
        for (int side = 0; side < 2; side++) {
            int those = side;
            parting.fill(nodes.stream().filter(node -> sides[node.number()] == those).toList());
        }
        return parting.partOf;
    }

    private void partHosts() {
        List<VirtualNode> free =
                nodes.stream().filter(node -> node instanceof HostNode && node.isFree()).toList();
        for (int i = 0; i < free.size(); i++) {
            partOf[free.get(i).number()] = (int) ((long) i * parts / free.size());
        }
    }

    private void joinHost(VirtualLink link) {
        for (int end = 0; end < 2; end++) {
            int node = link.end(end).node();
            int other = link.end(1 - end).node();
            if (partOf[node] == UNKNOWN && nodes.get(other) instanceof HostNode) {
                partOf[node] = partOf[other];
            }
        }
    }

    private void fill(List<VirtualNode> ofSide) {
        long[] load = new long[parts];
        long left = 0;
        for (VirtualNode node : ofSide) {
            left += weight(node);
            if (!node.isFree()) {
                partOf[node.number()] = 0;
            }
            if (partOf[node.number()] != UNKNOWN) {
                load[partOf[node.number()]] += weight(node);
            }
        }
        int part = 0;
        for (VirtualNode node : ofSide) {
            if (partOf[node.number()] != UNKNOWN) {
                continue;
            }
            // To the next part if at least half of the switch would be more than an even share.
            while (part < parts - 1 && load[part] + weight(node) / 2 >= left / (parts - part)) {
                left -= load[part];
                part++;
            }
            load[part] += weight(node);
            partOf[node.number()] = part;
        }
    }

    private static int weight(VirtualNode node) {
        return node instanceof HostNode ? HOST_WEIGHT : node.ports();
    }
}
