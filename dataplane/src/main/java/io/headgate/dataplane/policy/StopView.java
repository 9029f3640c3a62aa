package io.headgate.dataplane.policy;

/**
 * A view of the queues of a port that the far end of its link has stopped, by pauses or lack of
 * credits, and of the times at which stops ended. Times are the engine's, in ns.
 */
public interface StopView {

    /** A time far in the past, but not so far that differences wrap. */
    long LONG_AGO_NS = Long.MIN_VALUE / 2;

    /** The view of a port that is never stopped. */
    StopView NEVER = new StopView() {};

    /**
     * The queues that are stopped, as a mask. A queue without credits counts as stopped from the
     * time at which its first frame could have started with credits.
     */
    default int stopped() {
        return 0;
    }

    /**
     * The exact time at which the last stop of a queue ended: when its pause ran out, or when a
     * frame came that resumed it or granted the credits for its first frame, even if the wire was
     * busy. {@link #LONG_AGO_NS} if it was never stopped.
     */
    default long endedNs(int queue) {
        return LONG_AGO_NS;
    }

    /** Bytes that a queue may still send by its credits; {@link Long#MAX_VALUE} without any. */
    default long creditBytes(int queue) {
        return Long.MAX_VALUE;
    }
}
