package io.headgate.dataplane.queue;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import org.jspecify.annotations.Nullable;

/**
 * Holds single priorities of an egress port to rates of their own, each by a {@link Pacer}, so
 * counted as the line rate is and without bursts but for lateness that is made up. Owned by the
 * port's egress half.
 */
public final class PriorityRates {
    private final @Nullable Pacer[] pacers = new Pacer[PRIORITIES];
    private final long maxCatchUpNs;
    private final WireFormat wire;
    private int limited;

    /**
     * Limits for the eight priorities.
     *
     * @param rateLimitsBps bits a second, 0 for no limit
     * @param maxCatchUpNs most lateness that is made up while backlogged, in ns
     * @param wire what a frame occupies
     */
    public PriorityRates(long[] rateLimitsBps, long maxCatchUpNs, WireFormat wire) {
        this.maxCatchUpNs = maxCatchUpNs;
        this.wire = wire;
        limit(rateLimitsBps);
    }

    /** Other limits from now on; what has started counts for them. */
    public void limit(long[] rateLimitsBps) {
        limited = 0;
        for (int priority = 0; priority < PRIORITIES; priority++) {
            long rateBps = rateLimitsBps[priority];
            Pacer pacer = pacers[priority];
            if (rateBps == 0) {
                pacers[priority] = null;
                continue;
            }
            limited |= 1 << priority;
            if (pacer == null) {
                pacers[priority] = new Pacer(rateBps, maxCatchUpNs, wire);
            } else {
                pacer.rate(rateBps);
            }
        }
    }

    /** The priorities that have a limit. */
    public int limited() {
        return limited;
    }

    /** The priorities that may start a frame now. */
    public int eligible(long nowNs) {
        int mask = PriorityQueues.ALL;
        for (int rest = limited; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            Pacer pacer = pacers[priority];
            if (pacer != null && !pacer.mayStart(nowNs)) {
                mask &= ~(1 << priority);
            }
        }
        return mask;
    }

    /**
     * Notes that a frame of a priority starts; {@code waitingSinceNs} as for {@link Pacer#resume}.
     */
    public void start(long nowNs, int priority, int frameLengthBytes, long waitingSinceNs) {
        Pacer pacer = pacers[priority];
        if (pacer != null) {
            pacer.resume(nowNs, waitingSinceNs);
            pacer.start(frameLengthBytes);
        }
    }

    /**
     * When the first of some priorities may start a frame again.
     *
     * @return {@link Long#MAX_VALUE} if none of them has a limit
     */
    public long nextStartNs(int priorities) {
        long next = Long.MAX_VALUE;
        for (int rest = limited & priorities; rest != 0; rest &= rest - 1) {
            Pacer pacer = pacers[Integer.numberOfTrailingZeros(rest)];
            if (pacer != null) {
                next = Math.min(next, pacer.nextStartNs());
            }
        }
        return next;
    }
}
