package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;

/**
 * The acknowledgement extended transport header (InfiniBand architecture volume 1, section 9.3.5).
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+---+---------+-----------------------------------------------+
 *  |0|typ|  value  |            message sequence number            |
 *  +-+---+---------+-----------------------------------------------+
 * </pre>
 */
public final class Aeth {
    public static final int SYNDROME_OFFSET = 0;
    public static final int MESSAGE_OFFSET = 1;
    public static final int HEADER_BYTES = 4;

    /** Syndrome of an acknowledgement by a receiver that gives no end-to-end credits. */
    public static final int ACK = 0x1F;

    /** Syndromes of negative acknowledgements: a packet is missing; the packet is invalid. */
    public static final int PSN_SEQUENCE_ERROR = 0x60;

    public static final int INVALID_REQUEST = 0x61;
    public static final int REMOTE_ACCESS_ERROR = 0x62;

    /** Values of {@link #type}. */
    public static final int TYPE_ACK = 0;

    public static final int TYPE_NAK = 3;

    private Aeth() {}

    public static int syndrome(MemorySegment segment, long aeth) {
        return Wire.u8(segment, aeth + SYNDROME_OFFSET);
    }

    /** The type of a syndrome: acknowledgement, not ready, or negative; 2 is unused. */
    public static int type(int syndrome) {
        return syndrome >>> 5;
    }

    /** Writes the header. */
    public static void write(MemorySegment segment, long aeth, int syndrome, int messages) {
        Wire.put8(segment, aeth + SYNDROME_OFFSET, syndrome);
        Wire.put24(segment, aeth + MESSAGE_OFFSET, messages);
    }
}
