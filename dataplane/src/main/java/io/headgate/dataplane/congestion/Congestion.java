package io.headgate.dataplane.congestion;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.random.NamedRandom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What watches the queues of one port: the point that is to be told, and where it counts. */
public final class Congestion {
    private static final int QUEUES = 8;

    /** A mechanism of a port, with its configuration. */
    private record Joined<C extends Record>(CongestionMechanism<C> mechanism, C configuration) {

        CongestionPoint point(QueueFields queues, long rateBps, long seed, String owner) {
            NamedRandom random = NamedRandom.of(seed, owner, mechanism.name());
            return mechanism.point(configuration, new CongestionSetup(queues, rateBps, random));
        }
    }

    private record Counter(int ordinal, CounterText text) implements CounterId {}

    private final List<CongestionPoint> points = new ArrayList<>();
    private final List<Integer> counters = new ArrayList<>();
    private final CongestionPoint told;
    private final CounterBlock block;

    private Congestion(
            List<Joined<?>> joined,
            QueueFields queues,
            long rateBps,
            long seed,
            String owner,
            CounterBlock block) {
        for (Joined<?> one : joined) {
            points.add(one.point(queues, rateBps, seed, owner));
            counters.add(one.mechanism.counters().size());
        }
        this.told =
                points.size() == 1
                        ? points.getFirst()
                        : new CongestionPoints(points.toArray(CongestionPoint[]::new));
        this.block = block;
    }

    /**
     * What a port has of it; null if nothing.
     *
     * @param owner the port's name, after which generators are named
     * @param block for the counters that {@link #counters} describes; null where there are none
     */
    public static @Nullable Congestion of(
            Mechanisms mechanisms,
            QueueFields queues,
            long rateBps,
            long seed,
            String owner,
            @Nullable CounterBlock block) {
        List<Joined<?>> joined = joined(mechanisms);
        return block == null || joined.isEmpty()
                ? null
                : new Congestion(joined, queues, rateBps, seed, owner, block);
    }

    /** The counters of a port with such mechanisms; there may be none. */
    public static List<CounterId> counters(Mechanisms mechanisms) {
        List<CounterId> ids = new ArrayList<>();
        for (Joined<?> one : joined(mechanisms)) {
            String prefix = one.mechanism.name() + ".";
            for (int queue = 0; queue < QUEUES; queue++) {
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

    private static List<Joined<?>> joined(Mechanisms mechanisms) {
        List<Joined<?>> joined = new ArrayList<>();
        for (Mechanisms.Use use : mechanisms.of(Mechanism.Kind.CONGESTION_POINT)) {
            Mechanism<?> found = MechanismRegistry.find(use.kind(), use.name());
            if (use.isEnabled() && found instanceof CongestionMechanism<?> mechanism) {
                joined.add(joined(mechanism, use));
            }
        }
        return joined;
    }

    private static <C extends Record> Joined<C> joined(
            CongestionMechanism<C> mechanism, Mechanisms.Use use) {
        return new Joined<>(mechanism, mechanism.of(use));
    }

    /** The point that is to be told of the port's frames: the only one, or all of them. */
    public CongestionPoint point() {
        return told;
    }

    /** Copies what the points have counted into the port's counters. */
    public void publish() {
        int at = 0;
        for (int i = 0; i < points.size(); i++) {
            CongestionPoint point = points.get(i);
            int each = counters.get(i);
            for (int rest = point.queues(); rest != 0; rest &= rest - 1) {
                int queue = Integer.numberOfTrailingZeros(rest);
                for (int counter = 0; counter < each; counter++) {
                    block.set(at + queue * each + counter, point.counted(counter, queue));
                }
            }
            at += QUEUES * each;
        }
    }
}
