package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.frame.Notice;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;

/**
 * Receives the notices that arrive at a host. Called by the half that receives from the wire, on
 * the worker that runs the whole card.
 */
@FunctionalInterface
public interface NoticeTaker {

    /** Whether it takes a parsed frame: by default, if it is a {@link Notice}. */
    default boolean takes(Frame frame) {
        return Notice.is(FrameRegion.MEMORY, frame);
    }

    /** Handles a frame for which {@link #takes} is true, with any content; the frame ends here. */
    void take(long nowNs, Frame frame);
}
