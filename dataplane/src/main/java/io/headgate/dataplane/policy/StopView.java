package io.headgate.dataplane.policy;

/**
 * Which queues of a port the far end of its link has stopped, by pauses or lack of credits, and
 * when the stops end. Times are the engine's, in ns.
 */
public interface StopView {

    /** Far from any present time, and yet not so far that differences wrap. */
    long LONG_AGO_NS = Long.MIN_VALUE / 2;

    /** The view of a port that is never stopped. */
    StopView NEVER = new StopView() {};

    /**
     * The queues that are stopped, as a mask. A queue without credits counts from when its first
     * frame could have started but for them.
     */
    default int stopped() {
        return 0;
    }

    /**
     * When the last stop of a queue ended, exactly: when its pause ran out, or when the frame came
     * that resumed it or granted what its first frame needs, though the wire was busy. {@link
     * #LONG_AGO_NS} if it was never stopped.
     */
    default long endedNs(int queue) {
        return LONG_AGO_NS;
    }

    /** Bytes that a queue may still send by its credits; {@link Long#MAX_VALUE} without any. */
    default long creditBytes(int queue) {
        return Long.MAX_VALUE;
    }
}
