package io.headgate.dataplane.congestion;

import io.headgate.dataplane.congestion.TcdConfig.Trend;

/**
 * Detects whether a queue has grown within a period T. It is called at each look, and knows no
 * length before the first one. Owned by the egress half, which has one for each watched queue.
 *
 * <p>With consecutive periods ({@link Trend#PERIOD}) only a look that ends a period is compared,
 * with the one that began it, as in the simulator of TCD's authors. With a sliding period ({@link
 * Trend#SLIDING}) each look is compared with the queue length T before: at the last look that is so
 * old, or one up to T/62 before that. Kept looks are at least T/62 apart, and at most 64.
 */
final class QueueTrend {
    /** There was no look a period ago. */
    static final long UNKNOWN = Long.MAX_VALUE;

    /** Number of kept looks: those of a period, and one before it. */
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

    /**
     * @param by which looks are compared
     * @param periodNs the period T
     */
    QueueTrend(Trend by, long periodNs) {
        this.by = by;
        this.periodNs = periodNs;
        this.apartNs = periodNs / (KEPT - 2) + 1;
    }

    /** Forgets all looks; the next one is kept. */
    void forget() {
        looks = 0;
        old = 0;
        nextNs = Long.MIN_VALUE;
    }

    /** Takes over another trend's looks at the same queue, if it has the same kind of period. */
    void goOnFrom(QueueTrend before) {
        forget();
        for (int look = before.old; look < before.looks && before.by == by; look++) {
            look(before.atNs[look & MASK], before.bytes[look & MASK]);
        }
    }

    /**
     * Whether the queue is at least {@code byBytes} longer than a period ago.
     *
     * @param queuedBytes length of the queue now
     */
    boolean hasGrown(long nowNs, long queuedBytes, long byBytes) {
        long ago = aPeriodAgo(nowNs);
        boolean isKnown = ago != UNKNOWN;
        if (by == Trend.PERIOD && isKnown) {
            forget();
        }
        look(nowNs, queuedBytes);
        return isKnown && queuedBytes >= ago + byBytes;
    }

    /** Notes the present length of the queue. */
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

    /** Queue length a period ago, in bytes, or {@link #UNKNOWN}. Times never go back. */
    long aPeriodAgo(long nowNs) {
        long thenNs = nowNs - periodNs;
        while (old + 1 < looks && atNs[old + 1 & MASK] <= thenNs) {
            old++;
        }
        return old < looks && atNs[old & MASK] <= thenNs ? bytes[old & MASK] : UNKNOWN;
    }
}
