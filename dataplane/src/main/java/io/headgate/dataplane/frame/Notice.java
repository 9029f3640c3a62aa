package io.headgate.dataplane.frame;

import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;

/**
 * A notice from a congestion point to the source of a frame: ICMP of an experimental type (253, RFC
 * 4727; ICMPv6 200, RFC 4443). The mechanism defines {@code kind} and {@code value}; {@code point}
 * distinguishes the congestion points of one switch, {@code sequence} the notices of one point.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------+---------------+-------------------------------+
 *  |     type      |       0       |           checksum            |
 *  +---------------+---------------+-------------------------------+
 *  |             kind              |             value             |
 *  +-------------------------------+                               +
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                             point                             |
 *  +---------------------------------------------------------------+
 *  |                           sequence                            |
 *  +---------------------------------------------------------------+
 *  |      up to 64 bytes of the packet, from its IP header on      |
 *  +---------------------------------------------------------------+
 *  |    48 bytes of details, if the mechanism has any to tell;     |
 *  |          the quote is then padded to 64 with zeros            |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class Notice {
    public static final int TYPE_V4 = 253;
    public static final int TYPE_V6 = 200;

    /** Offset of kind and value, which the mechanism defines. */
    public static final int FIRST_OFFSET = 4;

    /** Offset of point and sequence. */
    public static final int SECOND_OFFSET = FIRST_OFFSET + Long.BYTES;

    public static final int QUOTE_OFFSET = SECOND_OFFSET + Long.BYTES;

    /** Maximum number of bytes that a notice quotes. */
    public static final int QUOTE_BYTES = 64;

    /** Offset of the details, if there are any. */
    public static final int DETAILS_OFFSET = QUOTE_OFFSET + QUOTE_BYTES;

    public static final int DETAIL_BYTES = 48;

    private static final int VALUE_BITS = 48;
    private static final long VALUE_MASK = (1L << VALUE_BITS) - 1;

    private Notice() {}

    /**
     * The first word: kind and value.
     *
     * @param kind 16 bits
     * @param value 48 bits, not negative
     */
    public static long first(int kind, long value) {
        return ((long) kind << VALUE_BITS) | (value & VALUE_MASK);
    }

    /** The second word: point and sequence. */
    public static long second(int point, int sequence) {
        return ((long) point << Integer.SIZE) | (sequence & 0xFFFF_FFFFL);
    }

    public static int kind(MemorySegment segment, long icmp) {
        return Wire.u16(segment, icmp + FIRST_OFFSET);
    }

    public static long value(MemorySegment segment, long icmp) {
        return Wire.i64(segment, icmp + FIRST_OFFSET) & VALUE_MASK;
    }

    public static int point(MemorySegment segment, long icmp) {
        return Wire.i32(segment, icmp + SECOND_OFFSET);
    }

    /** Whether a parsed frame is a notice, by its ICMP type; nothing after the type is checked. */
    public static boolean is(MemorySegment segment, Frame frame) {
        if (frame.transportOffset == Frame.ABSENT) {
            return false;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        int type = Icmp.type(segment, frame.dataOffset + frame.transportOffset);
        if (frame.etherType == EtherType.IPV4) {
            return type == TYPE_V4 && Ipv4.protocol(segment, ip) == IpProtocol.ICMP;
        }
        // Notices have no extension headers.
        return type == TYPE_V6
                && frame.transportOffset == frame.ipOffset + Ipv6.HEADER_BYTES
                && Ipv6.nextHeader(segment, ip) == IpProtocol.ICMPV6;
    }
}
