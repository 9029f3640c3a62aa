package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;

/**
 * The Internet checksum (RFC 1071) and its incremental update (RFC 1624).
 *
 * <p>A <i>sum</i> is a {@code long} that has not been folded: sums of several ranges add up,
 * provided that all but the last have an even length. Ranges of up to 64 KiB cannot overflow it.
 */
public final class Checksum {
    private static final long MASK_32 = 0xFFFF_FFFFL;

    private Checksum() {}

    /** Sum over a range; a range of odd length is padded with a zero byte. */
    public static long sum(MemorySegment segment, long offset, int lengthBytes) {
        long sum = 0;
        long at = offset;
        long end = offset + lengthBytes;
        for (; end - at >= 8; at += 8) {
            long eight = Wire.i64(segment, at);
            sum += (eight >>> 32) + (eight & MASK_32);
        }
        if (end - at >= 4) {
            sum += Wire.u32(segment, at);
            at += 4;
        }
        if (end - at >= 2) {
            sum += Wire.u16(segment, at);
            at += 2;
        }
        if (end > at) {
            sum += Wire.u8(segment, at) << 8;
        }
        return sum;
    }

    /**
     * Folds a sum and complements it: the 16 bits for the wire, or 0 if the data includes a correct
     * checksum.
     */
    public static int finish(long sum) {
        long folded = (sum >>> 32) + (sum & MASK_32);
        folded = (folded >>> 16) + (folded & 0xFFFF);
        folded = (folded >>> 16) + (folded & 0xFFFF);
        folded = (folded >>> 16) + (folded & 0xFFFF);
        return (int) (~folded & 0xFFFF);
    }

    /**
     * The checksum after one 16-bit word has changed (RFC 1624, equation 3). For UDP, the caller
     * does not change a checksum of zero, and writes 0xFFFF if this returns zero.
     */
    public static int update(int checksum, int wordBefore, int wordAfter) {
        return finish((~checksum & 0xFFFF) + (~wordBefore & 0xFFFF) + (wordAfter & 0xFFFF));
    }

    /**
     * The checksum of a transport message over IPv6, pseudo header included; 0 if the message
     * includes a correct checksum.
     */
    public static int overIpv6(
            MemorySegment segment, long ip, int nextHeader, long message, int messageBytes) {
        long pseudoHeader = sum(segment, ip + Ipv6.SOURCE_OFFSET, 32) + nextHeader + messageBytes;
        return finish(pseudoHeader + sum(segment, message, messageBytes));
    }
}
