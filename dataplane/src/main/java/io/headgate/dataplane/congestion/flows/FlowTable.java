package io.headgate.dataplane.congestion.flows;

import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.memory.Frame;
import org.jspecify.annotations.Nullable;

/**
 * Decides which flows a congestion point notifies, of those whose frames pass the queues of a port.
 * A flow is a set of frames with the same priority, addresses, protocol and ports.
 *
 * <p>Owned by the egress half of the port. For each frame, {@link #left} follows {@link #arrived}
 * once, and no other code writes its {@link Frame#flow} between.
 */
public interface FlowTable {
    /** Flow of a frame that has none, and queue of a place without a flow to notify. */
    int NONE = -1;

    /** A frame has joined its queue. */
    void arrived(long nowNs, Frame frame);

    /** A frame has left its queue, whichever way. */
    void left(Frame frame);

    /**
     * A period is over: what follows holds until the next one, or until a frame comes or leaves.
     */
    void period(long nowNs);

    /** Number of flows of a queue to notify. */
    int flows(int queue);

    /** Number of flows of all queues to notify. */
    int flows();

    /** Frames of a queue whose flow found no room, or took another one's. */
    long refused(int queue);

    /** Flows to notify are at places below this one. */
    int places();

    /**
     * The next place at or after this one that may hold a flow to notify, as {@link #queue} says;
     * {@link #NONE} at the end.
     */
    default int next(int place) {
        return place < places() ? place : NONE;
    }

    /** The queue of the flow at a place; {@link #NONE} if that place has no flow to notify. */
    int queue(int place);

    /** A frame of that flow which waits in the queue; null if only {@link #quotes} has one. */
    @Nullable Frame frame(int place);

    /** Beginnings of frames of flows, by place; null where all are frames. */
    @Nullable FrameQuotes quotes();

    /**
     * Whether a frame of a flow may wait in a queue: false says that none does.
     *
     * @param hash the {@link Frame#flowHash} of its frames
     */
    default boolean mayWait(FiveTuple flow, int hash, int queue) {
        return true;
    }

    /** Forgets all: the queues are empty. */
    void clear();
}
