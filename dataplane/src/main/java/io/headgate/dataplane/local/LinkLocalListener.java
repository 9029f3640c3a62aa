package io.headgate.dataplane.local;

import java.lang.foreign.MemorySegment;

/** Hears what neighbours say to the switch itself, by addresses that no bridge forwards. */
public interface LinkLocalListener {
    /**
     * A frame to the nearest bridge came in by a port.
     *
     * @param frame where it begins
     * @param bytes of it, its header included
     */
    void heard(long nowNs, int port, MemorySegment segment, long frame, int bytes);
}
