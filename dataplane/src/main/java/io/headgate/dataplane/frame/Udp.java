package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;

/**
 * The UDP header (RFC 768; over IPv6 RFC 8200 section 8.1, and RFC 6935 for checksums of zero).
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-------------------------------+-------------------------------+
 *  |          source port          |       destination port        |
 *  +-------------------------------+-------------------------------+
 *  |            length             |           checksum            |
 *  +-------------------------------+-------------------------------+
 * </pre>
 */
public final class Udp {
    public static final int SOURCE_PORT_OFFSET = 0;
    public static final int DESTINATION_PORT_OFFSET = 2;
    public static final int LENGTH_OFFSET = 4;
    public static final int CHECKSUM_OFFSET = 6;
    public static final int HEADER_BYTES = 8;

    private Udp() {}

    /**
     * Whether the datagram is complete.
     *
     * @param availableBytes bytes of the IP packet's payload, not of the frame, which may be padded
     */
    public static boolean isValid(MemorySegment segment, long udp, int availableBytes) {
        if (availableBytes < HEADER_BYTES) {
            return false;
        }
        int length = lengthBytes(segment, udp);
        return length >= HEADER_BYTES && length <= availableBytes;
    }

    public static int sourcePort(MemorySegment segment, long udp) {
        return Wire.u16(segment, udp + SOURCE_PORT_OFFSET);
    }

    public static int destinationPort(MemorySegment segment, long udp) {
        return Wire.u16(segment, udp + DESTINATION_PORT_OFFSET);
    }

    /** Length of header and payload, in bytes. */
    public static int lengthBytes(MemorySegment segment, long udp) {
        return Wire.u16(segment, udp + LENGTH_OFFSET);
    }

    /** The checksum; zero if the sender computed none. */
    public static int checksum(MemorySegment segment, long udp) {
        return Wire.u16(segment, udp + CHECKSUM_OFFSET);
    }

    /** Writes a header without a checksum (zero). */
    public static void write(
            MemorySegment segment, long udp, int sourcePort, int destinationPort, int lengthBytes) {
        Wire.put16(segment, udp + SOURCE_PORT_OFFSET, sourcePort);
        Wire.put16(segment, udp + DESTINATION_PORT_OFFSET, destinationPort);
        Wire.put16(segment, udp + LENGTH_OFFSET, lengthBytes);
        Wire.put16(segment, udp + CHECKSUM_OFFSET, 0);
    }

    /**
     * Corrects the checksum for one 16-bit word of the datagram or its pseudo header that has
     * changed (RFC 1624); a checksum of zero stays.
     */
    public static void updateChecksum(
            MemorySegment segment, long udp, int wordBefore, int wordAfter) {
        int checksum = checksum(segment, udp);
        if (checksum != 0) {
            int updated = notZero(Checksum.update(checksum, wordBefore, wordAfter));
            Wire.put16(segment, udp + CHECKSUM_OFFSET, updated);
        }
    }

    private static int notZero(int checksum) {
        return checksum == 0 ? 0xFFFF : checksum;
    }
}
