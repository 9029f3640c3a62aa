package io.headgate.dataplane.congestion;

import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.memory.Frame;

/**
 * Watches the queues of one egress port, and marks frames as they start. Owned by the egress half.
 *
 * <p>For a frame that was {@link #enqueued}, one of {@link #started} and {@link #removed} follows,
 * unless the port fails. A frame that was refused is shown by neither; nor is link control. What
 * has started and is lost with the link is not removed.
 *
 * <p>Times are the engine's, in ns, and never go back.
 */
public interface CongestionPoint {

    /** The queues that it watches, as a mask. */
    int queues();

    /** Whether it makes room in frames: then {@link #prepare} is called. Never changes. */
    default boolean growsFrames() {
        return false;
    }

    /** Whether it asks for {@link Frame#flowHash}: the frames that it is shown then have it. */
    default boolean readsFlowHash() {
        return false;
    }

    /**
     * A frame has come that may join a queue: the only call in which its length may change, by what
     * the mechanism declares ({@link io.headgate.config.FrameGrowth.Grower}; {@link
     * io.headgate.dataplane.frame.FrameRoom}). Before its length is measured, so that a frame that
     * becomes too long is lost. What is in the room must make sense as it is: a frame that a detour
     * takes is not shown as it starts.
     */
    default void prepare(long nowNs, Frame frame) {
        // It makes none.
    }

    /** Frames have joined a queue, in order: {@code frames[from]} to {@code frames[to - 1]}. */
    default void enqueued(long nowNs, int queue, Frame[] frames, int from, int to) {
        // It sees queues where frames leave them.
    }

    /**
     * Frames have left their queues, in order, and start: {@code frames[from]} to {@code frames[to
     * - 1]}. Their bytes may be changed, their lengths may not: gates and pacers have counted them.
     * For all the time is {@code nowNs}; the queues are as after the last of them.
     */
    default void started(long nowNs, Frame[] frames, int from, int to) {
        // It sees queues where frames come to them.
    }

    /** A frame has left its queue without starting, and is lost. */
    default void removed(long nowNs, Frame frame) {
        // It keeps nothing of single frames.
    }

    /**
     * Queues that the far end had stopped may send again; {@link
     * io.headgate.dataplane.policy.StopView#endedNs} has the exact time. Called when pauses and
     * credits have been looked at, before anything starts. Frames that the watchdog lets go during
     * a pause are not a release.
     *
     * @param queues as a mask
     */
    default void released(long nowNs, int queues) {
        // By default only lengths matter.
    }

    /**
     * Called at {@link #deadlineNs}, before anything else at that time; answers how much it did.
     */
    default int tick(long nowNs) {
        return 0;
    }

    /**
     * The time at which to call {@link #tick}; {@link Long#MAX_VALUE} for never: while nothing is
     * queued and nothing decays. A field, not a search: asked at every call of the half.
     */
    default long deadlineNs() {
        return Long.MAX_VALUE;
    }

    /**
     * Whether a frame of a flow may wait in a queue: false only where it knows all flows that do.
     *
     * @param hash the {@link Frame#flowHash} of the flow's frames
     */
    default boolean mayWait(FiveTuple flow, int hash, int queue) {
        return true;
    }

    /**
     * What it has counted of a queue.
     *
     * @param counter its place among those of {@link CongestionMechanism#counters}
     */
    long counted(int counter, int queue);

    /**
     * Takes the place of another point of the same mechanism, whose configuration was changed while
     * it ran; the first call. It is shown the waiting frames as if they arrived now, and the
     * other's counts are kept; anything else that must survive it takes from the other here.
     */
    default void goOnFrom(CongestionPoint before) {
        // It remembers nothing.
    }

    /**
     * Starts over, and goes on counting: the port's link went up or down, or the point has been
     * turned on again. What waits then is shown to it next, as {@link #enqueued}.
     */
    void reset(long nowNs);
}
