package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.hostagent.rate.PacingWheel;

/**
 * The frames in transmission, in order: their slots stay taken until the last bit has left. Bounded
 * by what the wire takes: one frame and, because of the slack, one more.
 */
final class LeavingFrames {
    private static final int CAPACITY = 4;
    private static final int MASK = CAPACITY - 1;

    private final String link;
    private final Frame[] frames = new Frame[CAPACITY];
    private final long[] endPs = new long[CAPACITY];
    private int from;
    private int to;

    /** An empty list for one direction of a link. */
    LeavingFrames(String link) {
        this.link = link;
    }

    void add(Frame frame, long frameEndPs) {
        if (to - from == CAPACITY) {
            throw new IllegalStateException(link + " has more than " + CAPACITY + " frames");
        }
        frames[to & MASK] = frame;
        endPs[to & MASK] = frameEndPs;
        to++;
    }

    boolean haveLeft(long nowPs) {
        return from != to && endPs[from & MASK] <= nowPs;
    }

    /** Time at which the next frame leaves; {@link PacingWheel#NEVER} if all have left. */
    long nextPs(long nowPs) {
        for (int i = from; i != to; i++) {
            if (endPs[i & MASK] > nowPs) {
                return endPs[i & MASK];
            }
        }
        return PacingWheel.NEVER;
    }

    /** Time at which the first frame leaves or has left; there must be one. */
    long firstPs() {
        return endPs[from & MASK];
    }

    int take(long nowPs, Frame[] into, int limit) {
        int count = 0;
        while (count < limit && haveLeft(nowPs)) {
            into[count++] = frames[from & MASK];
            from++;
        }
        return count;
    }

    long fingerprint() {
        return NamedRandom.mix(from ^ ((long) to << 32));
    }
}
