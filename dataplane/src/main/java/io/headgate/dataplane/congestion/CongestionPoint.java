package io.headgate.dataplane.congestion;

import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.memory.Frame;

/**
 * Watches the queues of one egress port, and marks frames as they start. Owned by the egress half.
 *
 * <p>After {@link #enqueued}, either {@link #started} or {@link #removed} follows for each frame,
 * unless the port fails. Refused frames and link control are not shown. A started frame that is
 * lost with the link is not shown as removed.
 *
 * <p>Times are the engine's, in ns, and never go back.
 */
public interface CongestionPoint {

    /** The queues that it watches, as a mask. */
    int queues();

    /** Whether it adds room to frames, so that {@link #prepare} is called. Never changes. */
    default boolean growsFrames() {
        return false;
    }

    /** Whether it reads {@link Frame#flowHash}: the frames shown to it then have one. */
    default boolean readsFlowHash() {
        return false;
    }

    /**
     * Prepares an arriving frame that may join a queue: the only call in which its length may
     * change, by the bytes that the mechanism declares ({@link
     * io.headgate.config.FrameGrowth.Grower}; {@link io.headgate.dataplane.frame.FrameRoom}).
     * Called before the length is checked, so that a frame that becomes too long is lost. The bytes
     * in the room must already be valid, because a frame that a detour takes is not shown when it
     * starts.
     */
    default void prepare(long nowNs, Frame frame) {
        // It makes none.
    }

    /** Frames have joined a queue, in order: {@code frames[from]} to {@code frames[to - 1]}. */
    void enqueued(long nowNs, int queue, Frame[] frames, int from, int to);

    /**
     * Frames have left their queues, in order, and start: {@code frames[from]} to {@code frames[to
     * - 1]}. Their bytes may be changed, their lengths may not: gates and pacers have counted them.
     * For all the time is {@code nowNs}; the queues are as after the last of them.
     */
    void started(long nowNs, Frame[] frames, int from, int to);

    /** A frame has left its queue without starting, and is lost. */
    void removed(long nowNs, Frame frame);

    /**
     * Queues that the far end had stopped may send again; {@link
     * io.headgate.dataplane.policy.StopView#endedNs} has the exact time. Called after pauses and
     * credits were read, before any frame starts. Frames that the watchdog releases during a pause
     * do not count as such an end.
     *
     * @param queues as a mask
     */
    default void released(long nowNs, int queues) {
        // By default only lengths matter.
    }

    /**
     * Called at {@link #deadlineNs}, before any other work at that time; returns the amount of work
     * done.
     */
    default int tick(long nowNs) {
        return 0;
    }

    /**
     * The time at which to call {@link #tick}; {@link Long#MAX_VALUE} for never, while no frame is
     * queued and no value decays. A field, not a search: read at every call of the half.
     */
    default long deadlineNs() {
        return Long.MAX_VALUE;
    }

    /**
     * Whether a frame of a flow may wait in a queue: false only if the point knows all flows with
     * waiting frames, and this flow has none.
     *
     * @param hash the {@link Frame#flowHash} of the flow's frames
     */
    default boolean mayWait(FiveTuple flow, int hash, int queue) {
        return true;
    }

    /**
     * Value of a counter for a queue.
     *
     * @param counter place of the counter in {@link CongestionMechanism#counters}
     */
    long counted(int counter, int queue);

    /**
     * Takes over from another point of the same mechanism, because the configuration was changed
     * while it ran. This is the first call. The waiting frames are then shown to this point as if
     * they arrived now, and the other's counts are kept; all other state that must survive is
     * copied here.
     */
    default void goOnFrom(CongestionPoint before) {
        // It remembers nothing.
    }

    /**
     * Starts over, but keeps its counts: the port's link went up or down, or the point has been
     * turned on again. The waiting frames are then shown to it, as {@link #enqueued}.
     */
    void reset(long nowNs);
}
