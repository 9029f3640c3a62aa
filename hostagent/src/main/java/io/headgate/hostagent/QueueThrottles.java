package io.headgate.hostagent;

import io.headgate.hostagent.rate.FlowShaper;

/**
 * Throttles the senders of each queue of a TAP as the flows in it need: when a flow's list of
 * frames is long they are turned down to half of what leaves, until it is short again. Meanwhile
 * the flows' rates change, and what is half of them is seen to every {@link #LOOK_NS}. Owned by the
 * side that receives from the TAP.
 */
final class QueueThrottles {
    /** After so long it is seen whether a throttled queue has the right rate. */
    static final long LOOK_NS = 10_000_000;

    /** A change is passed on if it is by more than this factor: each is a call of the kernel. */
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

    /** Throttles the senders of a queue as is right now. */
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
