package io.headgate.dataplane.linkcontrol;

import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.PriorityRates;
import java.lang.foreign.MemorySegment;

/**
 * The sending end of a link protocol at a port: obeys the far end, and makes the frames for it,
 * which are sent before all data. Owned by the egress half.
 *
 * <p>With several protocols at a port, a queue may send only if each of them allows it. Their
 * frames leave in the order of the protocols. One of them may count blocks of data, and only that
 * one is used as a {@link Gate}.
 */
public non-sealed interface LinkSender extends LinkEnd, Gate {

    // ---- data

    /**
     * Reads the state that the receiving end has published, and ends stops that are over. Only this
     * method and {@link #linkChanged} read it: the receiving end may run on another thread, and its
     * next values belong to the next call. All other methods use the values read here.
     *
     * @param queues the port's queues
     */
    default void look(long nowNs, QueueFields queues) {
        // It stops none.
    }

    /**
     * Whether {@link #look} may find news although no deadline has passed and frames have only
     * joined queues.
     */
    default boolean hasNews() {
        return true;
    }

    /** The queues that may send, without regard to blocks, as of the last {@link #look}. */
    default int eligible() {
        return ~0;
    }

    /**
     * Whether it limits the rates of queues instead of stopping them: {@link #rateBps} is then read
     * after every {@link #look}.
     */
    default boolean ratesQueues() {
        return false;
    }

    /**
     * The rate at which a queue may send, in bits per second on the wire, as of the last {@link
     * #look}; less than {@link io.headgate.dataplane.queue.Pacer#MIN_RATE_BPS} counts as that. A
     * queue that may not send at all is not {@link #eligible}.
     */
    default long rateBps(int queue) {
        return PriorityRates.UNRATED;
    }

    /** The times for which it has stopped queues: the same object each time. */
    default StopTimes stops() {
        return NEVER_STOPPED;
    }

    /** The {@link #stops} of a sender that stops no queue: shared, and so never written. */
    StopTimes NEVER_STOPPED = new StopTimes();

    /** The time at which a queue that it has stopped may send without other events. */
    default long dataDeadlineNs() {
        return Long.MAX_VALUE;
    }

    /** Number of the far end's requests to stop a queue, in any form. */
    default long stopsAsked(int queue) {
        return stops().stops(queue);
    }

    /**
     * Notes that queues were emptied by other means than sending. Ends stops that began because the
     * first frame could not start.
     */
    default void emptied(long nowNs, int queues) {
        // It stops queues whether they have frames or not.
    }

    /**
     * Notes that frames of these queues are dropped on arrival: they must cause no request to the
     * far end.
     */
    default void dropping(int queues) {
        // What it asks for does not depend on it.
    }

    // ---- frames

    /** Whether a frame is due. */
    boolean isDue(long nowNs);

    /** The time at which a frame is due, unless the state changes before. */
    long deadlineNs();

    /**
     * Writes the frame that is due and counts it as sent. Called after {@link #isDue} returned
     * true, after the same {@link #look}.
     *
     * @param presentNs time at which it is made; it leaves no earlier
     * @param frame offset in the segment with room for {@link #MAX_FRAME_BYTES}
     * @param source the port's MAC address
     * @return its length in bytes
     */
    int write(long presentNs, MemorySegment segment, long frame, long source);

    /** Maximum length of a frame in bytes. */
    int MAX_FRAME_BYTES = 128;

    // ---- the one that counts blocks

    /** Bytes that a queue may still send; {@link Long#MAX_VALUE} if it does not count them. */
    default long creditBytes(int queue) {
        return Long.MAX_VALUE;
    }
}
