package io.headgate.dataplane.frame;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.HopRecords;

/**
 * Takes off at a host's card what switches have added to a frame, which goes on as it was sent.
 * Called by the half that receives from the wire; what is in a frame may be forged.
 */
public interface Sink {

    /** Whether a parsed frame has what it takes off: by its EtherType, or its UDP port. */
    boolean takes(Frame frame);

    /**
     * Takes it off a frame of which {@link #takes} holds. The frame's headers are found again
     * behind this call.
     *
     * @param hops gets what the frame knows of its way, for who receives it
     * @return false if it makes no sense: the frame is lost
     */
    boolean take(Frame frame, HopRecords hops);

    /**
     * Whether what it takes off are the ports by which the frame itself came, in order; not what
     * one of them says of another way.
     */
    default boolean tellsPath() {
        return false;
    }
}
