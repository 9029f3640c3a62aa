package io.headgate.dataplane.device.linux;

import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.frame.TcpSegments;
import io.headgate.dataplane.memory.Frame;

/** Counts frames of one direction that stand for several TCP segments each. One thread's. */
public final class WholeCount {
    private long frames;
    private long segments;

    /** A frame has passed. */
    public void note(Frame frame) {
        if (frame.segmentBytes != 0) {
            frames++;
            segments += TcpSegments.count(frame);
        }
    }

    /** Adds what was counted. */
    public void addTo(DropTotals totals) {
        totals.addWhole(frames, segments);
    }
}
