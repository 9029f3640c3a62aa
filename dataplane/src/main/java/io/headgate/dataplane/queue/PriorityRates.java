package io.headgate.dataplane.queue;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.TrafficConfig;
import java.util.Arrays;

/**
 * Limits the rates of single priorities of an egress port, as configured or as the far end asks.
 * Each has a {@link Pacer}: bytes count as for the line rate, and bursts occur only when lateness
 * is made up. Owned by the port's egress half.
 */
public final class PriorityRates {
    /** Rate of a priority that may send at the line's rate. */
    public static final long UNRATED = Long.MAX_VALUE;

    private final Pacer[] pacers = new Pacer[PRIORITIES];

    // Those that have a limit, and those that have had one: what they start counts for the next.
    private int limited;
    private int paced;

    // What the configuration allows, and the far end: the lower one holds.
    private final long[] limitsBps = new long[PRIORITIES];
    private final long[] ratedBps = new long[PRIORITIES];

    /**
     * Creates limits for the eight priorities.
     *
     * @param rateLimitsBps bits per second, 0 for no limit
     * @param maxCatchUpNs maximum lateness that is made up while backlogged, in ns
     * @param wire bytes that a frame occupies
     */
    public PriorityRates(long[] rateLimitsBps, long maxCatchUpNs, WireFormat wire) {
        Arrays.setAll(pacers, _ -> new Pacer(Pacer.MAX_RATE_BPS, maxCatchUpNs, wire));
        Arrays.fill(ratedBps, UNRATED);
        limit(rateLimitsBps);
    }

    /** Changes the limits from now on; frames that have started count for them. */
    public void limit(long[] rateLimitsBps) {
        for (int priority = 0; priority < PRIORITIES; priority++) {
            long rateBps = rateLimitsBps[priority];
            limitsBps[priority] = rateBps == TrafficConfig.UNLIMITED ? UNRATED : rateBps;
            if (hold(priority)) {
                pacers[priority].rate(heldBps(priority));
            }
        }
    }

    /**
     * Applies the far end's rate for a priority from now on; a current wait becomes shorter or
     * longer, too.
     *
     * @param rateBps bits per second; {@link #UNRATED}: only its own limit holds
     */
    public void rate(long nowNs, int priority, long rateBps) {
        if (rateBps == ratedBps[priority]) {
            return;
        }
        ratedBps[priority] = rateBps;
        if (hold(priority)) {
            pacers[priority].rateFrom(nowNs, heldBps(priority));
        }
    }

    private long heldBps(int priority) {
        return Math.clamp(
                Math.min(limitsBps[priority], ratedBps[priority]),
                Pacer.MIN_RATE_BPS,
                Pacer.MAX_RATE_BPS);
    }

    /** Notes whether a priority has a limit, and returns it. */
    private boolean hold(int priority) {
        int bit = 1 << priority;
        if (limitsBps[priority] == UNRATED && ratedBps[priority] == UNRATED) {
            limited &= ~bit;
            return false;
        }
        limited |= bit;
        paced |= bit;
        return true;
    }

    public int limited() {
        return limited;
    }

    /** The priorities that may start a frame now. */
    public int eligible(long nowNs) {
        int mask = PriorityQueues.ALL;
        for (int rest = limited; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            if (!pacers[priority].mayStart(nowNs)) {
                mask &= ~(1 << priority);
            }
        }
        return mask;
    }

    /**
     * Notes that a frame of a priority starts; {@code waitingSinceNs} as for {@link Pacer#resume}.
     */
    public void start(long nowNs, int priority, int frameLengthBytes, long waitingSinceNs) {
        if ((paced >>> priority & 1) != 0) {
            Pacer pacer = pacers[priority];
            pacer.resume(nowNs, waitingSinceNs);
            pacer.start(frameLengthBytes);
        }
    }

    /**
     * The time at which the first of some priorities may start a frame again.
     *
     * @return {@link Long#MAX_VALUE} if none of them has a limit
     */
    public long nextStartNs(int priorities) {
        long next = Long.MAX_VALUE;
        for (int rest = limited & priorities; rest != 0; rest &= rest - 1) {
            next = Math.min(next, pacers[Integer.numberOfTrailingZeros(rest)].nextStartNs());
        }
        return next;
    }
}
