package io.headgate.dataplane.linkcontrol;

import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.PriorityRates;
import java.lang.foreign.MemorySegment;

/**
 * The sending end of a link protocol at a port: obeys the far end, and makes the frames that are
 * sent to it, ahead of all data. Owned by the egress half.
 *
 * <p>Of several at a port a queue may send that each lets send; the order of the protocols is that
 * in which their frames leave. One may count blocks of data, and alone is asked as a {@link Gate}.
 */
public non-sealed interface LinkSender extends LinkEnd, Gate {

    // ---- data

    /**
     * Takes in what the receiving end has published, and ends stops that are over. Here alone, and
     * in {@link #linkChanged}, is that read: the receiving end may run on another thread, and what
     * it publishes next belongs to the next call. All other methods answer by what was taken in.
     *
     * @param queues those of the port
     */
    default void look(long nowNs, QueueFields queues) {
        // It stops none.
    }

    /**
     * Whether {@link #look} may find something new, though no time has come and only frames have
     * joined queues.
     */
    default boolean hasNews() {
        return true;
    }

    /** The queues that may send, but for blocks, when this was last looked at. */
    default int eligible() {
        return ~0;
    }

    /**
     * Whether it rates queues instead of stopping them: {@link #rateBps} is then asked after every
     * {@link #look}.
     */
    default boolean ratesQueues() {
        return false;
    }

    /**
     * The rate at which a queue may send, in bits per second on the wire, when this was last looked
     * at; less than {@link io.headgate.dataplane.queue.Pacer#MIN_RATE_BPS} counts as that. What may
     * not send at all is not {@link #eligible}.
     */
    default long rateBps(int queue) {
        return PriorityRates.UNRATED;
    }

    /** How long it has stopped queues: the same object each time. */
    default StopTimes stops() {
        return NEVER_STOPPED;
    }

    /** The {@link #stops} of who stops no queue: shared by all, and so never written. */
    StopTimes NEVER_STOPPED = new StopTimes();

    /** When a queue that it has stopped may send without anything else. */
    default long dataDeadlineNs() {
        return Long.MAX_VALUE;
    }

    /** Times that the far end has asked for a queue to be stopped, however it said so. */
    default long stopsAsked(int queue) {
        return stops().stops(queue);
    }

    /**
     * Queues were emptied by other means than sending: what has stopped them because a frame of
     * theirs could not go stops them no longer.
     */
    default void emptied(long nowNs, int queues) {
        // It stops queues whether they have frames or not.
    }

    /**
     * Frames of these queues are dropped as they come: the far end must not be asked for anything
     * because of them.
     */
    default void dropping(int queues) {
        // What it asks for does not depend on it.
    }

    // ---- frames

    /** Whether a frame is due. */
    boolean isDue(long nowNs);

    /** When one is due, unless something changes before. */
    long deadlineNs();

    /**
     * Writes the frame that is due and takes it as sent. Called once {@link #isDue} has said so,
     * after the same {@link #look}.
     *
     * @param presentNs when it is made; it leaves no earlier
     * @param frame where in the segment there is room for {@link #MAX_FRAME_BYTES}
     * @param source the port's MAC address
     * @return its length in bytes
     */
    int write(long presentNs, MemorySegment segment, long frame, long source);

    /** Most bytes that a frame may have. */
    int MAX_FRAME_BYTES = 128;

    // ---- the one that counts blocks

    /** Bytes that a queue may still send; {@link Long#MAX_VALUE} if it does not count them. */
    default long creditBytes(int queue) {
        return Long.MAX_VALUE;
    }
}
