package io.headgate.dataplane.runner;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The last work intervals of one worker, each with its kind, start time and duration. Only the
 * worker adds, without allocation; any other thread may read the intervals that were there when it
 * began to read.
 */
final class DutyRing {
    private final int[] whats;
    private final long[] startsNs;
    private final long[] durationsNs;
    private final AtomicLong added = new AtomicLong();

    /**
     * @param intervals maximum number of kept intervals; more than one
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

    /** Number of intervals that were ever added. */
    long end() {
        return added.getAcquire();
    }

    /**
     * Number of the first valid interval. The worker may be writing one more now, over the oldest,
     * so that one is left out.
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
