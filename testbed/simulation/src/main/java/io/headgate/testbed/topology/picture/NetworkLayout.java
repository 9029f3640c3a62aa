package io.headgate.testbed.topology.picture;

import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.IntStream;

/**
 * The places of nodes in a picture. Hosts are in a row at the bottom; switches are in rows above,
 * by their distance in links from the nearest host, each roughly above the nodes that it leads down
 * to. Nodes are numbered hosts first, then switches. If there are more than 40 hosts, those at one
 * switch with equal links share one place.
 */
final class NetworkLayout {
    private static final double STEP = 76;

    /** In rows of few nodes: labels of links between them have room there. */
    private static final double WIDE_STEP = 92;

    private static final double WIDEST_STEP = 124;

    private static final int FEW = 8;

    /** Rows of more switches than this have them closer together. */
    private static final int MANY = 16;

    private static final double NARROW_STEP = 58;

    private static final int MOST_HOSTS = 40;
    static final double ROW = 120;
    static final double MARGIN = 50;
    private static final int SWEEPS = 4;

    private final int hosts;
    private final List<List<Integer>> peers = new ArrayList<>();
    private final int[] level;
    private final double[] x;

    /** By node: the first of the nodes that stand at its place. */
    private final int[] first;

    private int rows;
    private int widest;
    private double width;
    private double step;

    NetworkLayout(NetworkPlan plan) {
        this.hosts = plan.hosts().size();
        int nodes = hosts + plan.topology().switches().size();
        for (int node = 0; node < nodes; node++) {
            peers.add(new ArrayList<>());
        }
        for (LinkPlan link : plan.links()) {
            peers.get(node(link.a())).add(node(link.b()));
            peers.get(node(link.b())).add(node(link.a()));
        }
        this.level = new int[nodes];
        this.x = new double[nodes];
        this.first = IntStream.range(0, nodes).toArray();
        if (hosts > MOST_HOSTS) {
            bundle(plan);
        }
        setLevels();
        place();
    }

    private void bundle(NetworkPlan plan) {
        Map<Object, Integer> firsts = new HashMap<>();
        for (LinkPlan link : plan.links()) {
            boolean isReversed = !link.a().isHost();
            int host = node(isReversed ? link.b() : link.a());
            if (host < hosts && peers.get(host).size() == 1) {
                Object alike = List.of(peers.get(host), link.spec());
                first[host] = firsts.computeIfAbsent(alike, _ -> host);
            }
        }
    }

    /** The node that is drawn for this one; itself, unless it is in a bundle. */
    int first(int node) {
        return first[node];
    }

    /** The nodes that share this node's place. */
    List<Integer> members(int node) {
        return IntStream.range(0, first.length)
                .filter(other -> first[other] == first[node])
                .boxed()
                .toList();
    }

    /** Whether any nodes share a place. */
    boolean isBundled() {
        return IntStream.range(0, first.length).anyMatch(node -> first[node] != node);
    }

    /** The nodes of the longest row. */
    int widest() {
        return widest;
    }

    /** Number of links from a node to the nearest host; -1 if there is no path. */
    int level(int node) {
        return level[node];
    }

    int node(LinkPlan.End end) {
        return end.isHost() ? end.node() : hosts + end.node();
    }

    double x(int node) {
        return x[first[node]];
    }

    double y(int node) {
        return MARGIN + (rows - 1 - level[node]) * ROW;
    }

    double width() {
        return width;
    }

    double height() {
        return 2 * MARGIN + (rows - 1) * ROW;
    }

    boolean isSameRow(int a, int b) {
        return level[a] == level[b];
    }

    /** Whether another node of their row is between two nodes. */
    boolean isSomebodyBetween(int a, int b) {
        double left = Math.min(x[a], x[b]);
        double right = Math.max(x[a], x[b]);
        for (int node = 0; node < x.length; node++) {
            if (first[node] == node
                    && level[node] == level[a]
                    && x[node] > left + 1
                    && x[node] < right - 1) {
                return true;
            }
        }
        return false;
    }

    private void setLevels() {
        Arrays.fill(level, -1);
        Queue<Integer> next = new ArrayDeque<>();
        for (int host = 0; host < hosts; host++) {
            level[host] = 0;
            next.add(host);
        }
        while (!next.isEmpty()) {
            int node = next.remove();
            for (int peer : peers.get(node)) {
                if (level[peer] < 0) {
                    level[peer] = level[node] + 1;
                    next.add(peer);
                }
            }
        }
        rows = 1 + Arrays.stream(level).max().orElse(0);
    }

    private void place() {
        List<List<Integer>> byRow = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            byRow.add(new ArrayList<>());
        }
        for (int node = 0; node < level.length; node++) {
            if (first[node] == node) {
                byRow.get(Math.max(0, level[node])).add(node);
            }
        }
        // Hosts in the order of their switches, so that no link to a host crosses another.
        byRow.getFirst().sort(Comparator.comparingInt(host -> peers.get(host).getFirst()));
        widest = byRow.stream().mapToInt(List::size).max().orElse(1);
        step =
                widest > MANY
                        ? NARROW_STEP
                        : widest > FEW ? STEP : hasPeersInARow() ? WIDEST_STEP : WIDE_STEP;
        width = 2 * MARGIN + Math.max(1, widest - 1) * step;
        for (List<Integer> row : byRow) {
            spread(row);
        }
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int row = 1; row < rows; row++) {
                List<Integer> nodes = byRow.get(row);
                double[] wanted = new double[x.length];
                for (int node : nodes) {
                    wanted[node] = below(node);
                }
                nodes.sort(Comparator.comparingDouble(node -> wanted[node]));
                settle(nodes, wanted);
            }
        }
    }

    private boolean hasPeersInARow() {
        for (int node = 0; node < peers.size(); node++) {
            int own = level[node];
            if (peers.get(node).stream().anyMatch(peer -> level[peer] == own)) {
                return true;
            }
        }
        return false;
    }

    private void spread(List<Integer> row) {
        double even = (width - 2 * MARGIN) / Math.max(1, row.size() - 1);
        for (int i = 0; i < row.size(); i++) {
            x[row.get(i)] = row.size() == 1 ? width / 2 : MARGIN + i * even;
        }
    }

    /** The middle of what a node leads down to; where it is, if to nothing. */
    private double below(int node) {
        return peers.get(node).stream()
                .filter(peer -> level[peer] < level[node])
                .mapToDouble(this::x)
                .average()
                .orElse(x[node]);
    }

    /**
     * Each as near to where it is wanted as the room between neighbours allows, which all of the
     * row's room is for, so that links to them do not run into each other.
     */
    private void settle(List<Integer> row, double[] wanted) {
        double step = Math.max(this.step, (width - 2 * MARGIN) / row.size());
        double least = MARGIN;
        for (int i = 0; i < row.size(); i++) {
            int node = row.get(i);
            double most = width - MARGIN - (row.size() - 1 - i) * step;
            x[node] = Math.max(least, Math.min(wanted[node], most));
            least = x[node] + step;
        }
        double off = 0;
        for (int node : row) {
            off += (wanted[node] - x[node]) / row.size();
        }
        double room = off < 0 ? MARGIN - x[row.getFirst()] : width - MARGIN - x[row.getLast()];
        for (int node : row) {
            x[node] += off < 0 ? Math.max(off, room) : Math.min(off, room);
        }
    }
}
