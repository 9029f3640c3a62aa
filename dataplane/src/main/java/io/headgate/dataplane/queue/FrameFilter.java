package io.headgate.dataplane.queue;

import io.headgate.dataplane.memory.Frame;

/** Which frame is meant, such as the first one of a flow. Made once, used many times. */
public interface FrameFilter {

    /** Whether a frame, which must not be changed, is meant. */
    boolean matches(Frame frame);
}
