package io.headgate.hostagent.rate;

import io.headgate.dataplane.memory.HopRecords;
import java.lang.foreign.MemorySegment;

/**
 * The format in which a receiver echoes to the sender the telemetry of the forward path: bytes
 * behind the header of the acknowledgement. It has no state: one object serves all flows.
 */
public interface HopEcho {
    /** Maximum number of bytes in an acknowledgement: as many as fit into slots without payload. */
    int MOST_BYTES = 144;

    /**
     * The fields of records that a control needs, for up to five ports: all except the port's use
     * and latency.
     */
    HopEcho WHOLE = new WholeHopEcho();

    /** Maximum number of ports that it reports. */
    int mostHops();

    /**
     * Number of bytes that {@link #write} needs, at most {@link #MOST_BYTES}, a multiple of 4; 0:
     * none.
     *
     * @param hops records of at most {@link #mostHops} ports
     */
    int bytes(HopRecords hops);

    /** Writes that many bytes. */
    void write(HopRecords hops, MemorySegment segment, long at);

    /**
     * Reads received bytes, which may be forged.
     *
     * @param into empty, with room for {@link #mostHops}
     * @return false if it makes no sense
     */
    boolean read(MemorySegment segment, long at, int bytes, HopRecords into);
}
