package io.headgate.dataplane.congestion;

/** The state of one priority at one port, which decides about marks and knows no frames. */
public interface Detector {

    /**
     * A frame starts.
     *
     * @param frameBytes its length
     * @param behindBytes what waits behind it in its queue
     * @return whether it is to be marked as having experienced congestion
     */
    boolean started(long nowNs, int frameBytes, long behindBytes);

    /** The queue is empty, and what was seen of it says nothing of what comes. */
    void reset(long nowNs);
}
