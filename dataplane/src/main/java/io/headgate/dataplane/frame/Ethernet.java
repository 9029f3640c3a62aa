package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;

/**
 * The Ethernet header (IEEE 802.3 clause 3). The FCS is not part of a frame here: Linux devices
 * neither deliver nor accept it.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |                     destination                               |
 *  |                               +-------------------------------+
 *  |                               |   source                      |
 *  +-------------------------------+                               |
 *  |                                                               |
 *  +-------------------------------+-------------------------------+
 *  |          EtherType            |
 *  +-------------------------------+
 * </pre>
 */
public final class Ethernet {
    public static final int DESTINATION_OFFSET = 0;
    public static final int SOURCE_OFFSET = 6;
    public static final int ETHER_TYPE_OFFSET = 12;
    public static final int HEADER_BYTES = 14;

    /** Shortest frame to transmit, without FCS, tagged or not. */
    public static final int MIN_FRAME_BYTES = 60;

    /** Bytes on the wire in addition to the frame's own: preamble 8, FCS 4, gap 12. */
    public static final int WIRE_OVERHEAD_BYTES = 24;

    private Ethernet() {}

    // The addresses are read as the words that a copy has just stored, eight bytes and four: a load
    // across two stores waits until both are in the cache.

    public static long destination(MemorySegment segment, long frame) {
        return Wire.i64(segment, frame + DESTINATION_OFFSET) >>> 16;
    }

    public static long source(MemorySegment segment, long frame) {
        long first = Wire.i64(segment, frame);
        return ((first & 0xFFFF) << 32) | Wire.u32(segment, frame + 8);
    }

    /** The type, a tag's TPID, or a length (below {@link EtherType#LOWEST}). */
    public static int etherType(MemorySegment segment, long frame) {
        return Wire.u16(segment, frame + ETHER_TYPE_OFFSET);
    }

    public static void destination(MemorySegment segment, long frame, long mac) {
        Wire.put48(segment, frame + DESTINATION_OFFSET, mac);
    }

    public static void source(MemorySegment segment, long frame, long mac) {
        Wire.put48(segment, frame + SOURCE_OFFSET, mac);
    }

    public static void etherType(MemorySegment segment, long frame, int etherType) {
        Wire.put16(segment, frame + ETHER_TYPE_OFFSET, etherType);
    }
}
