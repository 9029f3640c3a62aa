package io.headgate.dataplane.congestion;

import io.headgate.dataplane.counter.CounterId.Kind;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.QueueFields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A congestion point that asks a {@link Detector} for each priority, and marks what it says: the
 * only code that writes marks.
 */
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

    private final QueueFields fields;
    private final @Nullable Detector[] detectors;
    private final int queues;
    private final long[] marked;
    private final long[] incapable;

    // Of each queue: what waits behind the frame that is looked at.
    private final long[] behindBytes;

    /**
     * @param fields the port's queues
     * @param detectors one for each queue; null: it is not watched
     */
    public MarkingPoint(QueueFields fields, @Nullable Detector[] detectors) {
        this.fields = fields;
        this.detectors = detectors.clone();
        int mask = 0;
        for (int queue = 0; queue < detectors.length; queue++) {
            mask |= detectors[queue] == null ? 0 : 1 << queue;
        }
        this.queues = mask;
        this.marked = new long[detectors.length];
        this.incapable = new long[detectors.length];
        this.behindBytes = new long[detectors.length];
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
        if (to - from == 1) {
            Frame frame = frames[from];
            Detector detector = detectors[frame.priority];
            if (detector != null) {
                ask(nowNs, detector, frame, fields.bytes(frame.priority));
            }
            return;
        }
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
        if ((seen & queues) == 0) {
            return;
        }
        for (int i = from; i < to; i++) {
            Frame frame = frames[i];
            int queue = frame.priority;
            long behind = behindBytes[queue] - frame.lengthBytes;
            behindBytes[queue] = behind;
            Detector detector = detectors[queue];
            if (detector != null) {
                ask(nowNs, detector, frame, behind);
            }
        }
    }

    private void ask(long nowNs, Detector detector, Frame frame, long behind) {
        if (detector.started(nowNs, frame.lengthBytes, behind)) {
            if (EcnMark.write(frame)) {
                marked[frame.priority]++;
            } else {
                incapable[frame.priority]++;
            }
        }
    }

    @Override
    public void removed(long nowNs, Frame frame) {
        // As in enqueued.
    }

    @Override
    public void reset(long nowNs) {
        for (Detector detector : detectors) {
            if (detector != null) {
                detector.reset(nowNs);
            }
        }
    }

    @Override
    public long counted(int counter, int queue) {
        return counter == 0 ? marked[queue] : incapable[queue];
    }
}
