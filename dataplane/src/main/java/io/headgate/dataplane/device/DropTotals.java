package io.headgate.dataplane.device;

import io.headgate.dataplane.frame.TcpSegments;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import java.util.Arrays;

/**
 * Frames that a device has dropped since it was opened, by reason, and its other frame counters.
 * Reused, so that reading allocates nothing.
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

    /** Adds all counters of another instance. */
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

    /** Adds frames that the kernel counts as dropped although they were received. */
    public void addUnhandled(long count) {
        unhandled += count;
    }

    /** Frames added by {@link #addUnhandled}. */
    public long unhandled() {
        return unhandled;
    }

    /** Adds frames that faults changed, delayed or repeated, but did not lose. */
    public void addFaults(long corruptedFrames, long lateFrames, long repeatedFrames) {
        corrupted += corruptedFrames;
        late += lateFrames;
        repeated += repeatedFrames;
    }

    /** Frames in which faults flipped bits. */
    public long corrupted() {
        return corrupted;
    }

    /** Frames that faults delayed, so that later ones could overtake them. */
    public long late() {
        return late;
    }

    /** Frames that faults repeated. */
    public long repeated() {
        return repeated;
    }

    /**
     * Counts a frame that has passed the device in this direction, if it stands for several TCP
     * segments.
     */
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

    /** Number of segments in {@link #wholeFrames}. */
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
