package io.headgate.hostagent.rate;

import io.headgate.dataplane.memory.HopRecords;
import java.lang.foreign.MemorySegment;

/**
 * How a receiver tells the sender what telemetry said of the way there: as bytes behind the header
 * of the acknowledgement. Has no state: one serves all flows.
 */
public interface HopEcho {
    /** Most bytes that an acknowledgement carries: what fits into slots without payload. */
    int MOST_BYTES = 144;

    /** What a control needs of records, of up to five ports: all but the port's use and latency. */
    HopEcho WHOLE = new WholeHopEcho();

    /** Maximum number of ports that it reports. */
    int mostHops();

    /**
     * What {@link #write} takes, at most {@link #MOST_BYTES}, a multiple of 4; 0: nothing.
     *
     * @param hops of at most {@link #mostHops}
     */
    int bytes(HopRecords hops);

    /** Writes that many bytes. */
    void write(HopRecords hops, MemorySegment segment, long at);

    /**
     * Reads what came, which may be forged.
     *
     * @param into empty, with room for {@link #mostHops}
     * @return false if it makes no sense
     */
    boolean read(MemorySegment segment, long at, int bytes, HopRecords into);
}
