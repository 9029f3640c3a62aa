package io.headgate.hostagent.rate;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.Cnp;

/**
 * Decides at the receiver of a flow what is reported to the sender about marks. Owned by the
 * receiving host.
 *
 * <p>Telemetry records do not pass through here: the records that a packet's sink noted go back
 * with its acknowledgement ({@link HopEcho}), and the sender's control judges them. None of the
 * controls has a receiver that decides by records.
 */
@FunctionalInterface
public interface NotificationPoint {

    /** Reports each mark with the acknowledgement of the frame that carried it. */
    NotificationPoint ECHO = (nowNs, marks, wireBytes) -> marks;

    /**
     * Encodes marks as RoCEv2's packets carry them, both acknowledgements and {@link Cnp}: in the
     * byte of the base transport header that has FECN and BECN.
     */
    static int congestion(int marks) {
        return ((marks & RateControl.MARKED_CE) != 0 ? Cnp.CONGESTED : 0)
                | ((marks & RateControl.MARKED_UE) != 0 ? Cnp.UNDETERMINED : 0);
    }

    /** The marks that switches have written into that byte of a packet on its way. */
    static int marksOnTheWay(int congestion) {
        return ((congestion & Bth.FECN) != 0 ? RateControl.MARKED_CE : 0)
                | ((congestion & Cnp.UNDETERMINED) != 0 ? RateControl.MARKED_UE : 0);
    }

    /** The marks that such a byte reports. */
    static int marks(int congestion) {
        return ((congestion & Cnp.CONGESTED) != 0 ? RateControl.MARKED_CE : 0)
                | ((congestion & Cnp.UNDETERMINED) != 0 ? RateControl.MARKED_UE : 0);
    }

    /**
     * The value by which a {@link Cnp} becomes a notice ({@link RateControl#notified}).
     *
     * @param marks {@link RateControl#MARKED_CE}, {@link RateControl#MARKED_UE}
     * @param arrivedBps as {@link #arrivedBps}; any sender may have forged it
     */
    static long value(int marks, long arrivedBps) {
        long kbps = Math.clamp(arrivedBps / BPS_PER_KBPS, 0, MOST_KBPS);
        return marks | kbps << MARK_BITS;
    }

    /** The rate in such a value, in bits per second; 0: the value has no rate. */
    static long arrivedBps(long value) {
        return (value >>> MARK_BITS & MOST_KBPS) * BPS_PER_KBPS;
    }

    /** Number of bits for marks in such a value, below the rate. */
    int MARK_BITS = Byte.SIZE;

    /** The largest rate in such a value, in 40 bits. */
    long MOST_KBPS = (1L << 40) - 1;

    /** Unit of the rate in such a value. */
    long BPS_PER_KBPS = 1_000;

    /**
     * A frame of the flow arrived.
     *
     * @param marks {@link RateControl#MARKED_CE}, {@link RateControl#MARKED_UE}; 0: none
     * @return the marks of which the sender is notified now, by its acknowledgement unless {@link
     *     #sendsPackets}; 0: none
     */
    int arrived(long nowNs, int marks, int wireBytes);

    /** The rate at which frames arrived, which its packets also report; 0: they do not. */
    default long arrivedBps() {
        return 0;
    }

    /** Whether it reports by separate packets ({@link Cnp}). */
    default boolean sendsPackets() {
        return false;
    }

    /**
     * A packet that reports marks has left the card. A spacing between packets counts from here:
     * counted from the decision, it would not hold for a packet whose worker was delayed in
     * between.
     *
     * @param nowNs time read after it left
     */
    default void left(long nowNs) {
        // It promises no spacing.
    }

    /** Called at {@link #deadlineNs}; returns the marks of which the sender is notified now. */
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
}
