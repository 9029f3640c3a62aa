package io.headgate.dataplane.local;

import java.lang.foreign.MemorySegment;

/**
 * Sends whole frames that the switch itself creates: notifications, announcements. Called by the
 * local port's worker.
 */
@FunctionalInterface
public interface LocalSender {
    /**
     * Copies a frame and sends it.
     *
     * @param egressPort the egress port in a router, for a reserved address, or for a VLAN that the
     *     tag names and the port carries; for other frames a bridge uses its forwarding table
     * @return false if no buffer was free or the frame is too long; it was counted
     */
    boolean send(MemorySegment segment, long offset, int lengthBytes, int egressPort);
}
