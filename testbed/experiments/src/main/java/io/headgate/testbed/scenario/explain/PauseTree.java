package io.headgate.testbed.scenario.explain;

import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The tree of causes of a queue's pause at an instant. The far end held frames from the queue in
 * its own queues; these may wait for further queues, up to ports that send at their link's full
 * rate. Unlike a live switch, a run in virtual time knows all of them at one instant, with the
 * flows of the frames.
 *
 * @param place the queue's port
 * @param kind why the frames wait
 * @param bytes bytes of these frames: at the first queue all that wait there, further on those that
 *     came through the queue before
 * @param flows the frames' flows, those with most bytes first
 * @param behind the queues in which the far end holds frames from this queue
 */
public record PauseTree(
        String place,
        int priority,
        Kind kind,
        long bytes,
        List<Share> flows,
        List<PauseTree> behind) {
    /** Why frames wait in a queue. */
    public enum Kind {
        /** Its far end pauses it, because of the queues behind. */
        PAUSED,
        /** Its port sends all that the link carries, and more waits. */
        CONGESTED,
        /** A host pauses it: it takes less than its link brings. */
        HOST,
        /** Its far end pauses it, for a queue that waits for it: a deadlock. */
        CIRCLE,
        /** Its far end pauses it, for what the tree has at another place where this queue is. */
        SAME
    }

    /** The queues of a network at one instant. */
    interface Queues {
        NetworkPlan plan();

        boolean isStopped(LinkPlan.End queue, int priority);

        /** Bytes of flows that wait in a queue. */
        Map<String, Long> waiting(LinkPlan.End queue, int priority);

        /**
         * The bytes per flow that came in by a port and wait, for each queue in which they wait.
         */
        Map<LinkPlan.End, Map<String, Long>> heldFrom(LinkPlan.End port, int priority);
    }

    /** Bytes of a flow. */
    public record Share(String flow, long bytes) {}

    private static final int FLOWS_SHOWN = 6;

    public PauseTree {
        flows = List.copyOf(flows);
        behind = List.copyOf(behind);
    }

    static PauseTree of(Queues snapshot, LinkPlan.End queue, int priority) {
        Map<String, Long> waiting = snapshot.waiting(queue, priority);
        return follow(snapshot, queue, priority, waiting, List.of(), new HashSet<>());
    }

    private static PauseTree follow(
            Queues snapshot,
            LinkPlan.End queue,
            int priority,
            Map<String, Long> frames,
            List<LinkPlan.End> before,
            Set<LinkPlan.End> followed) {
        Kind kind;
        List<PauseTree> behind = new ArrayList<>();
        LinkPlan.End peer = snapshot.plan().peer(queue);
        if (before.contains(queue)) {
            kind = Kind.CIRCLE;
        } else if (!before.isEmpty() && !snapshot.isStopped(queue, priority)) {
            kind = Kind.CONGESTED;
        } else if (peer.isHost()) {
            kind = Kind.HOST;
        } else if (!followed.add(queue)) {
            // What is behind a queue is the same by every way to it, and there may be a great many.
            kind = Kind.SAME;
        } else {
            kind = Kind.PAUSED;
            List<LinkPlan.End> longer = new ArrayList<>(before);
            longer.add(queue);
            snapshot.heldFrom(peer, priority)
                    .forEach((next, held) ->
                            behind.add(follow(snapshot, next, priority, held, longer, followed)));
            behind.sort((a, b) -> Long.compare(b.bytes, a.bytes));
        }
        List<Share> flows =
                frames.entrySet().stream()
                        .map(flow -> new Share(flow.getKey(), flow.getValue()))
                        .sorted((a, b) -> Long.compare(b.bytes, a.bytes))
                        .toList();
        long bytes = flows.stream().mapToLong(Share::bytes).sum();
        return new PauseTree(snapshot.plan().place(queue), priority, kind, bytes, flows, behind);
    }

    /** The queues at which the tree ends, each once. */
    List<PauseTree> roots() {
        Map<String, PauseTree> roots = new LinkedHashMap<>();
        addRoots(roots);
        return List.copyOf(roots.values());
    }

    private void addRoots(Map<String, PauseTree> to) {
        if (kind == Kind.CONGESTED || kind == Kind.HOST) {
            // Of several ways to a queue, the one that holds most says whose frames wait.
            to.merge(place, this, (a, b) -> a.bytes >= b.bytes ? a : b);
        }
        behind.forEach(branch -> branch.addRoots(to));
    }

    /** Adds the names of all flows whose frames wait. */
    void addFlows(Set<String> to) {
        flows.forEach(share -> to.add(share.flow));
        behind.forEach(branch -> branch.addFlows(to));
    }

    String toText() {
        StringBuilder text = new StringBuilder();
        add(text, 0, 0);
        return text.toString();
    }

    private void add(StringBuilder text, int depth, long of) {
        text.append("  ".repeat(depth)).append(place).append(", ");
        text.append(
                switch (kind) {
                    case PAUSED -> "paused";
                    case CONGESTED -> "congested: not paused, and its link is full";
                    case HOST ->
                            "paused by its host, which receives more slowly than the link delivers";
                    case CIRCLE -> "paused, and waits for itself: a deadlock";
                    case SAME ->
                            "paused, for the reason that is shown at its other place in this tree";
                });
        if (bytes > 0) {
            text.append(String.format(Locale.ROOT, "; %.1f kB", bytes / 1e3));
        }
        if (depth > 0 && of > 0) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            " (%.0f %% of the frames that arrived this way)",
                            100.0 * bytes / of));
        }
        text.append(flows.isEmpty() ? "" : " of " + shares()).append('\n');
        long sum = behind.stream().mapToLong(PauseTree::bytes).sum();
        behind.forEach(branch -> branch.add(text, depth + 1, sum));
    }

    private String shares() {
        String all =
                flows.stream()
                        .limit(FLOWS_SHOWN)
                        .map(share ->
                                String.format(
                                        Locale.ROOT,
                                        "%s %.0f %%",
                                        share.flow,
                                        100.0 * share.bytes / Math.max(1, bytes)))
                        .collect(Collectors.joining(", "));
        int more = flows.size() - FLOWS_SHOWN;
        return more > 0 ? all + " and " + more + " more" : all;
    }
}
