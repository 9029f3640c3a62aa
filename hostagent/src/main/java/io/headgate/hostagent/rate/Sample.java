package io.headgate.hostagent.rate;

/**
 * What one acknowledgement shows a {@link RateControl}. A connection has one and fills it again for
 * each acknowledgement: a control copies what it wants to keep. Owned by the sending host.
 */
public final class Sample {
    /** {@link #roundTripNs} of an acknowledgement that timed nothing. */
    public static final long NOT_TIMED = -1;

    private long ackedBytes;
    private long sentBytes;
    private int marks;
    private long roundTripNs = NOT_TIMED;

    /**
     * Fills it.
     *
     * @param acked as {@link #ackedBytes}
     * @param sent as {@link #sentBytes}
     * @param found as {@link #marks}
     * @param timedNs as {@link #roundTripNs}
     */
    public Sample set(long acked, long sent, int found, long timedNs) {
        ackedBytes = acked;
        sentBytes = sent;
        marks = found;
        roundTripNs = timedNs;
        return this;
    }

    /** All that the receiver has of the flow, on the wire, in bytes; never falls. */
    public long ackedBytes() {
        return ackedBytes;
    }

    /**
     * All that was sent of the flow so far, on the wire, in bytes; what was repeated counts once.
     */
    public long sentBytes() {
        return sentBytes;
    }

    /**
     * What was found in frames since the acknowledgement before: {@link RateControl#MARKED_CE},
     * {@link RateControl#MARKED_UE}; 0: none was marked.
     */
    public int marks() {
        return marks;
    }

    /**
     * Time from when a frame was sent until this acknowledgement of it; {@link #NOT_TIMED} if it
     * timed nothing, as after a frame that was sent twice, of which none can say which one was
     * acknowledged (Karn).
     */
    public long roundTripNs() {
        return roundTripNs;
    }

    /** Whether it timed a round trip that no sample has shown before. */
    public boolean isFresh() {
        return roundTripNs != NOT_TIMED;
    }
}
