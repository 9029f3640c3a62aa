package io.headgate.dataplane.local;

import java.lang.foreign.MemorySegment;

/** Receives frames to the switch itself that are neither ARP nor IP. Called by its worker. */
public interface LocalListener {
    /**
     * Handles a frame received at a port. Its memory is reused after the call.
     *
     * @param frame offset of the frame
     * @param bytes its length, header included
     * @return whether it was for this listener
     */
    boolean heard(
            long nowNs, int port, int etherType, MemorySegment segment, long frame, int bytes);
}
