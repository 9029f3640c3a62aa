package io.headgate.dataplane.queue;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;

/** Frames with nothing in them, to be put in order. */
final class TestFrames {
    private final FrameRegion region;
    private int next;

    TestFrames(int count) {
        region = new FrameRegion(count, 512);
    }

    /** A frame with a length, a priority and a flow; its packet id counts up. */
    Frame frame(int priority, int lengthBytes, int flow) {
        Frame frame = region.frame(next++);
        frame.priority = priority;
        frame.lengthBytes = lengthBytes;
        frame.flowHash = flow;
        frame.packetId = next;
        return frame;
    }
}
