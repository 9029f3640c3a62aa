package io.headgate.dataplane.detour;

import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.linkcontrol.LinkSender;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import org.jspecify.annotations.Nullable;

/**
 * A way for frames past the queues of an egress port: takes frames out of the queues or as they
 * come, holds them in a side queue of its own, and starts them ahead of the queues. As a {@link
 * LinkSender} it also speaks with the far end, and is called at its {@link #deadlineNs}. Owned by
 * the egress half; null for a port without a detour.
 *
 * <p>While a frame is here, {@link Frame#detour} belongs to the detour alone; it is 0 once the
 * frame has left. A frame that it takes out of a queue is shown to the congestion point as removed;
 * what starts from the side queue is shown to none. While the link is down nothing waits in the
 * side queue.
 */
public interface FrameDetour extends LinkSender {

    // ---- before anything starts

    /**
     * Moves the frames that are due to move, after link control was looked at and before anything
     * starts; returns how many were moved. Bounded: the rest is due at once ({@link #isBehind}).
     *
     * @param eligible the queues that are not stopped
     * @param point is notified of each frame that is taken out of its queue
     */
    int run(long nowNs, Queues queues, int eligible, @Nullable CongestionPoint point);

    /** Whether {@link #run} would have done more, had there been less to do. */
    default boolean isBehind() {
        return false;
    }

    /**
     * A frame that {@link #run} has taken out of its queue to be dropped, to end a deadlock, each
     * once; null if there is none left. Asked whenever {@code run} has done anything.
     */
    default @Nullable Frame lost() {
        return null;
    }

    // ---- frames come

    /**
     * Frames have come, ordinary ones and others; they have the form in which they leave, and join
     * queues next.
     *
     * @return whether any of them came by a detour: each of these is then given to {@link
     *     #joinsQueues}
     */
    default boolean arrived(Frame[] frames, int from, int to) {
        return false;
    }

    /**
     * A frame that came by a detour ({@link Frame#detour} is not 0) is next; those that came before
     * it are in their queues.
     *
     * @return whether it joins the queues, as the last; otherwise it is the detour's
     */
    default boolean joinsQueues(
            long nowNs, Frame frame, Queues queues, @Nullable CongestionPoint point) {
        return true;
    }

    // ---- frames leave

    /**
     * Takes frames of the side queue that start now, while the pacer lets them: ahead of all
     * others, and though their queues are stopped.
     *
     * @return index behind the last that was put into {@code into} from {@code from} on
     */
    default int dequeue(long nowNs, Pacer pacer, Frame[] into, int from) {
        return from;
    }

    /** Frames of the queues start, behind those of the side queue; there may be none. */
    default void started(Frame[] frames, int from, int to) {
        // It holds no frames of its own.
    }

    /** A frame leaves the port by being dropped. */
    default void left(Frame frame) {
        frame.detour = 0;
    }

    /** Takes a frame of the side queue, without its having started; null if none waits. */
    default @Nullable Frame drain() {
        return null;
    }

    /** Frames that wait in the side queue. */
    default int frames() {
        return 0;
    }

    /** Their bytes. */
    default long bytes() {
        return 0;
    }
}
