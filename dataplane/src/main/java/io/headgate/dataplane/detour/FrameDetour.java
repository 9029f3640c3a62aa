package io.headgate.dataplane.detour;

import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.linkcontrol.LinkSender;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import org.jspecify.annotations.Nullable;

/**
 * A detour past the queues of an egress port: takes frames out of the queues or when they arrive,
 * holds them in a side queue of its own, and starts them before the queues. As a {@link LinkSender}
 * it also exchanges frames with the far end, and is called at its {@link #deadlineNs}. Owned by the
 * egress half; null for a port without a detour.
 *
 * <p>While a frame is here, only the detour uses {@link Frame#detour}; it is 0 once the frame has
 * left. A frame that the detour takes out of a queue is shown to the congestion point as removed; a
 * frame that starts from the side queue is not shown. While the link is down the side queue is
 * empty.
 */
public interface FrameDetour extends LinkSender {

    // ---- before anything starts

    /**
     * Moves the frames that are due, after link control was read and before any frame starts;
     * returns how many were moved. Bounded: the rest is due at once ({@link #isBehind}).
     *
     * @param eligible the queues that are not stopped
     * @param point is called for each frame that is taken out of its queue
     */
    int run(long nowNs, Queues queues, int eligible, @Nullable CongestionPoint point);

    /** Whether the last {@link #run} stopped at its bound and left work. */
    default boolean isBehind() {
        return false;
    }

    /**
     * A frame that {@link #run} has taken out of its queue to drop it, to end a deadlock; each is
     * returned once, then null. Called whenever {@code run} has done any work.
     */
    default @Nullable Frame lost() {
        return null;
    }

    // ---- frames come

    /**
     * Notes arriving frames, ordinary ones and others; they have their outgoing form, and join
     * queues next.
     *
     * @return whether any of them came by a detour: each of these is then passed to {@link
     *     #joinsQueues}
     */
    default boolean arrived(Frame[] frames, int from, int to) {
        return false;
    }

    /**
     * Decides about a frame that came by a detour ({@link Frame#detour} is not 0); frames that came
     * before it are in their queues.
     *
     * @return true if it joins its queue at the end; otherwise the detour keeps it
     */
    default boolean joinsQueues(
            long nowNs, Frame frame, Queues queues, @Nullable CongestionPoint point) {
        return true;
    }

    // ---- frames leave

    /**
     * Takes frames of the side queue to start now, while the pacer allows it: before all others,
     * even if their queues are stopped.
     *
     * @return end (exclusive) of the frames put into {@code into} from {@code from} on
     */
    default int dequeue(long nowNs, Pacer pacer, Frame[] into, int from) {
        return from;
    }

    /** Notes that frames of the queues start, after those of the side queue; there may be none. */
    default void started(Frame[] frames, int from, int to) {
        // It holds no frames of its own.
    }

    /** Notes that a frame of the port is dropped. */
    default void left(Frame frame) {
        frame.detour = 0;
    }

    /** Takes a frame from the side queue without starting it; null if none waits. */
    default @Nullable Frame drain() {
        return null;
    }

    /** Number of frames in the side queue. */
    default int frames() {
        return 0;
    }

    /** Number of bytes in the side queue. */
    default long bytes() {
        return 0;
    }
}
