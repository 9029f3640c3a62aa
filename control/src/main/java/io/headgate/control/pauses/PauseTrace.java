package io.headgate.control.pauses;

import io.headgate.control.pauses.PauseView.Buffer;
import io.headgate.control.pauses.PauseView.Held;
import io.headgate.control.pauses.PauseView.Queue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Follows a pause from switch to switch to its root: a stopped queue waits for the queue in the
 * next switch that holds most of the frames from this one, and so on.
 *
 * @param steps the queues, beginning with the one that was asked about
 * @param root why the last of them does not send, or not more
 * @param cycle in a deadlock, the queues that wait for one another, in their order
 */
public record PauseTrace(List<Step> steps, Root root, List<Step> cycle, String sentence) {
    /** The root cause of a pause. */
    public enum Root {
        /** The queue that was asked about may send. */
        NOT_PAUSED,
        /** A port sends at the full rate of its link, and more frames wait. */
        CONGESTED,
        /** A host takes less than its link brings. */
        HOST,
        /** Queues wait for one another. */
        DEADLOCK,
        /** The next switch no longer stops it. */
        OVER,
        /** The next node is not known, or cannot be asked. */
        UNKNOWN
    }

    /**
     * A queue on the way to the root.
     *
     * @param peer name of the far end of its port; empty: not known
     */
    public record Step(
            String node,
            String port,
            int priority,
            long stoppedNs,
            long bytes,
            long rateBps,
            String peer,
            List<String> from) {

        /** The name of the port, such as {@code s1:p2}. */
        public String name() {
            return node + ":" + port;
        }

        private boolean isSame(Step other) {
            return name().equals(other.name()) && priority == other.priority;
        }

        public String describe() {
            String state =
                    stoppedNs == 0
                            ? "may send"
                            : "has been paused for "
                                    + time(stoppedNs)
                                    + (peer.isEmpty() ? "" : " by " + peer);
            return "%s, priority %s, %s; %s wait%s"
                    .formatted(name(), priority, state, size(bytes), origin());
        }

        private String origin() {
            return from.isEmpty() ? "" : ", from " + join(from);
        }
    }

    /** The source of the views of switches. */
    @FunctionalInterface
    public interface Network {
        /** The present view of a switch; null if it cannot be asked. */
        @Nullable PauseView view(String name);
    }

    private static final char BEFORE_PORT = ':';

    /**
     * Follows a pause.
     *
     * @param node the switch, which must be one that can be asked
     * @param port its port, in whose queue frames are paused
     */
    public static PauseTrace follow(Network network, String node, String port, int priority) {
        return follow(network, node, new Held(port, priority, 0), false);
    }

    /**
     * Follows why a port pauses its far end, from the queue in which most of the frames from there
     * wait.
     *
     * @param node the switch, which must be one that can be asked
     */
    public static PauseTrace behind(Network network, String node, String port, int priority) {
        PauseView view = network.view(node);
        if (view == null) {
            return end(List.of(), Root.UNKNOWN, node + " cannot be queried from here");
        }
        Buffer buffer = view.buffer(port, priority);
        return buffer == null || buffer.in().isEmpty()
                ? end(
                        List.of(),
                        Root.OVER,
                        node + " holds no frames that arrived at " + port + " any more")
                : follow(network, node, buffer.in().getFirst(), true);
    }

    /**
     * @param isBehind whether a sender waits for the queue, so that it is a root if it may send
     */
    private static PauseTrace follow(Network network, String node, Held first, boolean isBehind) {
        List<Step> steps = new ArrayList<>();
        String at = node;
        Held queue = first;
        while (true) {
            PauseView view = network.view(at);
            if (view == null) {
                return end(steps, Root.UNKNOWN, at + " cannot be queried from here");
            }
            Step step = step(view, queue);
            int seen = indexOf(steps, step);
            if (seen >= 0) {
                return deadlock(steps, steps.subList(seen, steps.size()));
            }
            steps.add(step);
            if (step.stoppedNs == 0) {
                return notStopped(steps, isBehind);
            }
            if (step.peer.isEmpty()) {
                return end(
                        steps,
                        Root.UNKNOWN,
                        "the far end of "
                                + step.name()
                                + " is not known; LLDP at both ends reports it");
            }
            int colon = step.peer.lastIndexOf(BEFORE_PORT);
            if (colon < 0) {
                return host(steps);
            }
            at = step.peer.substring(0, colon);
            PauseView behind = network.view(at);
            if (behind == null) {
                return end(
                        steps,
                        Root.UNKNOWN,
                        at
                                + " cannot be queried from here; run the command there for the"
                                + " frames that arrived at its "
                                + step.peer.substring(colon + 1));
            }
            Buffer buffer = behind.buffer(step.peer.substring(colon + 1), step.priority);
            if (buffer == null || buffer.in().isEmpty()) {
                return end(steps, Root.OVER, at + " no longer holds frames that came from there");
            }
            queue = buffer.in().getFirst();
        }
    }

    private static int indexOf(List<Step> steps, Step step) {
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).isSame(step)) {
                return i;
            }
        }
        return -1;
    }

    private static Step step(PauseView view, Held at) {
        Queue queue = view.queue(at.port(), at.priority());
        String peer = view.peers().getOrDefault(at.port(), "");
        if (queue == null) {
            return new Step(view.name(), at.port(), at.priority(), 0, 0, 0, peer, List.of());
        }
        List<String> from = new ArrayList<>();
        for (Held held : queue.from()) {
            String who = view.peers().getOrDefault(held.port(), "");
            from.add(held.port() + (who.isEmpty() ? "" : " (" + who + ")"));
        }
        return new Step(
                view.name(),
                at.port(),
                at.priority(),
                queue.stoppedNs(),
                queue.bytes(),
                queue.rateBps(),
                peer,
                from);
    }

    private static PauseTrace end(List<Step> steps, Root root, String why) {
        String first = steps.isEmpty() ? "" : steps.getFirst().name() + ": ";
        return new PauseTrace(steps, root, List.of(), first + why + ".");
    }

    private static PauseTrace notStopped(List<Step> steps, boolean isBehind) {
        Step last = steps.getLast();
        if (steps.size() == 1 && !isBehind) {
            return end(
                    steps,
                    Root.NOT_PAUSED,
                    "priority %s is not paused, and %s wait%s"
                            .formatted(last.priority, size(last.bytes), last.origin()));
        }
        String towards = last.peer.isEmpty() ? "" : " towards " + last.peer;
        return new PauseTrace(
                steps,
                Root.CONGESTED,
                List.of(),
                last.name()
                        + towards
                        + " is congested: it is not paused, sends as fast as its link carries ("
                        + rate(last.rateBps)
                        + "), and "
                        + size(last.bytes)
                        + " wait for it"
                        + last.origin()
                        + ". "
                        + suffers(steps.getFirst()));
    }

    private static PauseTrace host(List<Step> steps) {
        Step last = steps.getLast();
        return new PauseTrace(
                steps,
                Root.HOST,
                List.of(),
                "%s pauses %s: the host receives more slowly than its link delivers. %s"
                        .formatted(last.peer, last.name(), suffers(steps.getFirst())));
    }

    /** The senders that wait at the queue that was asked about. */
    private static String suffers(Step first) {
        return (first.from.isEmpty() ? "Frames" : "Frames from " + join(first.from))
                + " that leave by "
                + first.name()
                + " in priority "
                + first.priority
                + " wait for that, whatever their destination (head-of-line blocking).";
    }

    private static PauseTrace deadlock(List<Step> steps, List<Step> cycle) {
        String ports =
                cycle.stream().map(Step::name).collect(Collectors.joining(" waits for "))
                        + " waits for "
                        + cycle.getFirst().name();
        String inside =
                cycle.getFirst().equals(steps.getFirst())
                        ? ""
                        : steps.getFirst().name() + " waits for these. ";
        return new PauseTrace(
                steps,
                Root.DEADLOCK,
                cycle,
                ("deadlock: %s. %sEach of them waits until the next one sends, so all frames that"
                                + " pass them in priority %s are blocked. Escape (headgate set"
                                + " SWITCH PORT.detour.escape.enabled=true) or a PFC watchdog ends"
                                + " it.")
                        .formatted(ports, inside, cycle.getFirst().priority));
    }

    public String toText() {
        if (root == Root.NOT_PAUSED) {
            return sentence + "\n";
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < steps.size(); i++) {
            text.append(i == 0 ? "" : "  waits for ").append(steps.get(i).describe()).append('\n');
        }
        if (root == Root.DEADLOCK) {
            text.append("  waits for ").append(cycle.getFirst().name()).append(" again\n");
        }
        return text.append("Root: ").append(sentence).append('\n').toString();
    }

    private static String join(List<String> words) {
        return words.size() == 1
                ? words.getFirst()
                : String.join(", ", words.subList(0, words.size() - 1)) + " and " + words.getLast();
    }

    private static String time(long ns) {
        return ns >= 1_000_000_000L
                ? String.format(Locale.ROOT, "%.1f s", ns / 1e9)
                : String.format(Locale.ROOT, "%.3f ms", ns / 1e6);
    }

    private static String size(long bytes) {
        return String.format(Locale.ROOT, "%.1f kB", bytes / 1e3);
    }

    private static String rate(long bps) {
        return bps >= 1_000_000_000L
                ? String.format(Locale.ROOT, "%.1f Gb/s", bps / 1e9)
                : String.format(Locale.ROOT, "%.1f Mb/s", bps / 1e6);
    }
}
