package io.headgate.dataplane.capture;

import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;

/**
 * A place where a half shows frames to a capture: one tap per half, called by that half alone. The
 * frame stays the caller's; a tap neither keeps nor changes it. Bounded, without allocation. Times
 * are the engine's, in ns, and of one half they never go back. So a frame is received no earlier
 * than its sender's capture has it, transmitted no later than its receiver's has it, and received
 * before it is transmitted.
 */
public interface Tap {

    /**
     * A frame that {@code port} received, before anything was done to its bytes.
     *
     * @param cameNs when it came, by the device's stamp; without one, when it was taken in, which
     *     is later
     */
    void received(int port, Frame frame, long cameNs);

    /**
     * A frame that {@code port} has handed to its device, with the bytes that went out.
     *
     * @param offeredNs just before the device had it: it left no earlier
     */
    void transmitted(int port, int queue, Frame frame, long offeredNs);

    /**
     * A frame that ended at {@code port}.
     *
     * @param atNs for one that was refused as it came in, when its batch had come
     */
    void dropped(int port, DropReason reason, Frame frame, long atNs);
}
