package io.headgate.hostagent.rate;

/**
 * The reaction point of one flow: sets its rate, and its window of bytes that may be under way.
 * Owned by the sending host, which asks for both after every call; a change applies from the next
 * frame on ({@link #holdsForWaiting}). Any call may change either, also to a window smaller than
 * the bytes under way.
 *
 * <p>Bytes are those of the wire: preamble, frame check sequence and gap are counted. Times are in
 * ns and never go back.
 */
public interface RateControl {
    /** The mark "congestion experienced" (RFC 3168). */
    int MARKED_CE = 2;

    /** The mark of a port that cannot tell whether it is congested (TCD). */
    int MARKED_UE = 4;

    /** Value of {@link #windowBytes} if the flow has no window. */
    long NO_WINDOW = Long.MAX_VALUE;

    /**
     * The flow begins.
     *
     * @param lineRateBps rate of the host's link, in bits per second
     * @param frameBytes its largest frame
     */
    void begin(long nowNs, long lineRateBps, int frameBytes);

    /** A frame was sent. */
    default void sent(long nowNs, int wireBytes) {
        // It does not count them.
    }

    /**
     * An acknowledgement has arrived.
     *
     * @param sample the content of the acknowledgement; the object is reused for the next one.
     *     Telemetry in it may be forged: senseless values are ignored ({@link Sample#ignore}), and
     *     counted
     */
    default void acknowledged(long nowNs, Sample sample) {
        // It does without.
    }

    /**
     * A congestion point on the flow's path has sent a notice: the content of a {@link
     * io.headgate.dataplane.frame.Notice}, any of which may be forged. At most two per point are
     * passed on in {@link RateControlMechanism#noticePeriodNs}.
     *
     * @param kind the mechanism's, 16 bits
     * @param origin a number of its own for each congestion point
     * @param value the mechanism's, 48 bits
     * @return false if it is ignored and counted, as senseless values must be: a rate of 0, or
     *     above the line's
     */
    default boolean notified(long nowNs, int kind, long origin, long value) {
        return false;
    }

    /**
     * Whether a notice would slow the flow down further, so that it must not be lost among others
     * ({@link NoticeLimit}).
     */
    default boolean isSlowedBy(int kind, long value) {
        return false;
    }

    /** A frame is missing, or there was no acknowledgement for so long that one must be missing. */
    default void lost(long nowNs) {
        // It does without.
    }

    /**
     * Called at {@link #deadlineNs}, or as soon as possible after it; the next deadline is later.
     * Returns the amount of work.
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
     * Whether a rate that an acknowledgement changes already applies to the waiting frame, and not
     * only to the frame after it. This is so for a control that is a delay between frames, with one
     * frame under way at a time.
     */
    default boolean holdsForWaiting() {
        return false;
    }

    /**
     * The congestion point that the flow follows at present, as the notice's origin; 0: none. Shown
     * to people; also lets {@link NoticeLimit} accept its notices.
     */
    default long followed() {
        return 0;
    }

    /** Maximum number of bytes under way without acknowledgement; or {@link #NO_WINDOW}. */
    default long windowBytes() {
        return NO_WINDOW;
    }

    /**
     * Whether it equals a control that begins now, so that the flow may be forgotten. By default:
     * while it has no deadline.
     */
    default boolean isIdle() {
        return deadlineNs() == Long.MAX_VALUE;
    }
}
