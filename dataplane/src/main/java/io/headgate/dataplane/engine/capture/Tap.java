package io.headgate.dataplane.engine.capture;

import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;

/**
 * A place where a half shows frames to a capture: one tap per half, called by that half alone. The
 * frame stays the caller's; a tap neither keeps nor changes it. Bounded, without allocation.
 */
public interface Tap {

    /** A frame that {@code port} received, before anything was done to its bytes. */
    void received(int port, Frame frame, long nowNs);

    /** A frame that {@code port} hands to its device now, with the bytes that go out. */
    void transmitted(int port, int queue, Frame frame, long nowNs);

    /** A frame that ended at {@code port}. */
    void dropped(int port, DropReason reason, Frame frame, long nowNs);
}
