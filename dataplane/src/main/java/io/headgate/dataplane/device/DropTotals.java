package io.headgate.dataplane.device;

import io.headgate.dataplane.frame.TcpSegments;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import java.util.Arrays;

/**
 * Frames dropped by a device since it was opened, by reason, and what else it counts of frames.
 * Reused, so reading costs nothing.
 */
public final class DropTotals {
    private final long[] frames = new long[DropReason.COUNT];
    private long unhandled;
    private long corrupted;
    private long late;
    private long repeated;
    private long wholeFrames;
    private long wholeSegments;

    public void add(DropReason reason, long count) {
        frames[reason.ordinal()] += count;
    }

    /** Adds all of another's. */
    public void add(DropTotals others) {
        for (int reason = 0; reason < frames.length; reason++) {
            frames[reason] += others.frames[reason];
        }
        unhandled += others.unhandled;
        addFaults(others.corrupted, others.late, others.repeated);
        wholeFrames += others.wholeFrames;
        wholeSegments += others.wholeSegments;
    }

    public long get(DropReason reason) {
        return frames[reason.ordinal()];
    }

    /** Frames that the kernel counts as dropped, and that were received all the same. */
    public void addUnhandled(long count) {
        unhandled += count;
    }

    /** {@link #addUnhandled}. */
    public long unhandled() {
        return unhandled;
    }

    /** What faults did to frames that were not lost by it. */
    public void addFaults(long corruptedFrames, long lateFrames, long repeatedFrames) {
        corrupted += corruptedFrames;
        late += lateFrames;
        repeated += repeatedFrames;
    }

    /** Frames that faults flipped bits of. */
    public long corrupted() {
        return corrupted;
    }

    /** Frames that faults held up, so that later ones could overtake them. */
    public long late() {
        return late;
    }

    /** Frames that faults made come once more. */
    public long repeated() {
        return repeated;
    }

    /** A frame has passed the device in this direction; it may stand for several TCP segments. */
    public void notePassed(Frame frame) {
        if (frame.segmentBytes != 0) {
            wholeFrames++;
            wholeSegments += TcpSegments.count(frame);
        }
    }

    /** Frames that have passed and stood for several TCP segments each. */
    public long wholeFrames() {
        return wholeFrames;
    }

    /** How many segments these were. */
    public long wholeSegments() {
        return wholeSegments;
    }

    public void clear() {
        wholeFrames = 0;
        wholeSegments = 0;
        Arrays.fill(frames, 0);
        unhandled = 0;
        corrupted = 0;
        late = 0;
        repeated = 0;
    }
}
