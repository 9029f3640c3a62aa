package io.headgate.dataplane.congestion.flows;

import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.memory.Frame;
import org.jspecify.annotations.Nullable;

/**
 * Decides which flows of a port's queues a congestion point notifies. A flow is a set of frames
 * with the same priority, addresses, protocol and ports.
 *
 * <p>Owned by the egress half of the port. For each frame, {@link #left} follows {@link #arrived}
 * once, and no other code writes its {@link Frame#flow} between.
 */
public interface FlowTable {
    /** Flow of a frame that has none, and queue of a place without a flow to notify. */
    int NONE = -1;

    /** Notes that a frame has joined its queue. */
    void arrived(long nowNs, Frame frame);

    /** Notes that a frame has left its queue, in any way. */
    void left(Frame frame);

    /**
     * Ends a period: the results of the following methods hold until the next one, or until a frame
     * comes or leaves.
     */
    void period(long nowNs);

    /** Number of flows of a queue to notify. */
    int flows(int queue);

    /** Number of flows of all queues to notify. */
    int flows();

    /** Frames of a queue whose flow found no room or replaced another one. */
    long refused(int queue);

    /** Flows to notify are at places below this one. */
    int places();

    /**
     * The next place at or after this one that may hold a flow to notify, to be checked by {@link
     * #queue}; {@link #NONE} at the end.
     */
    default int next(int place) {
        return place < places() ? place : NONE;
    }

    /** The queue of the flow at a place; {@link #NONE} if that place has no flow to notify. */
    int queue(int place);

    /** A frame of that flow which waits in the queue; null if only {@link #quotes} has one. */
    @Nullable Frame frame(int place);

    /** Beginnings of the flows' frames, by place; null if {@link #frame} always has one. */
    @Nullable FrameQuotes quotes();

    /**
     * Whether a frame of a flow may wait in a queue: false if certainly none waits.
     *
     * @param hash the {@link Frame#flowHash} of its frames
     */
    default boolean mayWait(FiveTuple flow, int hash, int queue) {
        return true;
    }

    /** Forgets all flows, when the queues are empty. */
    void clear();
}
