package io.headgate.hostagent.rate;

/**
 * How fast one flow may send, and how much of it may be under way. Owned by the sending host, which
 * asks after every call; a change holds from the next frame on ({@link #holdsForWaiting}). Any call
 * may change either, also to less than is under way.
 *
 * <p>Bytes are those of the wire: preamble, frame check sequence and gap are counted. Times are in
 * ns and never go back.
 */
public interface RateControl {
    /** The mark "congestion experienced" (RFC 3168). */
    int MARKED_CE = 2;

    /** The mark of a port that cannot tell whether it is congested (TCD). */
    int MARKED_UE = 4;

    /** {@link #windowBytes} where the flow has no window. */
    long NO_WINDOW = Long.MAX_VALUE;

    /**
     * The flow begins.
     *
     * @param lineRateBps of the host's link, in bits per second
     * @param frameBytes its largest frame
     */
    void begin(long nowNs, long lineRateBps, int frameBytes);

    /** A frame was sent. */
    default void sent(long nowNs, int wireBytes) {
        // It does not count them.
    }

    /**
     * The receiver says how far it has come.
     *
     * @param sample what that shows; it is filled again with the next one. Telemetry in it may be
     *     forged: what makes no sense is ignored ({@link Sample#ignore}), and counted
     */
    default void acknowledged(long nowNs, Sample sample) {
        // It does without.
    }

    /**
     * A congestion point on the flow's path has sent a notice: what {@link
     * io.headgate.dataplane.frame.Notice} carries, so that any of it may be forged. At most two
     * come from a point in {@link RateControlMechanism#noticePeriodNs}.
     *
     * @param kind the mechanism's, 16 bits
     * @param origin a number of its own for each congestion point
     * @param value the mechanism's, 48 bits
     * @return false if it is ignored, as what makes no sense must be: a rate of 0, or above the
     *     line's; it is counted
     */
    default boolean notified(long nowNs, int kind, long origin, long value) {
        return false;
    }

    /**
     * Whether a notice would have the flow send more slowly than it may now, so that it must not be
     * lost among others ({@link NoticeLimit}).
     */
    default boolean isSlowedBy(int kind, long value) {
        return false;
    }

    /** A frame is missing, or nothing was acknowledged for so long that one must be. */
    default void lost(long nowNs) {
        // It does without.
    }

    /**
     * Called at {@link #deadlineNs}, or as soon after it as may be; the next one is later. Answers
     * how much it did.
     */
    default int tick(long nowNs) {
        return 0;
    }

    /**
     * The time at which to call {@link #tick}; {@link Long#MAX_VALUE} for never. A field, not a
     * search.
     */
    default long deadlineNs() {
        return Long.MAX_VALUE;
    }

    /** The rate at which frames may follow each other, in bits per second, at least 1. */
    long rateBps();

    /**
     * Whether the rate that an acknowledgement brings is that at which the frame that waits follows
     * the last one, and not first that of the frame after it. So it is where a control is a delay
     * between frames, of which one at a time is under way.
     */
    default boolean holdsForWaiting() {
        return false;
    }

    /**
     * The congestion point that the flow follows at present, as the notice's origin; 0: none. For
     * people to see, and so that it is heard ({@link NoticeLimit}).
     */
    default long followed() {
        return 0;
    }

    /** How much may be under way without acknowledgement; {@link #NO_WINDOW}. */
    default long windowBytes() {
        return NO_WINDOW;
    }

    /**
     * Whether one that begins now would say the same, so that the flow may be forgotten. By
     * default: while it has no time of its own to wait for.
     */
    default boolean isIdle() {
        return deadlineNs() == Long.MAX_VALUE;
    }
}
