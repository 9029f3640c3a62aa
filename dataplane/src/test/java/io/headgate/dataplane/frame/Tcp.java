package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;

/**
 * The TCP header (RFC 9293), as far as a switch looks at it.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-------------------------------+-------------------------------+
 *  |          source port          |       destination port        |
 *  +-------------------------------+-------------------------------+
 *  |                        sequence number                        |
 *  +---------------------------------------------------------------+
 *  |                    acknowledgement number                     |
 *  +-------+-------+---------------+-------------------------------+
 *  |offset |       |C|E|U|A|P|R|S|F|            window             |
 *  +-------+-------+---------------+-------------------------------+
 *  |           checksum            |        urgent pointer         |
 *  +-------------------------------+-------------------------------+
 * </pre>
 */
public final class Tcp {
    public static final int SOURCE_PORT_OFFSET = 0;
    public static final int DESTINATION_PORT_OFFSET = 2;
    public static final int SEQUENCE_OFFSET = 4;
    public static final int ACKNOWLEDGEMENT_OFFSET = 8;
    public static final int DATA_OFFSET_OFFSET = 12;
    public static final int FLAGS_OFFSET = 13;
    public static final int WINDOW_OFFSET = 14;
    public static final int CHECKSUM_OFFSET = 16;
    public static final int MIN_HEADER_BYTES = 20;

    public static final int FIN = 0x01;
    public static final int SYN = 0x02;
    public static final int RST = 0x04;
    public static final int PSH = 0x08;
    public static final int ACK = 0x10;
    public static final int URG = 0x20;
    public static final int ECE = 0x40;
    public static final int CWR = 0x80;

    private Tcp() {}

    /**
     * Whether the header is there with its options.
     *
     * @param availableBytes of the IP packet's payload
     */
    public static boolean isValid(MemorySegment segment, long tcp, int availableBytes) {
        if (availableBytes < MIN_HEADER_BYTES) {
            return false;
        }
        int header = headerBytes(segment, tcp);
        return header >= MIN_HEADER_BYTES && header <= availableBytes;
    }

    public static int sourcePort(MemorySegment segment, long tcp) {
        return Wire.u16(segment, tcp + SOURCE_PORT_OFFSET);
    }

    public static int destinationPort(MemorySegment segment, long tcp) {
        return Wire.u16(segment, tcp + DESTINATION_PORT_OFFSET);
    }

    public static long sequence(MemorySegment segment, long tcp) {
        return Wire.u32(segment, tcp + SEQUENCE_OFFSET);
    }

    public static long acknowledgement(MemorySegment segment, long tcp) {
        return Wire.u32(segment, tcp + ACKNOWLEDGEMENT_OFFSET);
    }

    /** Length of the header with its options, in bytes. */
    public static int headerBytes(MemorySegment segment, long tcp) {
        return Wire.u8(segment, tcp + DATA_OFFSET_OFFSET) >>> 4 << 2;
    }

    /** The eight flags, {@link #FIN} to {@link #CWR}. */
    public static int flags(MemorySegment segment, long tcp) {
        return Wire.u8(segment, tcp + FLAGS_OFFSET);
    }

    public static int window(MemorySegment segment, long tcp) {
        return Wire.u16(segment, tcp + WINDOW_OFFSET);
    }

    public static int checksum(MemorySegment segment, long tcp) {
        return Wire.u16(segment, tcp + CHECKSUM_OFFSET);
    }
}
