package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;

/**
 * Neighbor solicitations and advertisements (RFC 4861 sections 4.3, 4.4, 4.6.1), from the first
 * byte of the ICMPv6 header.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------+---------------+-------------------------------+
 *  |   type (135,  |   code (0)    |           checksum            |
 *  |    or 136)    |               |                               |
 *  +-+-+-+---------+---------------+-------------------------------+
 *  |R|S|O|      (advertisements only)                              |
 *  +-+-+-+---------------------------------------------------------+
 *  |                       target, 16 bytes                        |
 *  +---------------+---------------+-------------------------------+
 *  |  option type  | length (of 8) |      link-layer address ...   |
 *  +---------------+---------------+-------------------------------+
 * </pre>
 */
public final class NeighborDiscovery {
    public static final int FLAGS_OFFSET = 4;
    public static final int TARGET_OFFSET = 8;
    public static final int OPTIONS_OFFSET = 24;

    /** Length of a message with one link-layer address option. */
    public static final int WITH_OPTION_BYTES = 32;

    public static final int SOLICITATION = 135;
    public static final int ADVERTISEMENT = 136;

    /** Flags of an advertisement, as bits of the byte at {@link #FLAGS_OFFSET}. */
    public static final int ROUTER = 0x80;

    public static final int SOLICITED = 0x40;
    public static final int OVERRIDE = 0x20;

    public static final int SOURCE_LINK_LAYER = 1;
    public static final int TARGET_LINK_LAYER = 2;

    /** Hop limit that proves the message came from this link (RFC 4861 section 7.1). */
    public static final int HOP_LIMIT = 255;

    /** Result of {@link #linkLayerAddress} if the message has no such option. */
    public static final long NO_ADDRESS = -1;

    /**
     * Maximum number of options that are read, more than any sender needs; a message must not cause
     * more work.
     */
    public static final int MAX_OPTIONS = 16;

    private static final int OPTION_UNIT_SHIFT = 3;

    private NeighborDiscovery() {}

    /**
     * Whether it is one of the two messages, with code 0, a unicast target address, and consistent
     * option lengths (RFC 4861 section 7.1). The caller must check hop limit and checksum.
     *
     * @param messageBytes length of the ICMPv6 message
     */
    public static boolean isValid(MemorySegment segment, long icmp, int messageBytes) {
        if (messageBytes < OPTIONS_OFFSET) {
            return false;
        }
        int type = Icmp.type(segment, icmp);
        if ((type != SOLICITATION && type != ADVERTISEMENT)
                || Icmp.code(segment, icmp) != 0
                || targetHigh(segment, icmp) >>> 56 == 0xFF) {
            return false;
        }
        int offset = OPTIONS_OFFSET;
        for (int options = 0; offset < messageBytes; options++) {
            if (options == MAX_OPTIONS || messageBytes - offset < 1 << OPTION_UNIT_SHIFT) {
                return false;
            }
            int lengthBytes = Wire.u8(segment, icmp + offset + 1) << OPTION_UNIT_SHIFT;
            if (lengthBytes == 0) {
                return false;
            }
            offset += lengthBytes;
        }
        return offset == messageBytes;
    }

    public static int flags(MemorySegment segment, long icmp) {
        return Wire.u8(segment, icmp + FLAGS_OFFSET);
    }

    public static long targetHigh(MemorySegment segment, long icmp) {
        return Wire.i64(segment, icmp + TARGET_OFFSET);
    }

    public static long targetLow(MemorySegment segment, long icmp) {
        return Wire.i64(segment, icmp + TARGET_OFFSET + 8);
    }

    /**
     * The MAC address in the first option of a kind. Only after {@link #isValid}.
     *
     * @param option {@link #SOURCE_LINK_LAYER} or {@link #TARGET_LINK_LAYER}
     * @return the address, or {@link #NO_ADDRESS}
     */
    public static long linkLayerAddress(
            MemorySegment segment, long icmp, int messageBytes, int option) {
        int offset = OPTIONS_OFFSET;
        while (offset < messageBytes) {
            if (Wire.u8(segment, icmp + offset) == option) {
                return Wire.u48(segment, icmp + offset + 2);
            }
            offset += Wire.u8(segment, icmp + offset + 1) << OPTION_UNIT_SHIFT;
        }
        return NO_ADDRESS;
    }

    /**
     * Writes a message of {@link #WITH_OPTION_BYTES} with the sender's MAC address; {@link
     * Icmp#writeChecksumIpv6} completes it.
     *
     * @param type {@link #SOLICITATION}, with flags 0, or {@link #ADVERTISEMENT}
     */
    public static void write(
            MemorySegment segment,
            long icmp,
            int type,
            int flags,
            long targetHigh,
            long targetLow,
            long mac) {
        int option = type == SOLICITATION ? SOURCE_LINK_LAYER : TARGET_LINK_LAYER;
        Wire.put32(segment, icmp, type << 24);
        Wire.put32(segment, icmp + FLAGS_OFFSET, flags << 24);
        Wire.put64(segment, icmp + TARGET_OFFSET, targetHigh);
        Wire.put64(segment, icmp + TARGET_OFFSET + 8, targetLow);
        Wire.put16(segment, icmp + OPTIONS_OFFSET, (option << 8) | 1);
        Wire.put48(segment, icmp + OPTIONS_OFFSET + 2, mac);
    }
}
