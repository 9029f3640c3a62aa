package io.headgate.dataplane.congestion;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.frame.FlowHash;
import io.headgate.dataplane.frame.Sink;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.sync.PortBoard;
import io.headgate.dataplane.memory.sync.PortBoards;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.random.NamedRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The congestion mechanisms of one port: keeps the congestion point that receives the port's
 * frames, and publishes its counters.
 */
public final class Congestion {
    /**
     * A port, as its congestion mechanisms see it.
     *
     * @param node the switch or card of the port
     * @param name name after which random generators are named
     * @param boards boards of the switch
     * @param noticePriority priority of notices that leave by the port
     * @param seed seed of the random generators
     */
    public record Port(
            CongestionSetup.Node node,
            int number,
            String name,
            long rateBps,
            int mtuBytes,
            QueueFields queues,
            StopView stops,
            Notices notices,
            PortBoards boards,
            int noticePriority,
            long seed) {

        private NamedRandom random(String mechanism) {
            return NamedRandom.of(seed, name, mechanism);
        }

        private PortBoard board(CongestionMechanism<?> mechanism) {
            return boards.of(mechanism.id(), mechanism.boardWords(), number);
        }

        private CongestionSetup setup(
                CongestionMechanism<?> mechanism, long atRateBps, NamedRandom random) {
            return new CongestionSetup(
                    node,
                    number,
                    atRateBps,
                    mtuBytes,
                    queues,
                    stops,
                    notices,
                    board(mechanism),
                    random);
        }
    }

    private record Joined<C extends Record>(
            CongestionMechanism<C> mechanism, C configuration, boolean isEnabled) {

        /**
         * Makes a congestion point. Refuses one whose notices would wait in a queue that it
         * watches.
         */
        CongestionPoint point(Port port, long rateBps, NamedRandom random) {
            CongestionPoint point =
                    mechanism.point(configuration, port.setup(mechanism, rateBps, random));
            if (notices() > 0 && (point.queues() >>> port.noticePriority & 1) != 0) {
                throw new IllegalArgumentException(
                        ("port %s: %s sends notifications with priority %d, which it also watches:"
                                        + " they would wait in the congested queue that they"
                                        + " report. Remove that priority from its priorities, or"
                                        + " give DSCP 48 another priority")
                                .formatted(port.name, mechanism.name(), port.noticePriority));
            }
            return point;
        }

        Stream<CounterText> counters() {
            return IntStream.range(0, PRIORITIES)
                    .boxed()
                    .flatMap(queue ->
                            mechanism.counters().stream()
                                    .map(text -> text.of(mechanism.name()).atPriority(queue)));
        }

        int notices() {
            return mechanism.notices(configuration);
        }

        @Nullable Sink sink() {
            return mechanism.sink(configuration);
        }
    }

    /** The congestion points after a change, made by the thread that orders the change. */
    public static final class Change {
        private final List<Joined<?>> joined;

        // Those that are others then; null: the one that is there goes on.
        private final @Nullable CongestionPoint[] points;

        // Room for the points that are on then, and all of them as one if they are several.
        private final CongestionPoint[] on;
        private final @Nullable CongestionPoint several;

        private Change(List<Joined<?>> joined) {
            this.joined = joined;
            this.points = new CongestionPoint[joined.size()];
            int enabled = 0;
            for (Joined<?> one : joined) {
                enabled += one.isEnabled ? 1 : 0;
            }
            this.on = new CongestionPoint[enabled];
            this.several = enabled > 1 ? new CongestionPoints(on) : null;
        }
    }

    private final Port port;
    private final IntFunction<Frame[]> waiting;
    private final @Nullable CounterBlock block;
    private final Watcher[] watchers;
    private @Nullable CongestionPoint told;

    private Congestion(
            List<Joined<?>> joined,
            Port port,
            IntFunction<Frame[]> waiting,
            @Nullable CounterBlock block) {
        this.port = port;
        this.waiting = waiting;
        this.block = block;
        int first = 0;
        this.watchers = new Watcher[joined.size()];
        for (int i = 0; i < watchers.length; i++) {
            watchers[i] = new Watcher(joined.get(i), first);
            first += watchers[i].before.length;
        }
        this.told = enabled(new Change(joined));
        withdraw();
        publishAll();
    }

    /** One mechanism of the port, with its present congestion point and its counters. */
    private final class Watcher {
        private final NamedRandom random;
        private final List<CounterText> texts;

        // Place of its first counter in the block; how many each queue has.
        private final int first;
        private final int each;

        // By counter: what points counted that others have replaced, also before a restart.
        private final long[] before;

        private Joined<?> joined;
        private CongestionPoint point;

        Watcher(Joined<?> joined, int first) {
            this.random = port.random(joined.mechanism.name());
            this.texts = joined.mechanism.counters();
            this.first = first;
            this.each = texts.size();
            this.before = new long[PRIORITIES * each];
            this.joined = joined;
            this.point = joined.point(port, port.rateBps, random);
            for (int at = 0; at < before.length && block != null; at++) {
                before[at] = isKind(CounterId.Kind.TOTAL, at) ? block.get(first + at) : 0;
            }
        }

        private boolean isKind(CounterId.Kind kind, int counter) {
            return texts.get(counter % each).kind() == kind;
        }

        /** Replaces the congestion point. */
        void replace(CongestionPoint other) {
            other.goOnFrom(point);
            for (int rest = point.queues(); rest != 0; rest &= rest - 1) {
                int queue = Integer.numberOfTrailingZeros(rest);
                for (int counter = 0; counter < each; counter++) {
                    if (isKind(CounterId.Kind.TOTAL, counter)) {
                        before[queue * each + counter] += point.counted(counter, queue);
                    }
                }
            }
            point = other;
        }

        void publish() {
            for (int rest = point.queues(); rest != 0 && block != null; rest &= rest - 1) {
                int queue = Integer.numberOfTrailingZeros(rest);
                for (int counter = 0; counter < each; counter++) {
                    int at = queue * each + counter;
                    block.set(first + at, before[at] + point.counted(counter, queue));
                }
            }
        }

        /**
         * Publishes after a change: gauges of mechanisms that are off, and of queues no longer
         * watched, become 0.
         */
        void publishAll() {
            publish();
            int watched = joined.isEnabled ? point.queues() : 0;
            for (int at = 0; at < before.length && block != null; at++) {
                if ((watched >>> (at / each) & 1) == 0 && isKind(CounterId.Kind.GAUGE, at)) {
                    block.set(first + at, 0);
                }
            }
        }
    }

    private @Nullable CongestionPoint enabled(Change change) {
        CongestionPoint[] on = change.on;
        int count = 0;
        for (int i = 0; i < watchers.length; i++) {
            if (change.joined.get(i).isEnabled) {
                on[count++] = watchers[i].point;
            }
        }
        return count == 1 ? on[0] : change.several;
    }

    /**
     * The congestion mechanisms of a port; null if it has none.
     *
     * @param waiting the frames of a queue, in their order
     * @param block for the counters that {@link #counters} describes; null if there are no counters
     */
    public static @Nullable Congestion of(
            Mechanisms mechanisms,
            Port port,
            IntFunction<Frame[]> waiting,
            @Nullable CounterBlock block) {
        List<Joined<?>> joined = joined(mechanisms);
        return joined.isEmpty() ? null : new Congestion(joined, port, waiting, block);
    }

    /** The counters of a port with such mechanisms, on or off; there may be none. */
    public static List<CounterId> counters(Mechanisms mechanisms) {
        return CounterId.numbered(joined(mechanisms).stream().flatMap(Joined::counters));
    }

    /** Maximum number of notices that such mechanisms send at a time; 0: none. */
    public static int notices(Mechanisms mechanisms) {
        return joined(mechanisms).stream().mapToInt(Joined::notices).sum();
    }

    /** The sinks that strip arriving frames at a host's card, whether mechanisms are on or off. */
    public static Sink[] sinks(Mechanisms mechanisms) {
        return joined(mechanisms).stream()
                .map(Joined::sink)
                .filter(Objects::nonNull)
                .toArray(Sink[]::new);
    }

    private static List<Joined<?>> joined(Mechanisms mechanisms) {
        List<Joined<?>> joined = new ArrayList<>();
        for (Mechanisms.Use use : mechanisms.of(Mechanism.Kind.CONGESTION_POINT)) {
            Mechanism<?> found = MechanismRegistry.find(use.kind(), use.name());
            if (found instanceof CongestionMechanism<?> mechanism) {
                joined.add(joined(mechanism, use));
            }
        }
        return joined;
    }

    private static <C extends Record> Joined<C> joined(
            CongestionMechanism<C> mechanism, Mechanisms.Use use) {
        return new Joined<>(mechanism, mechanism.of(use), use.isEnabled());
    }

    /**
     * The point that receives the port's frames: the only one that is on, or all of them as one;
     * null while all are off.
     */
    public @Nullable CongestionPoint point() {
        return told;
    }

    /**
     * Any thread: prepares a change of the same mechanisms to other configurations, each on or off.
     *
     * @param areOthers whether all points are made again, because the port's rate or its queues
     *     change
     * @throws IllegalArgumentException in one sentence, if it cannot be
     */
    public Change prepare(Mechanisms from, Mechanisms to, long rateBps, boolean areOthers) {
        List<Joined<?>> now = joined(from);
        Change change = new Change(joined(to));
        for (int i = 0; i < change.points.length; i++) {
            Joined<?> wanted = change.joined.get(i);
            if (areOthers || !wanted.configuration.equals(now.get(i).configuration)) {
                change.points[i] = wanted.point(port, rateBps, watchers[i].random);
            }
        }
        return change;
    }

    /** Applies a prepared change; the port must have the queues of that change. */
    public void change(long nowNs, Change change) {
        // What has been counted of queues that are not watched after this.
        publish();
        for (int i = 0; i < watchers.length; i++) {
            Watcher one = watchers[i];
            boolean wasOff = !one.joined.isEnabled;
            CongestionPoint other = change.points[i];
            if (other != null) {
                one.replace(other);
            }
            one.joined = change.joined.get(i);
            if (one.joined.isEnabled && (wasOff || other != null)) {
                show(nowNs, one.point, wasOff);
            }
            if (!one.joined.isEnabled && !wasOff) {
                port.board(one.joined.mechanism).withdraw();
            }
        }
        told = enabled(change);
        publishAll();
    }

    private void publishAll() {
        for (Watcher one : watchers) {
            one.publishAll();
        }
    }

    /** Clears the words that the port shows to other ports, when it fails or before it begins. */
    public void withdraw() {
        for (Watcher one : watchers) {
            port.board(one.joined.mechanism).withdraw();
        }
    }

    /** Shows the waiting frames to a point that receives the port's frames from now on. */
    private void show(long nowNs, CongestionPoint point, boolean wasOff) {
        if (wasOff) {
            point.reset(nowNs);
        }
        for (int queue = 0; queue < PRIORITIES; queue++) {
            Frame[] frames = waiting.apply(queue);
            for (Frame frame : frames) {
                if (point.readsFlowHash()) {
                    frame.flowHash = FlowHash.of(FrameRegion.MEMORY, frame, port.seed);
                }
            }
            if (frames.length > 0) {
                point.enqueued(nowNs, queue, frames, 0, frames.length);
            }
        }
    }

    /** Copies the counts of the enabled points into the port's counters. */
    public void publish() {
        for (Watcher one : watchers) {
            if (one.joined.isEnabled) {
                one.publish();
            }
        }
    }
}
