package io.headgate.dataplane.congestion;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.random.NamedRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What watches the queues of one port: the point that is to be told, and where it counts. */
public final class Congestion {
    private static final int ALL = (1 << PRIORITIES) - 1;

    /**
     * A port, to what watches it.
     *
     * @param name after which generators are named
     * @param noticePriority of notices that leave by it
     * @param seed from which generators are made
     */
    public record Port(
            int number,
            String name,
            long rateBps,
            int mtuBytes,
            QueueFields queues,
            StopView stops,
            Notices notices,
            int noticePriority,
            long seed) {

        private CongestionSetup setup(String mechanism) {
            NamedRandom random = NamedRandom.of(seed, name, mechanism);
            return new CongestionSetup(number, rateBps, mtuBytes, queues, stops, notices, random);
        }
    }

    /** A mechanism of a port, with its configuration. */
    private record Joined<C extends Record>(
            CongestionMechanism<C> mechanism, C configuration, boolean isEnabled) {

        CongestionPoint point(CongestionSetup setup) {
            return mechanism.point(configuration, setup);
        }

        CongestionPoint changed(CongestionPoint point, CongestionSetup setup) {
            return mechanism.changed(point, configuration, setup);
        }

        /** Refuses what would wait behind what it complains of. */
        CongestionPoint checked(CongestionPoint point, Port port) {
            if (notices() > 0 && (point.queues() >>> port.noticePriority & 1) != 0) {
                throw new IllegalArgumentException(
                        ("port %s: %s sends notices, and they have priority %d here, which it"
                                        + " watches: they would wait behind what they complain of."
                                        + " Leave that priority out of its priorities, or classify"
                                        + " DSCP 48 otherwise")
                                .formatted(port.name, mechanism.name(), port.noticePriority));
            }
            return point;
        }

        int notices() {
            return mechanism.notices(configuration);
        }

        boolean readsFlowHash() {
            return mechanism.readsFlowHash(configuration);
        }
    }

    private record Counter(int ordinal, CounterText text) implements CounterId {}

    private final List<Joined<?>> joined;
    private final List<CongestionSetup> setups = new ArrayList<>();
    private final List<CongestionPoint> points = new ArrayList<>();
    private final List<Integer> counters = new ArrayList<>();
    private final @Nullable CounterBlock block;

    // By counter: what points counted that others have replaced.
    private final long[] before;

    private @Nullable CongestionPoint told;

    private Congestion(List<Joined<?>> joined, Port port, @Nullable CounterBlock block) {
        this.joined = new ArrayList<>(joined);
        for (Joined<?> one : joined) {
            CongestionSetup setup = port.setup(one.mechanism.name());
            setups.add(setup);
            points.add(one.checked(one.point(setup), port));
            counters.add(one.mechanism.counters().size());
        }
        this.block = block;
        this.before = new long[PRIORITIES * counters.stream().mapToInt(Integer::intValue).sum()];
        this.told = enabled();
        publishAll();
    }

    private @Nullable CongestionPoint enabled() {
        List<CongestionPoint> enabled = new ArrayList<>();
        for (int i = 0; i < points.size(); i++) {
            if (joined.get(i).isEnabled) {
                enabled.add(points.get(i));
            }
        }
        return switch (enabled.size()) {
            case 0 -> null;
            case 1 -> enabled.getFirst();
            default -> new CongestionPoints(enabled.toArray(CongestionPoint[]::new));
        };
    }

    /**
     * What a port has of it; null if nothing.
     *
     * @param block for the counters that {@link #counters} describes; null if they are none
     */
    public static @Nullable Congestion of(
            Mechanisms mechanisms, Port port, @Nullable CounterBlock block) {
        List<Joined<?>> joined = joined(mechanisms);
        return joined.isEmpty() ? null : new Congestion(joined, port, block);
    }

    /** The counters of a port with such mechanisms, be they on or off; there may be none. */
    public static List<CounterId> counters(Mechanisms mechanisms) {
        List<CounterId> ids = new ArrayList<>();
        for (Joined<?> one : joined(mechanisms)) {
            String prefix = one.mechanism.name() + ".";
            for (int queue = 0; queue < PRIORITIES; queue++) {
                for (CounterText text : one.mechanism.counters()) {
                    ids.add(
                            new Counter(
                                    ids.size(),
                                    new CounterText(
                                            prefix + text.label() + ".p" + queue,
                                            text.unit(),
                                            text.kind(),
                                            text.description() + ", priority " + queue)));
                }
            }
        }
        return ids;
    }

    /** Most notices that such mechanisms send at a time; 0: none. */
    public static int notices(Mechanisms mechanisms) {
        return joined(mechanisms).stream().mapToInt(Joined::notices).sum();
    }

    /** Whether such mechanisms ask for frames' flow hashes. */
    public static boolean readFlowHash(Mechanisms mechanisms) {
        return joined(mechanisms).stream().anyMatch(Joined::readsFlowHash);
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
     * The point that is to be told of the port's frames: the only one that is on, or all of them;
     * null while none is.
     */
    public @Nullable CongestionPoint point() {
        return told;
    }

    /**
     * Has the same mechanisms do as other configurations say, each on or off.
     *
     * @param queues the port's, which may be others than before
     * @param waiting the frames of a queue, in their order
     */
    public void change(
            long nowNs,
            Mechanisms mechanisms,
            long rateBps,
            QueueFields queues,
            IntFunction<Frame[]> waiting) {
        // What has been counted of queues that are not watched after this.
        publish();
        List<Joined<?>> wanted = joined(mechanisms);
        for (int i = 0; i < joined.size(); i++) {
            boolean wasOff = !joined.get(i).isEnabled;
            boolean isOther = replace(i, wanted.get(i), rateBps, queues);
            if (wanted.get(i).isEnabled && (wasOff || isOther)) {
                show(nowNs, points.get(i), wasOff, waiting);
            }
        }
        told = enabled();
        publishAll();
    }

    /** Answers whether there is another point now. */
    @SuppressWarnings("ReferenceEquality") // queues that are equal in what they hold are others
    private boolean replace(int at, Joined<?> wanted, long rateBps, QueueFields queues) {
        CongestionSetup setup = setups.get(at);
        boolean isOther =
                rateBps != setup.rateBps()
                        || queues != setup.queues()
                        || !wanted.configuration.equals(joined.get(at).configuration);
        if (isOther) {
            CongestionPoint point = points.get(at);
            setups.set(at, setup.with(rateBps, queues));
            points.set(at, wanted.changed(point, setups.get(at)));
            addCounts(at, point);
        }
        joined.set(at, wanted);
        return isOther;
    }

    /** Shows a point that is to be told from now on what waits already. */
    private static void show(
            long nowNs, CongestionPoint point, boolean wasOff, IntFunction<Frame[]> waiting) {
        if (wasOff) {
            point.reset(nowNs);
        }
        for (int queue = 0; queue < PRIORITIES; queue++) {
            Frame[] frames = waiting.apply(queue);
            if (frames.length > 0) {
                point.enqueued(nowNs, queue, frames, 0, frames.length);
            }
        }
    }

    private void addCounts(int at, CongestionPoint point) {
        int first = PRIORITIES * counters.subList(0, at).stream().mapToInt(Integer::intValue).sum();
        List<CounterText> texts = joined.get(at).mechanism.counters();
        for (int rest = point.queues(); rest != 0; rest &= rest - 1) {
            int queue = Integer.numberOfTrailingZeros(rest);
            for (int counter = 0; counter < texts.size(); counter++) {
                if (texts.get(counter).kind() == CounterId.Kind.TOTAL) {
                    before[first + queue * texts.size() + counter] += point.counted(counter, queue);
                }
            }
        }
    }

    /** Copies what the points that are on have counted into the port's counters. */
    public void publish() {
        int at = 0;
        for (int i = 0; i < points.size(); i++) {
            if (joined.get(i).isEnabled) {
                publish(at, i);
            }
            at += PRIORITIES * counters.get(i);
        }
    }

    private void publish(int at, int which) {
        CongestionPoint point = points.get(which);
        int each = counters.get(which);
        for (int rest = point.queues(); rest != 0 && block != null; rest &= rest - 1) {
            int queue = Integer.numberOfTrailingZeros(rest);
            for (int counter = 0; counter < each; counter++) {
                int ordinal = at + queue * each + counter;
                block.set(ordinal, before[ordinal] + point.counted(counter, queue));
            }
        }
    }

    /** After a change: gauges of what is off, and of queues not watched any more, become 0. */
    private void publishAll() {
        int at = 0;
        for (int i = 0; i < points.size(); i++) {
            publish(at, i);
            List<CounterText> texts = joined.get(i).mechanism.counters();
            int watched = joined.get(i).isEnabled ? points.get(i).queues() : 0;
            for (int rest = ALL & ~watched; rest != 0 && block != null; rest &= rest - 1) {
                int first = at + Integer.numberOfTrailingZeros(rest) * texts.size();
                for (int counter = 0; counter < texts.size(); counter++) {
                    if (texts.get(counter).kind() == CounterId.Kind.GAUGE) {
                        block.set(first + counter, 0);
                    }
                }
            }
            at += PRIORITIES * texts.size();
        }
    }
}
