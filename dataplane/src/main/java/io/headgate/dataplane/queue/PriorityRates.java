package io.headgate.dataplane.queue;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.TrafficConfig;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Holds single priorities of an egress port to rates of their own, configured or asked for by the
 * far end, each by a {@link Pacer}, so counted as the line rate is and without bursts but for
 * lateness that is made up. Owned by the port's egress half.
 */
public final class PriorityRates {
    /** Of a priority that may send at the line's rate. */
    public static final long UNRATED = Long.MAX_VALUE;

    private final @Nullable Pacer[] pacers = new Pacer[PRIORITIES];
    private final long maxCatchUpNs;
    private final WireFormat wire;
    private int limited;

    // What the configuration allows, and the far end: the lower one holds.
    private final long[] limitsBps = new long[PRIORITIES];
    private final long[] ratedBps = new long[PRIORITIES];

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
        Arrays.fill(ratedBps, UNRATED);
        limit(rateLimitsBps);
    }

    /** Other limits from now on; what has started counts for them. */
    public void limit(long[] rateLimitsBps) {
        for (int priority = 0; priority < PRIORITIES; priority++) {
            long rateBps = rateLimitsBps[priority];
            limitsBps[priority] = rateBps == TrafficConfig.UNLIMITED ? UNRATED : rateBps;
            Pacer pacer = hold(priority);
            if (pacer != null) {
                pacer.rate(heldBps(priority));
            }
        }
    }

    /**
     * The far end rates a priority, from now on: also what it waits for is then less, or more.
     *
     * @param rateBps bits a second; {@link #UNRATED}: its own limit alone holds
     */
    public void rate(long nowNs, int priority, long rateBps) {
        if (rateBps == ratedBps[priority]) {
            return;
        }
        ratedBps[priority] = rateBps;
        Pacer pacer = hold(priority);
        if (pacer != null) {
            pacer.rateFrom(nowNs, heldBps(priority));
        }
    }

    private long heldBps(int priority) {
        return Math.clamp(
                Math.min(limitsBps[priority], ratedBps[priority]),
                Pacer.MIN_RATE_BPS,
                Pacer.MAX_RATE_BPS);
    }

    /** Notes whether a priority has a limit; answers what holds it to that, null if it has none. */
    private @Nullable Pacer hold(int priority) {
        if (limitsBps[priority] == UNRATED && ratedBps[priority] == UNRATED) {
            limited &= ~(1 << priority);
            return null;
        }
        limited |= 1 << priority;
        Pacer pacer = pacers[priority];
        if (pacer == null) {
            pacer = new Pacer(heldBps(priority), maxCatchUpNs, wire);
            pacers[priority] = pacer;
        }
        return pacer;
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
