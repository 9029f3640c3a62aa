package io.headgate.dataplane.runner;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The last intervals of one worker: what it did, when that began, how long it took. The worker
 * alone adds, without allocating; any other thread may read what was there when it began to read.
 */
final class DutyRing {
    private final int[] whats;
    private final long[] startsNs;
    private final long[] durationsNs;
    private final AtomicLong added = new AtomicLong();

    /**
     * @param intervals most that are kept; more than one
     */
    DutyRing(int intervals) {
        whats = new int[intervals];
        startsNs = new long[intervals];
        durationsNs = new long[intervals];
    }

    void add(int what, long startNs, long durationNs) {
        long number = added.getPlain();
        int slot = (int) (number % whats.length);
        whats[slot] = what;
        startsNs[slot] = startNs;
        durationsNs[slot] = durationNs;
        // Pairs with the acquire in end: who sees the number sees the intervals.
        added.setRelease(number + 1);
    }

    /** How many were ever added. */
    long end() {
        return added.getAcquire();
    }

    /**
     * Number of the first interval that is kept, if the worker adds at most one more: that one may
     * be written now, over the oldest.
     */
    long first(long end) {
        return Math.max(0, end - whats.length + 1);
    }

    int what(long number) {
        return whats[(int) (number % whats.length)];
    }

    long startNs(long number) {
        return startsNs[(int) (number % whats.length)];
    }

    long durationNs(long number) {
        return durationsNs[(int) (number % whats.length)];
    }
}
