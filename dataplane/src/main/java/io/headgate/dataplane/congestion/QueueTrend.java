package io.headgate.dataplane.congestion;

/**
 * How long a queue was a period T ago: by the last look at it that is so old, or one up to a 62nd
 * of T before that. Looks are kept that are so far apart, 64 at most. Owned by the egress half,
 * which knows whose queue it is.
 */
final class QueueTrend {
    /** There has been no look so long ago. */
    static final long UNKNOWN = Long.MAX_VALUE;

    /** Looks: those of a period, and one before it. */
    private static final int KEPT = 64;

    private static final int MASK = KEPT - 1;

    private final long periodNs;
    private final long apartNs;
    private final long[] atNs = new long[KEPT];
    private final long[] bytes = new long[KEPT];
    private long nextNs = Long.MIN_VALUE;

    // Of all looks kept so far: how many there were, and the last one that is a period old.
    private int looks;
    private int old;

    /**
     * @param periodNs T
     */
    QueueTrend(long periodNs) {
        this.periodNs = periodNs;
        this.apartNs = periodNs / (KEPT - 2) + 1;
    }

    /** Forgets all; the next look is kept. */
    void forget() {
        looks = 0;
        old = 0;
        nextNs = Long.MIN_VALUE;
    }

    /** Takes over what another has seen of the same queue. */
    void goOnFrom(QueueTrend before) {
        forget();
        for (int look = before.old; look < before.looks; look++) {
            look(before.atNs[look & MASK], before.bytes[look & MASK]);
        }
    }

    /** So long is the queue now. */
    void look(long nowNs, long queuedBytes) {
        if (nowNs < nextNs) {
            return;
        }
        atNs[looks & MASK] = nowNs;
        bytes[looks & MASK] = queuedBytes;
        looks++;
        old = Math.max(old, looks - KEPT);
        nextNs = nowNs + apartNs;
    }

    /** In bytes, or {@link #UNKNOWN}. Times never go back. */
    long aPeriodAgo(long nowNs) {
        long thenNs = nowNs - periodNs;
        while (old + 1 < looks && atNs[old + 1 & MASK] <= thenNs) {
            old++;
        }
        return old < looks && atNs[old & MASK] <= thenNs ? bytes[old & MASK] : UNKNOWN;
    }
}
