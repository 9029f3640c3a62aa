package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;

/**
 * The IPv6 header and the walk over its extension headers (RFC 8200).
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-------+-----------+---+---------------------------------------+
 *  |version|   DSCP    |ECN|              flow label               |
 *  +-------+-----------+---+-------+---------------+---------------+
 *  |        payload length         |  next header  |   hop limit   |
 *  +-------------------------------+---------------+---------------+
 *  |                       source, 16 bytes                        |
 *  +---------------------------------------------------------------+
 *  |                     destination, 16 bytes                     |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class Ipv6 {
    public static final int VERSION_OFFSET = 0;
    public static final int PAYLOAD_LENGTH_OFFSET = 4;
    public static final int NEXT_HEADER_OFFSET = 6;
    public static final int HOP_LIMIT_OFFSET = 7;
    public static final int SOURCE_OFFSET = 8;
    public static final int DESTINATION_OFFSET = 24;
    public static final int HEADER_BYTES = 40;

    /**
     * Maximum number of extension headers that are parsed. Protocols in use do not need more
     * (hop-by-hop, destination options, routing, fragment), and a frame must not cause more work.
     */
    public static final int MAX_EXTENSION_HEADERS = 4;

    /** Result of {@link #transport} if no transport header can be found. */
    public static final long NO_TRANSPORT = -1;

    private static final int EXTENSION_MIN_BYTES = 8;
    private static final int FRAGMENT_OFFSET_AND_MORE_MASK = 0xFFF9;
    private static final int FRAGMENT_OFFSET_MASK = 0xFFF8;
    private static final long FRAGMENT_BIT = 1L << 40;

    private Ipv6() {}

    /** Whether version and payload length are consistent with the available bytes. */
    public static boolean isValid(MemorySegment segment, long ip, int availableBytes) {
        return availableBytes >= HEADER_BYTES
                && version(segment, ip) == 6
                && payloadBytes(segment, ip) <= availableBytes - HEADER_BYTES;
    }

    public static int version(MemorySegment segment, long ip) {
        return Wire.u8(segment, ip + VERSION_OFFSET) >>> 4;
    }

    /** DSCP and ECN together. */
    public static int trafficClass(MemorySegment segment, long ip) {
        return (Wire.u16(segment, ip + VERSION_OFFSET) >>> 4) & 0xFF;
    }

    public static int dscp(MemorySegment segment, long ip) {
        return trafficClass(segment, ip) >>> 2;
    }

    public static int ecn(MemorySegment segment, long ip) {
        return trafficClass(segment, ip) & 3;
    }

    public static int flowLabel(MemorySegment segment, long ip) {
        return Wire.i32(segment, ip + VERSION_OFFSET) & 0xF_FFFF;
    }

    /** Number of bytes after this header, extension headers included. */
    public static int payloadBytes(MemorySegment segment, long ip) {
        return Wire.u16(segment, ip + PAYLOAD_LENGTH_OFFSET);
    }

    public static void payloadBytes(MemorySegment segment, long ip, int payloadBytes) {
        Wire.put16(segment, ip + PAYLOAD_LENGTH_OFFSET, payloadBytes);
    }

    public static int nextHeader(MemorySegment segment, long ip) {
        return Wire.u8(segment, ip + NEXT_HEADER_OFFSET);
    }

    public static int hopLimit(MemorySegment segment, long ip) {
        return Wire.u8(segment, ip + HOP_LIMIT_OFFSET);
    }

    /** First eight bytes of the source address. */
    public static long sourceHigh(MemorySegment segment, long ip) {
        return Wire.i64(segment, ip + SOURCE_OFFSET);
    }

    public static long sourceLow(MemorySegment segment, long ip) {
        return Wire.i64(segment, ip + SOURCE_OFFSET + 8);
    }

    /** First eight bytes of the destination address. */
    public static long destinationHigh(MemorySegment segment, long ip) {
        return Wire.i64(segment, ip + DESTINATION_OFFSET);
    }

    public static long destinationLow(MemorySegment segment, long ip) {
        return Wire.i64(segment, ip + DESTINATION_OFFSET + 8);
    }

    /** Writes all but the addresses; the flow label becomes zero. */
    public static void write(
            MemorySegment segment,
            long ip,
            int trafficClass,
            int payloadBytes,
            int nextHeader,
            int hopLimit) {
        Wire.put32(segment, ip + VERSION_OFFSET, (6 << 28) | ((trafficClass & 0xFF) << 20));
        Wire.put16(segment, ip + PAYLOAD_LENGTH_OFFSET, payloadBytes);
        Wire.put8(segment, ip + NEXT_HEADER_OFFSET, nextHeader);
        Wire.put8(segment, ip + HOP_LIMIT_OFFSET, hopLimit);
    }

    public static void source(MemorySegment segment, long ip, long high, long low) {
        Wire.put64(segment, ip + SOURCE_OFFSET, high);
        Wire.put64(segment, ip + SOURCE_OFFSET + 8, low);
    }

    public static void destination(MemorySegment segment, long ip, long high, long low) {
        Wire.put64(segment, ip + DESTINATION_OFFSET, high);
        Wire.put64(segment, ip + DESTINATION_OFFSET + 8, low);
    }

    /** Replaces DSCP and ECN. IPv6 has no header checksum, and transports do not cover them. */
    public static void trafficClass(MemorySegment segment, long ip, int trafficClass) {
        int word = Wire.u16(segment, ip + VERSION_OFFSET) & 0xF00F;
        Wire.put16(segment, ip + VERSION_OFFSET, word | ((trafficClass & 0xFF) << 4));
    }

    /** Replaces ECN (0 to 3). */
    public static void ecn(MemorySegment segment, long ip, int ecn) {
        trafficClass(segment, ip, (trafficClass(segment, ip) & ~3) | (ecn & 3));
    }

    public static void hopLimit(MemorySegment segment, long ip, int hopLimit) {
        Wire.put8(segment, ip + HOP_LIMIT_OFFSET, hopLimit);
    }

    /**
     * Finds the transport header behind at most {@link #MAX_EXTENSION_HEADERS} extension headers.
     * Only after {@link #isValid}.
     *
     * @param storedBytes bytes from the IP header on that may be read
     * @return a value to read with {@link #transportOffset}, {@link #transportProtocol} and {@link
     *     #transportIsFragment}; or {@link #NO_TRANSPORT}: too many or cut extension headers, a
     *     fragment that is not the first, or no next header
     */
    public static long transport(MemorySegment segment, long ip, int storedBytes) {
        int next = nextHeader(segment, ip);
        if (next == IpProtocol.TCP || next == IpProtocol.UDP) {
            return ((long) next << 32) | HEADER_BYTES;
        }
        return walk(segment, ip, Math.min(storedBytes, HEADER_BYTES + payloadBytes(segment, ip)));
    }

    /** Bytes from the IP header to the transport header. */
    public static int transportOffset(long transport) {
        return (int) transport;
    }

    public static int transportProtocol(long transport) {
        return (int) (transport >>> 32) & 0xFF;
    }

    /** Whether the packet is the first fragment of several. */
    public static boolean transportIsFragment(long transport) {
        return (transport & FRAGMENT_BIT) != 0;
    }

    private static long walk(MemorySegment segment, long ip, int endBytes) {
        int next = nextHeader(segment, ip);
        int offset = HEADER_BYTES;
        long fragment = 0;
        for (int walked = 0; isExtension(next); walked++) {
            if (walked == MAX_EXTENSION_HEADERS || endBytes - offset < EXTENSION_MIN_BYTES) {
                return NO_TRANSPORT;
            }
            long header = ip + offset;
            int lengthBytes = EXTENSION_MIN_BYTES;
            if (next == IpProtocol.FRAGMENT) {
                int word = Wire.u16(segment, header + 2);
                if ((word & FRAGMENT_OFFSET_MASK) != 0) {
                    return NO_TRANSPORT;
                }
                fragment = (word & FRAGMENT_OFFSET_AND_MORE_MASK) != 0 ? FRAGMENT_BIT : fragment;
            } else {
                lengthBytes += Wire.u8(segment, header + 1) << 3;
            }
            next = Wire.u8(segment, header);
            offset += lengthBytes;
        }
        if (next == IpProtocol.NO_NEXT_HEADER || offset > endBytes) {
            return NO_TRANSPORT;
        }
        return fragment | ((long) next << 32) | offset;
    }

    private static boolean isExtension(int nextHeader) {
        return nextHeader == IpProtocol.HOP_BY_HOP
                || nextHeader == IpProtocol.ROUTING
                || nextHeader == IpProtocol.FRAGMENT
                || nextHeader == IpProtocol.DESTINATION_OPTIONS;
    }
}
