package io.headgate.dataplane.device;

import io.headgate.dataplane.memory.DropReason;
import java.util.Arrays;

/** Frames dropped by a device since it was opened, by reason. Reused, so reading costs nothing. */
public final class DropTotals {
    private final long[] frames = new long[DropReason.COUNT];

    public void add(DropReason reason, long count) {
        frames[reason.ordinal()] += count;
    }

    /** Adds all of another's. */
    public void add(DropTotals others) {
        for (int reason = 0; reason < frames.length; reason++) {
            frames[reason] += others.frames[reason];
        }
    }

    public long get(DropReason reason) {
        return frames[reason.ordinal()];
    }

    public void clear() {
        Arrays.fill(frames, 0);
    }
}
