package io.headgate.dataplane.local;

import java.lang.foreign.MemorySegment;

/**
 * Takes whole frames that the switch itself makes: notifications, announcements. Called by the
 * local port's worker.
 */
@FunctionalInterface
public interface LocalSender {
    /**
     * Copies a frame and sends it.
     *
     * @param egressPort the port it leaves by in a router, to a reserved address, or in a VLAN that
     *     its tag names and the port carries; for others a bridge asks its forwarding table
     * @return false if no buffer was free or the frame is too long; it was counted
     */
    boolean send(MemorySegment segment, long offset, int lengthBytes, int egressPort);
}
