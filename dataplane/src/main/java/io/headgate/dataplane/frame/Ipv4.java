package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;

/**
 * The IPv4 header (RFC 791; DSCP and ECN after RFC 2474 and 3168).
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-------+-------+-----------+---+-------------------------------+
 *  |version|  IHL  |   DSCP    |ECN|         total length          |
 *  +-------+-------+-----------+---+-----+-------------------------+
 *  |        identification         |flags|     fragment offset     |
 *  +---------------+---------------+-----+-------------------------+
 *  |      TTL      |   protocol    |        header checksum        |
 *  +---------------+---------------+-------------------------------+
 *  |                            source                             |
 *  +---------------------------------------------------------------+
 *  |                          destination                          |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class Ipv4 {
    public static final int VERSION_OFFSET = 0;
    public static final int TRAFFIC_CLASS_OFFSET = 1;
    public static final int TOTAL_LENGTH_OFFSET = 2;
    public static final int IDENTIFICATION_OFFSET = 4;
    public static final int FLAGS_OFFSET = 6;
    public static final int TTL_OFFSET = 8;
    public static final int PROTOCOL_OFFSET = 9;
    public static final int CHECKSUM_OFFSET = 10;
    public static final int SOURCE_OFFSET = 12;
    public static final int DESTINATION_OFFSET = 16;
    public static final int MIN_HEADER_BYTES = 20;

    private static final int DONT_FRAGMENT_BIT = 0x4000;
    private static final int MORE_FRAGMENTS_BIT = 0x2000;
    private static final int FRAGMENT_OFFSET_MASK = 0x1FFF;

    private Ipv4() {}

    /**
     * Whether version, header length and total length are consistent with each other and with the
     * available bytes. The checksum is not checked.
     */
    public static boolean isValid(MemorySegment segment, long ip, int availableBytes) {
        return availableBytes >= MIN_HEADER_BYTES && isValid(Wire.i32(segment, ip), availableBytes);
    }

    // The first four bytes, read once, tell all that finding the transport header takes.

    /**
     * As {@link #isValid(MemorySegment, long, int)}, for the given first four bytes of a header.
     */
    static boolean isValid(int firstWord, int availableBytes) {
        int header = headerBytes(firstWord);
        int total = totalBytes(firstWord);
        return firstWord >>> 28 == 4
                && header >= MIN_HEADER_BYTES
                && header <= total
                && total <= availableBytes;
    }

    static int headerBytes(int firstWord) {
        return (firstWord >>> 24 & 0xF) << 2;
    }

    static int totalBytes(int firstWord) {
        return firstWord & 0xFFFF;
    }

    public static int version(MemorySegment segment, long ip) {
        return Wire.u8(segment, ip + VERSION_OFFSET) >>> 4;
    }

    /** Length of the header with its options, in bytes. */
    public static int headerBytes(MemorySegment segment, long ip) {
        return (Wire.u8(segment, ip + VERSION_OFFSET) & 0xF) << 2;
    }

    /** DSCP and ECN together: the byte formerly called type of service. */
    public static int trafficClass(MemorySegment segment, long ip) {
        return Wire.u8(segment, ip + TRAFFIC_CLASS_OFFSET);
    }

    public static int dscp(MemorySegment segment, long ip) {
        return trafficClass(segment, ip) >>> 2;
    }

    public static int ecn(MemorySegment segment, long ip) {
        return trafficClass(segment, ip) & 3;
    }

    /** Length of header and payload, in bytes. */
    public static int totalBytes(MemorySegment segment, long ip) {
        return Wire.u16(segment, ip + TOTAL_LENGTH_OFFSET);
    }

    public static int identification(MemorySegment segment, long ip) {
        return Wire.u16(segment, ip + IDENTIFICATION_OFFSET);
    }

    public static boolean dontFragment(MemorySegment segment, long ip) {
        return (Wire.u16(segment, ip + FLAGS_OFFSET) & DONT_FRAGMENT_BIT) != 0;
    }

    public static boolean moreFragments(MemorySegment segment, long ip) {
        return (Wire.u16(segment, ip + FLAGS_OFFSET) & MORE_FRAGMENTS_BIT) != 0;
    }

    /** Offset of this fragment's payload in the packet, in bytes. */
    public static int fragmentOffsetBytes(MemorySegment segment, long ip) {
        return (Wire.u16(segment, ip + FLAGS_OFFSET) & FRAGMENT_OFFSET_MASK) << 3;
    }

    /** Whether it is a fragment, the first one included. */
    public static boolean isFragment(MemorySegment segment, long ip) {
        int flags = Wire.u16(segment, ip + FLAGS_OFFSET);
        return (flags & (MORE_FRAGMENTS_BIT | FRAGMENT_OFFSET_MASK)) != 0;
    }

    public static int ttl(MemorySegment segment, long ip) {
        return Wire.u8(segment, ip + TTL_OFFSET);
    }

    public static int protocol(MemorySegment segment, long ip) {
        return Wire.u8(segment, ip + PROTOCOL_OFFSET);
    }

    public static int checksum(MemorySegment segment, long ip) {
        return Wire.u16(segment, ip + CHECKSUM_OFFSET);
    }

    public static int source(MemorySegment segment, long ip) {
        return Wire.i32(segment, ip + SOURCE_OFFSET);
    }

    public static int destination(MemorySegment segment, long ip) {
        return Wire.i32(segment, ip + DESTINATION_OFFSET);
    }

    /** Whether the header's checksum is correct. Only after {@link #isValid}. */
    public static boolean isChecksumRight(MemorySegment segment, long ip) {
        return Checksum.finish(Checksum.sum(segment, ip, headerBytes(segment, ip))) == 0;
    }

    /**
     * Writes a header without options, with "don't fragment" set, and identification and checksum
     * zero; {@link #writeChecksum} completes it.
     */
    public static void write(
            MemorySegment segment,
            long ip,
            int trafficClass,
            int totalBytes,
            int ttl,
            int protocol,
            int source,
            int destination) {
        Wire.put8(segment, ip + VERSION_OFFSET, 0x45);
        Wire.put8(segment, ip + TRAFFIC_CLASS_OFFSET, trafficClass);
        Wire.put16(segment, ip + TOTAL_LENGTH_OFFSET, totalBytes);
        Wire.put16(segment, ip + IDENTIFICATION_OFFSET, 0);
        Wire.put16(segment, ip + FLAGS_OFFSET, DONT_FRAGMENT_BIT);
        Wire.put8(segment, ip + TTL_OFFSET, ttl);
        Wire.put8(segment, ip + PROTOCOL_OFFSET, protocol);
        Wire.put16(segment, ip + CHECKSUM_OFFSET, 0);
        Wire.put32(segment, ip + SOURCE_OFFSET, source);
        Wire.put32(segment, ip + DESTINATION_OFFSET, destination);
    }

    public static void identification(MemorySegment segment, long ip, int identification) {
        Wire.put16(segment, ip + IDENTIFICATION_OFFSET, identification);
    }

    /** Recomputes the header's checksum and writes it. Only after {@link #isValid}. */
    public static void writeChecksum(MemorySegment segment, long ip) {
        Wire.put16(segment, ip + CHECKSUM_OFFSET, 0);
        int checksum = Checksum.finish(Checksum.sum(segment, ip, headerBytes(segment, ip)));
        Wire.put16(segment, ip + CHECKSUM_OFFSET, checksum);
    }

    /** Replaces DSCP and ECN and updates the checksum (RFC 1624), which stays correct if it was. */
    public static void trafficClass(MemorySegment segment, long ip, int trafficClass) {
        int before = Wire.u16(segment, ip + VERSION_OFFSET);
        int after = (before & 0xFF00) | (trafficClass & 0xFF);
        Wire.put16(segment, ip + VERSION_OFFSET, after);
        updateChecksum(segment, ip, before, after);
    }

    /** Replaces the length of header and payload, and updates the checksum. */
    public static void totalBytes(MemorySegment segment, long ip, int totalBytes) {
        int before = Wire.u16(segment, ip + TOTAL_LENGTH_OFFSET);
        Wire.put16(segment, ip + TOTAL_LENGTH_OFFSET, totalBytes);
        updateChecksum(segment, ip, before, totalBytes);
    }

    /** Replaces ECN (0 to 3) and updates the checksum. */
    public static void ecn(MemorySegment segment, long ip, int ecn) {
        trafficClass(segment, ip, (trafficClass(segment, ip) & ~3) | (ecn & 3));
    }

    /** Replaces TTL and updates the checksum. */
    public static void ttl(MemorySegment segment, long ip, int ttl) {
        int before = Wire.u16(segment, ip + TTL_OFFSET);
        int after = ((ttl & 0xFF) << 8) | (before & 0xFF);
        Wire.put16(segment, ip + TTL_OFFSET, after);
        updateChecksum(segment, ip, before, after);
    }

    private static void updateChecksum(MemorySegment segment, long ip, int before, int after) {
        int checksum = Checksum.update(checksum(segment, ip), before, after);
        Wire.put16(segment, ip + CHECKSUM_OFFSET, checksum);
    }
}
