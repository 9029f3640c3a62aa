package io.headgate.dataplane.frame;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.HopRecords;

/**
 * Removes, at a host's card, the data that switches have added to a frame, so that the host
 * receives the frame as it was sent. Called by the half that receives from the wire; a frame's
 * content may be forged.
 */
public interface Sink {

    /** Whether a parsed frame carries data that it removes, by its EtherType or its UDP port. */
    boolean takes(Frame frame);

    /**
     * Removes the data from a frame that {@link #takes} accepts. The frame's headers are parsed
     * again after this call.
     *
     * @param hops receives the frame's hop records, for the receiver
     * @return false if the data is invalid: the frame is lost
     */
    boolean take(Frame frame, HopRecords hops);

    /**
     * Whether the removed data lists the ports on the frame's own path, in order, and not
     * information about another path.
     */
    default boolean tellsPath() {
        return false;
    }
}
