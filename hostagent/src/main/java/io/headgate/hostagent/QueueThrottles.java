package io.headgate.hostagent;

import io.headgate.hostagent.rate.FlowShaper;

/**
 * Throttles the senders of each queue of a TAP as the flows in it need: when a flow's list of
 * frames is long, the senders are limited to half of the rate at which frames leave, until the list
 * is short again. The flows' rates change meanwhile, so the limit is adjusted every {@link
 * #LOOK_NS}. Owned by the side that receives from the TAP.
 */
final class QueueThrottles {
    /** Interval after which the rate of a throttled queue is checked again. */
    static final long LOOK_NS = 10_000_000;

    /** Only a change by more than this factor is passed on, since each costs a system call. */
    private static final int FACTOR = 2;

    private final Throttle throttle;
    private final boolean[] throttled;
    private final long[] atBps;
    private final long[] lookNs;

    QueueThrottles(int queues, Throttle throttle) {
        this.throttle = throttle;
        this.throttled = new boolean[queues];
        this.atBps = new long[queues];
        this.lookNs = new long[queues];
    }

    /** Sets the limit that the senders of a queue need now. */
    void turn(FlowShaper flows, long nowNs, int queue) {
        boolean full = flows.isHeld(queue);
        if (full == throttled[queue] && (!full || nowNs < lookNs[queue])) {
            return;
        }
        long rightBps = full ? flows.throttledRateBps(queue) : Throttle.OPEN;
        lookNs[queue] = nowNs + LOOK_NS;
        // A rate may fall far below what fills lists, and rise far above what keeps them filled.
        long before = atBps[queue];
        if (full != throttled[queue] || rightBps > before * FACTOR || rightBps < before / FACTOR) {
            throttled[queue] = full;
            atBps[queue] = rightBps;
            throttle.throttle(queue, rightBps);
        }
    }
}
