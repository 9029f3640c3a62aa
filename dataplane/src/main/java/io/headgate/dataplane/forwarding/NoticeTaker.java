package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.frame.Notice;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;

/**
 * Takes the notices that arrive at a host. Called by the half that receives from the wire, on the
 * worker that has all of the card.
 */
@FunctionalInterface
public interface NoticeTaker {

    /** Whether a parsed frame is one that it takes: a {@link Notice}, by default. */
    default boolean takes(Frame frame) {
        return Notice.is(FrameRegion.MEMORY, frame);
    }

    /** Takes a frame of which {@link #takes} holds, whatever is in it; the frame is done then. */
    void take(long nowNs, Frame frame);
}
