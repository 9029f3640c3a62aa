package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;

/**
 * The InfiniBand base transport header as RoCEv2 carries it behind UDP (InfiniBand architecture
 * volume 1, section 9.2, and Annex A17).
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------+-+-+---+-------+-------------------------------+
 *  |    opcode     |S|M|pad|version|         partition key         |
 *  +-+-+-----------+-+-+---+-------+-------------------------------+
 *  |F|B| reserved  |            destination queue pair             |
 *  +-+-+-----------+-----------------------------------------------+
 *  |A|  reserved   |            packet sequence number             |
 *  +-+-------------+-----------------------------------------------+
 * </pre>
 *
 * F and B, forward and backward explicit congestion notification, are outside the {@link Icrc}, so
 * a switch may write them; a UDP checksum that is not zero must follow.
 */
public final class Bth {
    public static final int OPCODE_OFFSET = 0;
    public static final int FLAGS_OFFSET = 1;
    public static final int PARTITION_KEY_OFFSET = 2;
    public static final int CONGESTION_OFFSET = 4;
    public static final int DESTINATION_QP_OFFSET = 5;
    public static final int ACK_REQUEST_OFFSET = 8;
    public static final int SEQUENCE_OFFSET = 9;
    public static final int HEADER_BYTES = 12;

    /** UDP destination port of RoCEv2. */
    public static final int UDP_PORT = 4791;

    /** Opcode of a congestion notification packet. */
    public static final int CONGESTION_NOTIFICATION = 0x81;

    public static final int FECN = 0x80;
    public static final int BECN = 0x40;

    private static final int SOLICITED_EVENT_BIT = 0x80;
    private static final int MIGRATION_BIT = 0x40;
    private static final int PAD_SHIFT = 4;
    private static final int ACK_REQUEST_BIT = 0x80;

    private Bth() {}

    /**
     * Whether header, padding and ICRC are there.
     *
     * @param availableBytes of the UDP datagram's payload
     */
    public static boolean isValid(MemorySegment segment, long bth, int availableBytes) {
        return availableBytes >= HEADER_BYTES + Icrc.BYTES
                && availableBytes >= HEADER_BYTES + Icrc.BYTES + padBytes(segment, bth);
    }

    public static int opcode(MemorySegment segment, long bth) {
        return Wire.u8(segment, bth + OPCODE_OFFSET);
    }

    public static boolean solicitedEvent(MemorySegment segment, long bth) {
        return (Wire.u8(segment, bth + FLAGS_OFFSET) & SOLICITED_EVENT_BIT) != 0;
    }

    public static boolean migration(MemorySegment segment, long bth) {
        return (Wire.u8(segment, bth + FLAGS_OFFSET) & MIGRATION_BIT) != 0;
    }

    /** Bytes between payload and ICRC, 0 to 3. */
    public static int padBytes(MemorySegment segment, long bth) {
        return (Wire.u8(segment, bth + FLAGS_OFFSET) >>> PAD_SHIFT) & 3;
    }

    public static int version(MemorySegment segment, long bth) {
        return Wire.u8(segment, bth + FLAGS_OFFSET) & 0xF;
    }

    public static int partitionKey(MemorySegment segment, long bth) {
        return Wire.u16(segment, bth + PARTITION_KEY_OFFSET);
    }

    /** {@link #FECN}, {@link #BECN} and the six reserved bits below them. */
    public static int congestion(MemorySegment segment, long bth) {
        return Wire.u8(segment, bth + CONGESTION_OFFSET);
    }

    public static int destinationQp(MemorySegment segment, long bth) {
        return Wire.u24(segment, bth + DESTINATION_QP_OFFSET);
    }

    public static boolean ackRequest(MemorySegment segment, long bth) {
        return (Wire.u8(segment, bth + ACK_REQUEST_OFFSET) & ACK_REQUEST_BIT) != 0;
    }

    /** Packet sequence number, modulo 2^24. */
    public static int sequence(MemorySegment segment, long bth) {
        return Wire.u24(segment, bth + SEQUENCE_OFFSET);
    }

    /**
     * Replaces FECN, BECN and reserved bits; the UDP checksum follows if there is one.
     *
     * @param udp offset of the UDP header that the datagram begins with
     */
    public static void congestion(MemorySegment segment, long udp, long bth, int congestion) {
        int before = Wire.u16(segment, bth + CONGESTION_OFFSET);
        int after = ((congestion & 0xFF) << 8) | (before & 0xFF);
        Wire.put16(segment, bth + CONGESTION_OFFSET, after);
        Udp.updateChecksum(segment, udp, before, after);
    }

    /** Writes a header whose version, congestion and reserved bits are zero. */
    public static void write(
            MemorySegment segment,
            long bth,
            int opcode,
            int padBytes,
            int partitionKey,
            int destinationQp,
            boolean ackRequest,
            int sequence) {
        Wire.put8(segment, bth + OPCODE_OFFSET, opcode);
        Wire.put8(segment, bth + FLAGS_OFFSET, padBytes << PAD_SHIFT);
        Wire.put16(segment, bth + PARTITION_KEY_OFFSET, partitionKey);
        Wire.put8(segment, bth + CONGESTION_OFFSET, 0);
        Wire.put24(segment, bth + DESTINATION_QP_OFFSET, destinationQp);
        Wire.put8(segment, bth + ACK_REQUEST_OFFSET, ackRequest ? ACK_REQUEST_BIT : 0);
        Wire.put24(segment, bth + SEQUENCE_OFFSET, sequence);
    }
}
