package io.headgate.control.run;

import io.headgate.control.run.CaptureRequest.Point;
import io.headgate.dataplane.capture.Tap;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;

/** Passes the frames that a capture asks for to a tap. Called by one half. */
final class PointTap implements Tap {
    private final Tap tap;
    private final boolean in;
    private final boolean out;
    private final boolean drops;

    PointTap(Tap tap, CaptureRequest request) {
        this.tap = tap;
        this.in = request.wants(Point.IN);
        this.out = request.wants(Point.OUT);
        this.drops = request.wants(Point.DROPS);
    }

    @Override
    public void received(int port, Frame frame, long cameNs) {
        if (in) {
            tap.received(port, frame, cameNs);
        }
    }

    @Override
    public void transmitted(int port, int queue, Frame frame, long offeredNs) {
        if (out) {
            tap.transmitted(port, queue, frame, offeredNs);
        }
    }

    @Override
    public void dropped(int port, DropReason reason, Frame frame, long atNs) {
        if (drops) {
            tap.dropped(port, reason, frame, atNs);
        }
    }
}
