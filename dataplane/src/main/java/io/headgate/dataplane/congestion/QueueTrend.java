package io.headgate.dataplane.congestion;

import io.headgate.dataplane.congestion.TcdConfig.Trend;

/**
 * Whether a queue has grown within a period T. It is asked at each look, and knows nothing of what
 * was before the first one. Owned by the egress half, which knows whose queue it is.
 *
 * <p>By periods that follow each other ({@link Trend#PERIOD}) only a look that ends one is
 * compared, with the one that began it, as in the simulator of TCD's authors. In a sliding period
 * ({@link Trend#SLIDING}) each look is compared with what the queue was T before: by the last look
 * that is so old, or one up to a 62nd of T before that. Looks are kept that are so far apart, 64 at
 * most.
 */
final class QueueTrend {
    /** There has been no look so long ago. */
    static final long UNKNOWN = Long.MAX_VALUE;

    /** Looks: those of a period, and one before it. */
    private static final int KEPT = 64;

    private static final int MASK = KEPT - 1;

    private final Trend by;
    private final long periodNs;
    private final long apartNs;
    private final long[] atNs = new long[KEPT];
    private final long[] bytes = new long[KEPT];
    private long nextNs = Long.MIN_VALUE;

    // Number of looks so far, and the last of those kept that is a period old.
    private int looks;
    private int old;

    QueueTrend(Trend by, long periodNs) {
        this.by = by;
        this.periodNs = periodNs;
        this.apartNs = periodNs / (KEPT - 2) + 1;
    }

    /** Forgets all; the next look is kept. */
    void forget() {
        looks = 0;
        old = 0;
        nextNs = Long.MIN_VALUE;
    }

    /** Takes over what another has seen of the same queue, if it looks at the same times. */
    void goOnFrom(QueueTrend before) {
        forget();
        for (int look = before.old; look < before.looks && before.by == by; look++) {
            look(before.atNs[look & MASK], before.bytes[look & MASK]);
        }
    }

    /** Whether the queue is at least {@code byBytes} longer than a period ago. */
    boolean hasGrown(long nowNs, long queuedBytes, long byBytes) {
        long ago = aPeriodAgo(nowNs);
        boolean isKnown = ago != UNKNOWN;
        if (by == Trend.PERIOD && isKnown) {
            forget();
        }
        look(nowNs, queuedBytes);
        return isKnown && queuedBytes >= ago + byBytes;
    }

    /** So long is the queue now. */
    void look(long nowNs, long queuedBytes) {
        if (nowNs < nextNs || (by == Trend.PERIOD && looks > 0)) {
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
