package io.headgate.dataplane.congestion;

import io.headgate.dataplane.counter.CounterId.Kind;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.StopView;
import java.util.ArrayList;
import java.util.Arrays;
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
    private final @Nullable Detector[] detectors;
    private final @Nullable Hook hook;
    private final int queues;
    private final long[] marked;
    private final long[] incapable;
    private final long[] undetermined;

    // Of each queue: what waits behind the frame that is looked at.
    private final long[] behindBytes;

    // Of each queue: its detector's quiet bytes, and the same while that is quiet, -1 while not.
    private final long[] mostQuietBytes;
    private final long[] quietBytes;

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
        this.detectors = detectors.clone();
        int mask = 0;
        for (int queue = 0; queue < detectors.length; queue++) {
            mask |= detectors[queue] == null ? 0 : 1 << queue;
        }
        this.queues = mask;
        this.marked = new long[detectors.length];
        this.incapable = new long[detectors.length];
        this.undetermined = new long[detectors.length];
        this.behindBytes = new long[detectors.length];
        this.quietBytes = new long[detectors.length];
        Arrays.fill(quietBytes, -1);
        this.mostQuietBytes = new long[detectors.length];
        for (int queue = 0; queue < detectors.length; queue++) {
            Detector detector = detectors[queue];
            mostQuietBytes[queue] = detector == null ? -1 : detector.quietBytes();
        }
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
        return detectors[queue];
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
        int queue = frames[from].priority;
        long bytes = 0;
        int end = from;
        while (end < to && frames[end].priority == queue) {
            bytes += frames[end++].lengthBytes;
        }
        if (end < to) {
            startedMixed(nowNs, frames, from, to);
            return;
        }
        // Most often they are of one queue, and that is short.
        Detector detector = detectors[queue];
        if (detector == null) {
            return;
        }
        long behind = fields.bytes(queue) + bytes;
        if (behind - frames[from].lengthBytes <= quietBytes[queue]) {
            return;
        }
        if (to - from == 1) {
            ask(nowNs, detector, frames[from], behind - bytes);
        } else {
            detector.started(nowNs, frames, from, to, behind, this);
        }
        noteQuiet(queue, detector, behind - bytes);
    }

    /** Asked of a short queue only: of a long one the next frame has to be asked about too. */
    private void noteQuiet(int queue, Detector detector, long behind) {
        long most = mostQuietBytes[queue];
        quietBytes[queue] = behind <= most && detector.isQuiet() ? most : -1;
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
            Detector detector = detectors[queue];
            if (detector != null) {
                ask(nowNs, detector, frame, behind);
                noteQuiet(queue, detector, behind);
            }
        }
    }

    private void ask(long nowNs, Detector detector, Frame frame, long behind) {
        int mark = detector.started(nowNs, frame.lengthBytes, behind);
        if (mark != Mark.NONE) {
            mark(nowNs, frame, mark);
        }
    }

    /** Marks a frame that starts, and counts it. */
    void mark(long nowNs, Frame frame, int mark) {
        Hook told = hook;
        if (told != null) {
            told.toMark(nowNs, frame);
        }
        if (!Mark.write(frame, mark, field)) {
            incapable[frame.priority]++;
        } else if (mark == Mark.CONGESTION) {
            marked[frame.priority]++;
        } else {
            undetermined[frame.priority]++;
        }
    }

    @Override
    public void removed(long nowNs, Frame frame) {
        // As in enqueued.
    }

    @Override
    public void released(long nowNs, int released) {
        for (int rest = released & queues; rest != 0; rest &= rest - 1) {
            int queue = Integer.numberOfTrailingZeros(rest);
            Detector detector = detectors[queue];
            if (detector != null) {
                detector.released(stops.endedNs(queue), fields.bytes(queue), fields.frames(queue));
                quietBytes[queue] = -1;
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
        Arrays.fill(quietBytes, -1);
        for (Detector detector : detectors) {
            if (detector != null) {
                detector.reset(nowNs);
            }
        }
    }

    @Override
    public long counted(int counter, int queue) {
        if (counter >= counters) {
            Detector detector = detectors[queue];
            return detector == null ? 0 : detector.counted(counter - counters);
        }
        return switch (counter) {
            case MARKED -> marked[queue];
            case INCAPABLE -> incapable[queue];
            case UNDETERMINED -> undetermined[queue];
            default -> throw new IndexOutOfBoundsException(counter);
        };
    }
}
