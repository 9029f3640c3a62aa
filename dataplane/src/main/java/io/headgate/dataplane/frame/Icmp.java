package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;

/**
 * The ICMP header with the fields of echo (RFC 792), which ICMPv6 shares (RFC 4443 section 4).
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------+---------------+-------------------------------+
 *  |     type      |     code      |           checksum            |
 *  +---------------+---------------+-------------------------------+
 *  |          identifier           |        sequence number        |
 *  +-------------------------------+-------------------------------+
 * </pre>
 */
public final class Icmp {
    public static final int TYPE_OFFSET = 0;
    public static final int CODE_OFFSET = 1;
    public static final int CHECKSUM_OFFSET = 2;
    public static final int IDENTIFIER_OFFSET = 4;
    public static final int SEQUENCE_OFFSET = 6;
    public static final int HEADER_BYTES = 8;

    public static final int V4_ECHO_REPLY = 0;
    public static final int V4_ECHO_REQUEST = 8;
    public static final int V6_ECHO_REQUEST = 128;
    public static final int V6_ECHO_REPLY = 129;

    private Icmp() {}

    public static int type(MemorySegment segment, long icmp) {
        return Wire.u8(segment, icmp + TYPE_OFFSET);
    }

    public static int code(MemorySegment segment, long icmp) {
        return Wire.u8(segment, icmp + CODE_OFFSET);
    }

    public static int checksum(MemorySegment segment, long icmp) {
        return Wire.u16(segment, icmp + CHECKSUM_OFFSET);
    }

    public static int identifier(MemorySegment segment, long icmp) {
        return Wire.u16(segment, icmp + IDENTIFIER_OFFSET);
    }

    public static int sequence(MemorySegment segment, long icmp) {
        return Wire.u16(segment, icmp + SEQUENCE_OFFSET);
    }

    /** Whether the checksum of an ICMP message over IPv4 is correct; it has no pseudo header. */
    public static boolean isChecksumRightIpv4(MemorySegment segment, long icmp, int messageBytes) {
        return Checksum.finish(Checksum.sum(segment, icmp, messageBytes)) == 0;
    }

    /** Whether the checksum of an ICMPv6 message is correct. */
    public static boolean isChecksumRightIpv6(
            MemorySegment segment, long ip, long icmp, int messageBytes) {
        return Checksum.overIpv6(segment, ip, IpProtocol.ICMPV6, icmp, messageBytes) == 0;
    }

    /** Replaces the type and updates the checksum (RFC 1624), which stays correct if it was. */
    public static void type(MemorySegment segment, long icmp, int type) {
        int before = Wire.u16(segment, icmp + TYPE_OFFSET);
        int after = ((type & 0xFF) << 8) | (before & 0xFF);
        Wire.put16(segment, icmp + TYPE_OFFSET, after);
        int checksum = Checksum.update(checksum(segment, icmp), before, after);
        Wire.put16(segment, icmp + CHECKSUM_OFFSET, checksum);
    }

    public static void writeChecksumIpv4(MemorySegment segment, long icmp, int messageBytes) {
        Wire.put16(segment, icmp + CHECKSUM_OFFSET, 0);
        int computed = Checksum.finish(Checksum.sum(segment, icmp, messageBytes));
        Wire.put16(segment, icmp + CHECKSUM_OFFSET, computed);
    }

    public static void writeChecksumIpv6(
            MemorySegment segment, long ip, long icmp, int messageBytes) {
        Wire.put16(segment, icmp + CHECKSUM_OFFSET, 0);
        int computed = Checksum.overIpv6(segment, ip, IpProtocol.ICMPV6, icmp, messageBytes);
        Wire.put16(segment, icmp + CHECKSUM_OFFSET, computed);
    }
}
