package io.headgate.dataplane.device;

import io.headgate.dataplane.memory.DropReason;
import java.util.Arrays;

/** Frames dropped by a device since it was opened, by reason. Reused, so reading costs nothing. */
public final class DropTotals {
    private final long[] frames = new long[DropReason.COUNT];
    private long unhandled;

    public void add(DropReason reason, long count) {
        frames[reason.ordinal()] += count;
    }

    /** Adds all of another's. */
    public void add(DropTotals others) {
        for (int reason = 0; reason < frames.length; reason++) {
            frames[reason] += others.frames[reason];
        }
        unhandled += others.unhandled;
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

    public void clear() {
        Arrays.fill(frames, 0);
        unhandled = 0;
    }
}
