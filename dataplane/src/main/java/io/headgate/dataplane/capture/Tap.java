package io.headgate.dataplane.capture;

import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;

/**
 * Receives the frames that a half shows to a capture: one tap per half, called by that half alone.
 * The frame remains the caller's; a tap neither keeps nor changes it. Bounded, without allocation.
 * Times are the engine's, in ns, and never go back within one half. So a frame is received no
 * earlier than the time in its sender's capture, transmitted no later than the time in its
 * receiver's, and received before it is transmitted.
 */
public interface Tap {

    /**
     * A frame that {@code port} received, before anything was done to its bytes.
     *
     * @param cameNs arrival time by the device's stamp; without one, the time when it was taken
     *     from the device, which is later
     */
    void received(int port, Frame frame, long cameNs);

    /**
     * A frame that {@code port} has passed to its device, with the bytes that were sent.
     *
     * @param offeredNs time just before the device took it: it left no earlier
     */
    void transmitted(int port, int queue, Frame frame, long offeredNs);

    /**
     * A frame that was dropped at {@code port}.
     *
     * @param atNs time of the drop; for a frame refused at ingress, the arrival time of its batch
     */
    void dropped(int port, DropReason reason, Frame frame, long atNs);
}
