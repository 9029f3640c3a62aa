package io.headgate.dataplane.congestion;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.StopView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A congestion point that has a {@link Detector} for each watched priority, and marks the frames
 * that the detector selects.
 */
public final class MarkingPoint implements CongestionPoint {
    /** Its counters, for {@link CongestionMechanism#counters}. */
    public static final List<CounterText> COUNTERS =
            List.of(
                    CounterText.total(
                            "marked", "frames", "frames marked \"congestion experienced\" here"),
                    CounterText.total(
                            "incapable",
                            "frames",
                            "frames that should be marked, but have no ECN-capable transport"),
                    CounterText.total(
                            "came.marked",
                            "frames",
                            "frames that should be marked, but already had this mark or a stronger"
                                    + " one"));

    /** The counters of a mechanism that also marks "undetermined". */
    static final List<CounterText> TERNARY_COUNTERS = ternary();

    private static final int MARKED = 0;
    private static final int INCAPABLE = 1;
    private static final int CAME_MARKED = 2;
    private static final int UNDETERMINED = 3;

    /** Called with frames to mark before they are marked, for example to send a notice. */
    @FunctionalInterface
    public interface Hook {
        /** A frame has started, and its detector wants it marked, whether that can be or not. */
        void toMark(long nowNs, Frame frame);
    }

    private final QueueFields fields;
    private final StopView stops;
    private final Mark.Field field;
    private final int counters;
    private final @Nullable Watched[] watched;
    private final @Nullable Hook hook;
    private final int queues;

    // Per queue: bytes that wait behind the frame that is looked at.
    private final long[] behindBytes;

    private final Burst burst = new Burst();

    // Queues whose detectors look at them in periods, and when the first is to.
    private final int periodic;
    private long deadlineNs = Long.MAX_VALUE;

    private static final class Watched {
        final Detector detector;
        final Outlook outlook = new Outlook();

        // The time of its next look at its queue; never while the queue rests.
        long nextNs = Long.MAX_VALUE;

        long marked;
        long incapable;
        long cameMarked;
        long undetermined;

        Watched(Detector detector) {
            this.detector = detector;
        }

        /** The detector, after it was notified of all started frames. */
        Detector told() {
            outlook.tell(detector);
            return detector;
        }

        void count(int mark, int wanted, int written, int came) {
            if (mark == Mark.CONGESTION) {
                marked += written;
            } else {
                undetermined += written;
            }
            if (written < wanted) {
                cameMarked += came;
                incapable += wanted - written - came;
            }
        }
    }

    /**
     * @param setup parts of the point
     * @param detectors one for each queue; null: the queue is not watched
     */
    public MarkingPoint(CongestionSetup setup, @Nullable Detector[] detectors) {
        this(setup, detectors, null);
    }

    /** As above, with a hook that is called before frames are marked. */
    public MarkingPoint(
            CongestionSetup setup, @Nullable Detector[] detectors, @Nullable Hook hook) {
        this(setup, detectors, Mark.Field.ECN, COUNTERS.size(), hook);
    }

    /**
     * @param field header fields in which frames are marked
     * @param counters number of the mechanism's counters before those of its detectors
     */
    MarkingPoint(
            CongestionSetup setup,
            @Nullable Detector[] detectors,
            Mark.Field field,
            int counters,
            @Nullable Hook hook) {
        this.hook = hook;
        this.field = field;
        this.counters = counters;
        this.fields = setup.queues();
        this.stops = setup.stops();
        this.watched = new Watched[detectors.length];
        int mask = 0;
        int inPeriods = 0;
        for (int queue = 0; queue < detectors.length; queue++) {
            Detector detector = detectors[queue];
            if (detector != null) {
                watched[queue] = new Watched(detector);
                mask |= 1 << queue;
                inPeriods |= detector.periodNs() > 0 ? 1 << queue : 0;
            }
        }
        this.queues = mask;
        this.periodic = inPeriods;
        this.behindBytes = new long[detectors.length];
    }

    /** Makes a detector for each watched priority; null for the others. */
    public static @Nullable Detector[] detectors(
            List<Integer> priorities, IntFunction<Detector> each) {
        @Nullable Detector[] detectors = new Detector[TrafficConfig.PRIORITIES];
        priorities.forEach(priority -> detectors[priority] = each.apply(priority));
        return detectors;
    }

    private static List<CounterText> ternary() {
        List<CounterText> texts = new ArrayList<>(COUNTERS);
        texts.add(
                CounterText.total("undetermined", "frames", "frames marked \"undetermined\" here"));
        return List.copyOf(texts);
    }

    @Override
    public void goOnFrom(CongestionPoint before) {
        for (int queue = 0;
                queue < watched.length && before instanceof MarkingPoint other;
                queue++) {
            Watched own = watched[queue];
            Watched replaced = other.watched[queue];
            if (own != null && replaced != null) {
                own.detector.goOnFrom(replaced.told());
                goOn(queue, own, replaced);
            }
        }
    }

    /** Sets the next look to one period after the last one: changes do not delay it. */
    private void goOn(int queue, Watched own, Watched replaced) {
        if ((periodic >>> queue & 1) != 0 && replaced.nextNs != Long.MAX_VALUE) {
            own.nextNs = replaced.nextNs - replaced.detector.periodNs() + own.detector.periodNs();
            deadlineNs = Math.min(deadlineNs, own.nextNs);
        }
    }

    @Override
    public int queues() {
        return queues;
    }

    @Override
    public void enqueued(long nowNs, int queue, Frame[] frames, int from, int to) {
        // Detectors see queues where frames leave them, and in periods while there are any.
        if ((periodic >>> queue & 1) != 0) {
            begin(nowNs, queue);
        }
    }

    private void begin(long nowNs, int queue) {
        Watched one = watched[queue];
        if (one != null && one.nextNs == Long.MAX_VALUE) {
            one.nextNs = nowNs + one.detector.periodNs();
            deadlineNs = Math.min(deadlineNs, one.nextNs);
        }
    }

    @Override
    public long deadlineNs() {
        return deadlineNs;
    }

    @Override
    public int tick(long nowNs) {
        int looked = 0;
        long earliestNs = Long.MAX_VALUE;
        for (int rest = periodic; rest != 0; rest &= rest - 1) {
            int queue = Integer.numberOfTrailingZeros(rest);
            Watched one = watched[queue];
            if (one == null) {
                continue;
            }
            if (one.nextNs - nowNs <= 0) {
                look(nowNs, queue, one);
                looked++;
            }
            earliestNs = Math.min(earliestNs, one.nextNs);
        }
        deadlineNs = earliestNs;
        return looked;
    }

    /**
     * Looks at a queue only once, however late: a detector's sum over time must not jump after a
     * stall.
     */
    private void look(long nowNs, int queue, Watched one) {
        long queuedBytes = fields.bytes(queue);
        Detector detector = one.told();
        boolean decays = detector.tick(nowNs, queuedBytes, fields.frames(queue));
        one.outlook.nothing();
        one.nextNs = decays || queuedBytes > 0 ? nowNs + detector.periodNs() : Long.MAX_VALUE;
    }

    @Override
    public void started(long nowNs, Frame[] frames, int from, int to) {
        if (to - from != 1) {
            if (from < to) {
                startedBurst(nowNs, frames, from, to);
            }
            return;
        }
        Frame frame = frames[from];
        int queue = frame.priority;
        Watched one = watched[queue];
        if (one != null) {
            started(nowNs, one, frame, fields.bytes(queue));
        }
    }

    private void startedBurst(long nowNs, Frame[] frames, int from, int to) {
        // Most often they are of one queue.
        int queue = frames[from].priority;
        Watched one = watched[queue];
        long least = fields.bytes(queue);
        int next = from;
        if (one != null && one.outlook.marksAll(least, to - from)) {
            next = markedAll(nowNs, one, frames, from, to);
        }
        if (next == from) {
            askedTogether(nowNs, one, frames, from, to, least);
        } else if (next < to) {
            startedInTurn(nowNs, frames, next, to);
        }
    }

    private void started(long nowNs, Watched one, Frame frame, long behind) {
        Outlook outlook = one.outlook;
        int mark;
        if (outlook.holds(behind)) {
            outlook.use(nowNs, 1);
            mark = outlook.mark();
        } else {
            mark = asked(nowNs, one, frame, behind);
        }
        if (mark != Mark.NONE) {
            int outcome = mark(nowNs, frame, mark);
            one.count(
                    mark, 1, outcome == Mark.WRITTEN ? 1 : 0, outcome == Mark.CAME_MARKED ? 1 : 0);
        }
    }

    private static int asked(long nowNs, Watched one, Frame frame, long behind) {
        Detector detector = one.told();
        int mark = detector.started(nowNs, frame.lengthBytes, behind);
        detector.foresee(behind, one.outlook);
        return mark;
    }

    /**
     * Marks frames by the outlook up to the first one of another queue; returns the index of that
     * frame.
     */
    private int markedAll(long nowNs, Watched one, Frame[] frames, int from, int to) {
        int queue = frames[from].priority;
        int mark = one.outlook.mark();
        int written = 0;
        int came = 0;
        int next = from;
        while (next < to && frames[next].priority == queue) {
            int outcome = mark(nowNs, frames[next++], mark);
            written += outcome == Mark.WRITTEN ? 1 : 0;
            came += outcome == Mark.CAME_MARKED ? 1 : 0;
        }
        one.outlook.use(nowNs, next - from);
        one.count(mark, next - from, written, came);
        return next;
    }

    /** Asks the detector about a whole burst, unless the outlook says that no frame is marked. */
    private void askedTogether(
            long nowNs, @Nullable Watched one, Frame[] frames, int from, int to, long least) {
        if (to - from > Burst.MOST || !burst.fill(frames, from, to, least)) {
            startedInTurn(nowNs, frames, from, to);
        } else if (one != null) {
            Outlook outlook = one.outlook;
            if (outlook.mark() == Mark.NONE
                    && outlook.holds(least, burst.mostBytes(), burst.count())) {
                outlook.use(nowNs, burst.count());
                return;
            }
            Detector detector = one.told();
            detector.started(nowNs, burst, this);
            detector.foresee(least, outlook);
        }
    }

    /** Handles the frames of a burst one by one, because they are of several queues or too many. */
    private void startedInTurn(long nowNs, Frame[] frames, int from, int to) {
        // Behind a frame waits what is in its queue after the burst, and what follows it in there.
        int seen = 0;
        for (int i = from; i < to; i++) {
            int queue = frames[i].priority;
            if ((seen >>> queue & 1) == 0) {
                seen |= 1 << queue;
                behindBytes[queue] = fields.bytes(queue);
            }
            behindBytes[queue] += frames[i].lengthBytes;
        }
        for (int i = from; i < to; i++) {
            Frame frame = frames[i];
            int queue = frame.priority;
            long behind = behindBytes[queue] - frame.lengthBytes;
            behindBytes[queue] = behind;
            Watched one = watched[queue];
            if (one != null) {
                started(nowNs, one, frame, behind);
            }
        }
    }

    /**
     * Marks frames of a burst, and counts them.
     *
     * @param which mask of the frames to mark, the lowest bit for the first
     */
    public void mark(long nowNs, Burst started, long which, int mark) {
        int written = 0;
        int came = 0;
        for (long rest = which; rest != 0; rest &= rest - 1) {
            int outcome = mark(nowNs, started.frame(Long.numberOfTrailingZeros(rest)), mark);
            written += outcome == Mark.WRITTEN ? 1 : 0;
            came += outcome == Mark.CAME_MARKED ? 1 : 0;
        }
        Watched one = watched[started.frame(0).priority];
        if (one != null) {
            one.count(mark, Long.bitCount(which), written, came);
        }
    }

    private int mark(long nowNs, Frame frame, int mark) {
        Hook told = hook;
        if (told != null) {
            told.toMark(nowNs, frame);
        }
        return Mark.write(frame, mark, field);
    }

    @Override
    public void removed(long nowNs, Frame frame) {
        // It keeps nothing of single frames.
    }

    @Override
    public void released(long nowNs, int released) {
        for (int rest = released & queues; rest != 0; rest &= rest - 1) {
            int queue = Integer.numberOfTrailingZeros(rest);
            Watched one = watched[queue];
            if (one != null) {
                one.told()
                        .released(stops.endedNs(queue), fields.bytes(queue), fields.frames(queue));
                one.outlook.nothing();
            }
        }
    }

    @Override
    public void reset(long nowNs) {
        for (Watched one : watched) {
            if (one != null) {
                one.told().reset(nowNs);
                one.outlook.nothing();
                one.nextNs = Long.MAX_VALUE;
            }
        }
        deadlineNs = Long.MAX_VALUE;
    }

    @Override
    public long counted(int counter, int queue) {
        Watched one = watched[queue];
        if (one == null) {
            return 0;
        }
        if (counter >= counters) {
            return one.told().counted(counter - counters);
        }
        return switch (counter) {
            case MARKED -> one.marked;
            case INCAPABLE -> one.incapable;
            case CAME_MARKED -> one.cameMarked;
            case UNDETERMINED -> one.undetermined;
            default -> throw new IndexOutOfBoundsException(counter);
        };
    }
}
