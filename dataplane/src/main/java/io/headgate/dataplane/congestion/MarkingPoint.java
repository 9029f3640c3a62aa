package io.headgate.dataplane.congestion;

import io.headgate.dataplane.counter.CounterId.Kind;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.StopView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A congestion point that asks a {@link Detector} for each priority, and marks what it says. */
public final class MarkingPoint implements CongestionPoint {
    /** What it counts, for {@link CongestionMechanism#counters}. */
    public static final List<CounterText> COUNTERS =
            List.of(
                    new CounterText(
                            "marked",
                            "frames",
                            Kind.TOTAL,
                            "frames marked \"congestion experienced\""),
                    new CounterText(
                            "incapable",
                            "frames",
                            Kind.TOTAL,
                            "frames to be marked that are of no ECN-capable transport"));

    /** The same of a mechanism that also says "undetermined". */
    static final List<CounterText> TERNARY_COUNTERS = ternary();

    /** Frames that a detector is asked about in one go: a bit each. */
    private static final int MOST_AT_ONCE = Long.SIZE;

    private static final int MARKED = 0;
    private static final int INCAPABLE = 1;
    private static final int UNDETERMINED = 2;

    /** Is told of frames that are to be marked, before they are; such as to send a notice. */
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

    // Of each queue: what waits behind the frame that is looked at.
    private final long[] behindBytes;

    /** A queue that is watched. */
    private static final class Watched {
        final Detector detector;

        // The detector's quiet bytes, and the same while that is quiet, -1 while not.
        final long mostQuietBytes;
        long quietBytes = -1;

        long marked;
        long incapable;
        long undetermined;

        Watched(Detector detector) {
            this.detector = detector;
            this.mostQuietBytes = detector.quietBytes();
        }

        /** Asked of a short queue only: of a long one the next frame has to be asked about too. */
        void noteQuiet(long behind) {
            quietBytes = behind <= mostQuietBytes && detector.isQuiet() ? mostQuietBytes : -1;
        }

        void count(int mark, int wanted, int written) {
            if (mark == Mark.CONGESTION) {
                marked += written;
            } else {
                undetermined += written;
            }
            if (written < wanted) {
                incapable += wanted - written;
            }
        }
    }

    /**
     * @param setup what the point was given
     * @param detectors one for each queue; null: it is not watched
     */
    public MarkingPoint(CongestionSetup setup, @Nullable Detector[] detectors) {
        this(setup, detectors, null);
    }

    /** As above, and tells a hook of frames that are to be marked. */
    public MarkingPoint(
            CongestionSetup setup, @Nullable Detector[] detectors, @Nullable Hook hook) {
        this(setup, detectors, Mark.Field.ECN, COUNTERS.size(), hook);
    }

    /**
     * @param field where frames are marked
     * @param counters of the mechanism that come before its detectors' own
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
        for (int queue = 0; queue < detectors.length; queue++) {
            Detector detector = detectors[queue];
            if (detector != null) {
                watched[queue] = new Watched(detector);
                mask |= 1 << queue;
            }
        }
        this.queues = mask;
        this.behindBytes = new long[detectors.length];
    }

    private static List<CounterText> ternary() {
        List<CounterText> texts = new ArrayList<>(COUNTERS);
        texts.add(
                new CounterText(
                        "undetermined", "frames", Kind.TOTAL, "frames marked \"undetermined\""));
        return List.copyOf(texts);
    }

    /** Whom it asks about a queue; null: it does not watch it. */
    @Nullable Detector detector(int queue) {
        Watched one = watched[queue];
        return one == null ? null : one.detector;
    }

    @Override
    public int queues() {
        return queues;
    }

    @Override
    public void enqueued(long nowNs, int queue, Frame[] frames, int from, int to) {
        // Detectors see queues where frames leave them.
    }

    @Override
    public void started(long nowNs, Frame[] frames, int from, int to) {
        if (to - from <= 1) {
            if (from < to) {
                startedAlone(nowNs, frames[from]);
            }
            return;
        }
        int queue = frames[from].priority;
        long bytes = 0;
        int end = from;
        while (end < to && frames[end].priority == queue) {
            bytes += frames[end++].lengthBytes;
        }
        if (end < to || to - from > MOST_AT_ONCE) {
            startedMixed(nowNs, frames, from, to);
            return;
        }
        // Most often they are of one queue, and that is short.
        Watched one = watched[queue];
        if (one == null) {
            return;
        }
        long behind = fields.bytes(queue);
        if (behind + bytes - frames[from].lengthBytes > one.quietBytes) {
            one.detector.started(nowNs, frames, from, to, behind + bytes, this);
            one.noteQuiet(behind);
        }
    }

    private void startedAlone(long nowNs, Frame frame) {
        int queue = frame.priority;
        Watched one = watched[queue];
        if (one == null) {
            return;
        }
        long behind = fields.bytes(queue);
        if (behind > one.quietBytes) {
            ask(nowNs, one, frame, behind);
        }
    }

    private void startedMixed(long nowNs, Frame[] frames, int from, int to) {
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
                ask(nowNs, one, frame, behind);
            }
        }
    }

    private void ask(long nowNs, Watched one, Frame frame, long behind) {
        int mark = one.detector.started(nowNs, frame.lengthBytes, behind);
        if (mark != Mark.NONE) {
            one.count(mark, 1, mark(nowNs, frame, mark) ? 1 : 0);
        }
        one.noteQuiet(behind);
    }

    /**
     * Marks frames of one queue that start at once, and counts them.
     *
     * @param which of them, a bit each, the lowest for the first
     */
    void mark(long nowNs, Frame[] frames, int from, long which, int mark) {
        int written = 0;
        for (long rest = which; rest != 0; rest &= rest - 1) {
            if (mark(nowNs, frames[from + Long.numberOfTrailingZeros(rest)], mark)) {
                written++;
            }
        }
        Watched one = watched[frames[from].priority];
        if (one != null) {
            one.count(mark, Long.bitCount(which), written);
        }
    }

    private boolean mark(long nowNs, Frame frame, int mark) {
        Hook told = hook;
        if (told != null) {
            told.toMark(nowNs, frame);
        }
        return Mark.write(frame, mark, field);
    }

    /** A bit for each of so many frames, 1 to 64. */
    static long all(int frames) {
        assert frames > 0 : frames;
        return -1L >>> (Long.SIZE - frames);
    }

    @Override
    public void removed(long nowNs, Frame frame) {
        // As in enqueued.
    }

    @Override
    public void released(long nowNs, int released) {
        for (int rest = released & queues; rest != 0; rest &= rest - 1) {
            int queue = Integer.numberOfTrailingZeros(rest);
            Watched one = watched[queue];
            if (one != null) {
                one.detector.released(
                        stops.endedNs(queue), fields.bytes(queue), fields.frames(queue));
                one.quietBytes = -1;
            }
        }
    }

    @Override
    public int tick(long nowNs) {
        return 0; // detectors look when frames start
    }

    @Override
    public long deadlineNs() {
        return Long.MAX_VALUE;
    }

    @Override
    public void reset(long nowNs) {
        for (Watched one : watched) {
            if (one != null) {
                one.quietBytes = -1;
                one.detector.reset(nowNs);
            }
        }
    }

    @Override
    public long counted(int counter, int queue) {
        Watched one = watched[queue];
        if (one == null) {
            return 0;
        }
        if (counter >= counters) {
            return one.detector.counted(counter - counters);
        }
        return switch (counter) {
            case MARKED -> one.marked;
            case INCAPABLE -> one.incapable;
            case UNDETERMINED -> one.undetermined;
            default -> throw new IndexOutOfBoundsException(counter);
        };
    }
}
