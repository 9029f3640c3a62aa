package io.headgate.dataplane.queue;

import io.headgate.dataplane.memory.Frame;

/** Selects frames of a queue, for example those of one flow. Made once, used many times. */
public interface FrameFilter {

    /** Whether the filter selects a frame; it must not change the frame. */
    boolean matches(Frame frame);
}
