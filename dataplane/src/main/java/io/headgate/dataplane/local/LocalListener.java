package io.headgate.dataplane.local;

import java.lang.foreign.MemorySegment;

/** Hears frames to the switch itself that are neither ARP nor IP. Called by its worker. */
public interface LocalListener {
    /**
     * A frame came in by a port. The memory is another frame's after the call.
     *
     * @param frame where it begins
     * @param bytes of it, its header included
     * @return whether it was meant for this listener
     */
    boolean heard(
            long nowNs, int port, int etherType, MemorySegment segment, long frame, int bytes);
}
