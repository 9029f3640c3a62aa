package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The invariant CRC at the end of a RoCEv2 packet (InfiniBand architecture, Annex A17): Ethernet's
 * CRC-32 over eight bytes of ones, then the packet from its IP header to its padding, with fields
 * that change on the way as ones: traffic class, TTL or hop limit, flow label, both checksums, and
 * the byte of FECN and BECN. It is written least significant byte first.
 *
 * <p>Only the headers that the standard covers are accepted: IPv4 without options and unfragmented,
 * IPv6 without extension headers. The packet must be stored whole.
 *
 * <p>The CRC is computed eight bytes at a time from tables (Kounavis and Berry, "A systematic
 * approach to building high performance software-based CRC generators", 2005).
 */
public final class Icrc {
    public static final int BYTES = 4;

    /** Result of {@link #locate} if there is no valid RoCEv2 packet. */
    public static final int ABSENT = -1;

    private static final int REFLECTED_POLYNOMIAL = 0xEDB8_8320;

    /** CRC register after the eight bytes of ones that stand for the local route header. */
    private static final int REGISTER_AFTER_ONES = 0xDEBB_20E3;

    // What counts as ones, in the bytes as little-endian words of eight. With the headers that
    // locate() insists on, UDP begins at 20 or 40 and the BTH at 28 or 48 bytes from IP.
    private static final long IPV4_0_TRAFFIC_CLASS = 0xFF00L;
    private static final long IPV4_8_TTL_CHECKSUM = 0xFFFF_00FFL;
    private static final long IPV4_24_UDP_CHECKSUM = 0xFFFF_0000L;
    private static final long IPV4_32_CONGESTION = 0xFFL;
    private static final long IPV6_0_CLASS_LABEL_HOPS = 0xFF00_0000_FFFF_FF0FL;
    private static final long IPV6_40_UDP_CHECKSUM = 0xFFFFL << 48;
    private static final long IPV6_48_CONGESTION = 0xFFL << 32;

    private static final int IPV4_MASKED_BYTES = 40;
    private static final int IPV6_MASKED_BYTES = 56;

    private static final ValueLayout.OfLong LITTLE_ENDIAN_LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt LITTLE_ENDIAN_INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Eight tables of 256: table k advances a byte over itself and k bytes of zero. */
    private static final int[] TABLES = tables();

    private Icrc() {}

    /**
     * Finds the ICRC of a packet by its lengths, never by the frame's end, which may be padding.
     *
     * @param availableBytes from the IP header on
     * @return bytes from the IP header to the ICRC, or {@link #ABSENT} if this is not a RoCEv2
     *     packet
     */
    public static int locate(MemorySegment segment, long ip, int availableBytes) {
        int headerBytes;
        int packetBytes;
        if (Ipv4.isValid(segment, ip, availableBytes)) {
            headerBytes = Ipv4.headerBytes(segment, ip);
            packetBytes = Ipv4.totalBytes(segment, ip);
            if (headerBytes != Ipv4.MIN_HEADER_BYTES
                    || Ipv4.isFragment(segment, ip)
                    || Ipv4.protocol(segment, ip) != IpProtocol.UDP) {
                return ABSENT;
            }
        } else if (Ipv6.isValid(segment, ip, availableBytes)) {
            headerBytes = Ipv6.HEADER_BYTES;
            packetBytes = Ipv6.HEADER_BYTES + Ipv6.payloadBytes(segment, ip);
            if (Ipv6.nextHeader(segment, ip) != IpProtocol.UDP) {
                return ABSENT;
            }
        } else {
            return ABSENT;
        }
        long udp = ip + headerBytes;
        if (!Udp.isValid(segment, udp, packetBytes - headerBytes)
                || Udp.destinationPort(segment, udp) != Bth.UDP_PORT) {
            return ABSENT;
        }
        int udpBytes = Udp.lengthBytes(segment, udp);
        if (!Bth.isValid(segment, udp + Udp.HEADER_BYTES, udpBytes - Udp.HEADER_BYTES)) {
            return ABSENT;
        }
        return headerBytes + udpBytes - BYTES;
    }

    /**
     * Computes the ICRC of a packet.
     *
     * @param icrcOffset result of {@link #locate}
     */
    public static int compute(MemorySegment segment, long ip, int icrcOffset) {
        int crc = REGISTER_AFTER_ONES;
        int offset;
        if (Ipv4.version(segment, ip) == 4) {
            crc = eight(crc, word(segment, ip) | IPV4_0_TRAFFIC_CLASS);
            crc = eight(crc, word(segment, ip + 8) | IPV4_8_TTL_CHECKSUM);
            crc = eight(crc, word(segment, ip + 16));
            crc = eight(crc, word(segment, ip + 24) | IPV4_24_UDP_CHECKSUM);
            crc = eight(crc, word(segment, ip + 32) | IPV4_32_CONGESTION);
            offset = IPV4_MASKED_BYTES;
        } else {
            crc = eight(crc, word(segment, ip) | IPV6_0_CLASS_LABEL_HOPS);
            crc = eight(crc, word(segment, ip + 8));
            crc = eight(crc, word(segment, ip + 16));
            crc = eight(crc, word(segment, ip + 24));
            crc = eight(crc, word(segment, ip + 32));
            crc = eight(crc, word(segment, ip + 40) | IPV6_40_UDP_CHECKSUM);
            crc = eight(crc, word(segment, ip + 48) | IPV6_48_CONGESTION);
            offset = IPV6_MASKED_BYTES;
        }
        for (; icrcOffset - offset >= 8; offset += 8) {
            crc = eight(crc, word(segment, ip + offset));
        }
        for (; offset < icrcOffset; offset++) {
            crc = (crc >>> 8) ^ TABLES[(crc ^ Wire.u8(segment, ip + offset)) & 0xFF];
        }
        return ~crc;
    }

    /** Whether this is a RoCEv2 packet with a correct ICRC. */
    public static boolean verify(MemorySegment segment, long ip, int availableBytes) {
        int offset = locate(segment, ip, availableBytes);
        return offset != ABSENT && read(segment, ip, offset) == compute(segment, ip, offset);
    }

    /** The ICRC that a packet carries. */
    public static int read(MemorySegment segment, long ip, int icrcOffset) {
        return segment.get(LITTLE_ENDIAN_INT, ip + icrcOffset);
    }

    /** Computes the ICRC and writes it into the packet; its lengths already include the ICRC. */
    public static void write(MemorySegment segment, long ip, int icrcOffset) {
        segment.set(LITTLE_ENDIAN_INT, ip + icrcOffset, compute(segment, ip, icrcOffset));
    }

    private static long word(MemorySegment segment, long offset) {
        return segment.get(LITTLE_ENDIAN_LONG, offset);
    }

    private static int eight(int crc, long word) {
        int low = crc ^ (int) word;
        int high = (int) (word >>> 32);
        return TABLES[7 * 256 + (low & 0xFF)]
                ^ TABLES[6 * 256 + ((low >>> 8) & 0xFF)]
                ^ TABLES[5 * 256 + ((low >>> 16) & 0xFF)]
                ^ TABLES[4 * 256 + (low >>> 24)]
                ^ TABLES[3 * 256 + (high & 0xFF)]
                ^ TABLES[2 * 256 + ((high >>> 8) & 0xFF)]
                ^ TABLES[256 + ((high >>> 16) & 0xFF)]
                ^ TABLES[high >>> 24];
    }

    private static int[] tables() {
        int[] tables = new int[8 * 256];
        for (int index = 0; index < 256; index++) {
            int crc = index;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc >>> 1) ^ (-(crc & 1) & REFLECTED_POLYNOMIAL);
            }
            tables[index] = crc;
        }
        for (int index = 256; index < tables.length; index++) {
            int shorter = tables[index - 256];
            tables[index] = (shorter >>> 8) ^ tables[shorter & 0xFF];
        }
        return tables;
    }
}
