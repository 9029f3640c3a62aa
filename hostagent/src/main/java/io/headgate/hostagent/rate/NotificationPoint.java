package io.headgate.hostagent.rate;

/** What a receiver tells the sender of a flow about marks. Owned by the receiving host. */
@FunctionalInterface
public interface NotificationPoint {

    /** Tells of each mark with the acknowledgement of the frame that carried it. */
    NotificationPoint ECHO = (nowNs, marks, wireBytes) -> marks;

    /**
     * A frame of the flow arrived.
     *
     * @param marks {@link RateControl#MARKED_CE}, {@link RateControl#MARKED_UE}; 0: none
     * @return the marks of which the sender is told now, by its acknowledgement unless {@link
     *     #sendsPackets}; 0: none
     */
    int arrived(long nowNs, int marks, int wireBytes);

    /** Whether it tells by packets of its own ({@link io.headgate.dataplane.frame.Cnp}). */
    default boolean sendsPackets() {
        return false;
    }

    /** Called at {@link #deadlineNs}; answers the marks of which the sender is told now. */
    default int tick(long nowNs) {
        return 0;
    }

    /** When {@link #tick} is to be called; {@link Long#MAX_VALUE} for never. A field. */
    default long deadlineNs() {
        return Long.MAX_VALUE;
    }
}
