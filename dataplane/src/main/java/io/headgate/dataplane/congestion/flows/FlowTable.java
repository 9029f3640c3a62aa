package io.headgate.dataplane.congestion.flows;

import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.memory.Frame;
import org.jspecify.annotations.Nullable;

/**
 * Which flows a congestion point tells, of those whose frames pass the queues of a port. A flow is
 * what has the same priority, addresses, protocol and ports.
 *
 * <p>Owned by the egress half of the port. Of a frame that {@link #arrived}, {@link #left} follows
 * once, and nothing else writes its {@link Frame#flow} between.
 */
public interface FlowTable {
    /** Flow of a frame that has none, and queue of a place where no flow is to be told. */
    int NONE = -1;

    /** A frame has joined its queue. */
    void arrived(long nowNs, Frame frame);

    /** A frame has left its queue, whichever way. */
    void left(Frame frame);

    /**
     * A period is over: what follows holds until the next one, or until a frame comes or leaves.
     */
    void period(long nowNs);

    /** Flows of a queue that are to be told. */
    int flows(int queue);

    /** Flows of all queues that are to be told. */
    int flows();

    /** Frames of a queue whose flow found no room, or took another one's. */
    long refused(int queue);

    /** Flows to be told are at places below this one. */
    int places();

    /**
     * The first place from this one on where a flow may be to be told, as {@link #queue} says;
     * {@link #NONE}: there is none.
     */
    default int next(int place) {
        return place < places() ? place : NONE;
    }

    /** The queue of the flow at a place; {@link #NONE} if none is to be told there. */
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
