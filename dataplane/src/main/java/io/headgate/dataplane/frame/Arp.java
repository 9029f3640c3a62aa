package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;

/**
 * ARP for IPv4 over Ethernet (RFC 826).
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-------------------------------+-------------------------------+
 *  |     hardware type (1)         |    protocol type (0x0800)     |
 *  +---------------+---------------+-------------------------------+
 *  | hw length (6) | pr length (4) |           operation           |
 *  +---------------+---------------+-------------------------------+
 *  |                     sender hardware address                   |
 *  |                               +-------------------------------+
 *  |                               |    sender protocol address    |
 *  +-------------------------------+-------------------------------+
 *  |                               |                               |
 *  +-------------------------------+                               |
 *  |                     target hardware address                   |
 *  +---------------------------------------------------------------+
 *  |                    target protocol address                    |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class Arp {
    public static final int HARDWARE_TYPE_OFFSET = 0;
    public static final int PROTOCOL_TYPE_OFFSET = 2;
    public static final int HARDWARE_LENGTH_OFFSET = 4;
    public static final int PROTOCOL_LENGTH_OFFSET = 5;
    public static final int OPERATION_OFFSET = 6;
    public static final int SENDER_MAC_OFFSET = 8;
    public static final int SENDER_IP_OFFSET = 14;
    public static final int TARGET_MAC_OFFSET = 18;
    public static final int TARGET_IP_OFFSET = 24;
    public static final int MESSAGE_BYTES = 28;

    public static final int REQUEST = 1;
    public static final int REPLY = 2;

    /** The first eight bytes without the operation; they are fixed for IPv4 over Ethernet. */
    private static final long FIXED_PART = 0x0001_0800_0604_0000L;

    private Arp() {}

    /** Whether the message is complete and for IPv4 over Ethernet, with any operation. */
    public static boolean isValid(MemorySegment segment, long arp, int availableBytes) {
        return availableBytes >= MESSAGE_BYTES && (Wire.i64(segment, arp) & ~0xFFFFL) == FIXED_PART;
    }

    public static int operation(MemorySegment segment, long arp) {
        return Wire.u16(segment, arp + OPERATION_OFFSET);
    }

    public static long senderMac(MemorySegment segment, long arp) {
        return Wire.u48(segment, arp + SENDER_MAC_OFFSET);
    }

    public static int senderIp(MemorySegment segment, long arp) {
        return Wire.i32(segment, arp + SENDER_IP_OFFSET);
    }

    public static long targetMac(MemorySegment segment, long arp) {
        return Wire.u48(segment, arp + TARGET_MAC_OFFSET);
    }

    public static int targetIp(MemorySegment segment, long arp) {
        return Wire.i32(segment, arp + TARGET_IP_OFFSET);
    }

    /** Writes a whole message; in a request the target's MAC address is zero. */
    public static void write(
            MemorySegment segment,
            long arp,
            int operation,
            long senderMac,
            int senderIp,
            long targetMac,
            int targetIp) {
        Wire.put64(segment, arp, FIXED_PART | operation);
        Wire.put48(segment, arp + SENDER_MAC_OFFSET, senderMac);
        Wire.put32(segment, arp + SENDER_IP_OFFSET, senderIp);
        Wire.put48(segment, arp + TARGET_MAC_OFFSET, targetMac);
        Wire.put32(segment, arp + TARGET_IP_OFFSET, targetIp);
    }
}
