package io.headgate.dataplane.icc;

import java.util.Arrays;

/**
 * Estimates the number of recent flows by the hashes of their frames (linear counting: Whang et
 * al., "A Linear-Time Probabilistic Counting Algorithm for Database Applications", ACM TODS 15(2),
 * 1990). A flow counts for one to two windows after its last frame. The error is below 3 % for up
 * to 4,000 flows.
 */
final class FlowCount {
    private static final int BITS = 1 << 12;
    private static final int WORDS = BITS / Long.SIZE;

    private final long windowNs;
    private final long[] seen = new long[WORDS];
    private final long[] before = new long[WORDS];
    private int inSeen;
    private int inEither;
    private long endNs;

    FlowCount(long windowNs) {
        this.windowNs = windowNs;
        this.endNs = windowNs;
    }

    void arrived(long nowNs, int hash) {
        if (nowNs >= endNs) {
            next(nowNs);
        }
        int bit = (hash ^ hash >>> 16) & BITS - 1;
        long mask = 1L << bit;
        int word = bit / Long.SIZE;
        if ((seen[word] & mask) == 0) {
            seen[word] |= mask;
            inSeen++;
            inEither += (before[word] & mask) == 0 ? 1 : 0;
        }
    }

    /** Number of flows with a frame within the last window, or in the one before. */
    int flows(long nowNs) {
        if (nowNs >= endNs) {
            next(nowNs);
        }
        int empty = Math.max(1, BITS - inEither);
        return (int) StrictMath.round(BITS * StrictMath.log((double) BITS / empty));
    }

    private void next(long nowNs) {
        if (nowNs < endNs + windowNs) {
            System.arraycopy(seen, 0, before, 0, WORDS);
            inEither = inSeen;
        } else {
            Arrays.fill(before, 0);
            inEither = 0;
        }
        Arrays.fill(seen, 0);
        inSeen = 0;
        endNs = nowNs - nowNs % windowNs + windowNs;
    }

    void clear() {
        Arrays.fill(seen, 0);
        Arrays.fill(before, 0);
        inSeen = 0;
        inEither = 0;
    }
}
