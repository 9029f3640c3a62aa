package io.headgate.dataplane.frame;

import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;

/**
 * The flow of a frame, if five values identify it: addresses, protocol and ports of an unfragmented
 * IP packet of a protocol with ports. The values themselves identify it, not a hash of them. Five
 * words; all but the first two are zero for IPv4.
 *
 * <pre>
 *   word 0: IPv6 (1 bit, from 48), protocol (8 bits, from 32), source port (16), destination port (16)
 *   word 1: IPv4: source (32 bits) and destination (32); IPv6: upper half of the source
 *   word 2 to 4: lower half of the source, upper and lower half of the destination
 * </pre>
 */
public final class FiveTuple {
    public static final int WORDS = 5;

    /** In {@link #word} 0. */
    public static final long IPV6_BIT = 1L << 48;

    private final long[] words = new long[WORDS];

    /** A word, 0 to 4. */
    public long word(int word) {
        return words[word];
    }

    /** Sets a word, 0 to 4, to a value of {@link #word}. */
    public void word(int word, long value) {
        words[word] = value;
    }

    public boolean isIpv6() {
        return (words[0] & IPV6_BIT) != 0;
    }

    public int protocol() {
        return (int) (words[0] >>> 32) & 0xFF;
    }

    /** Sets an IPv4 flow. */
    public void ipv4(int source, int destination, int ports, int protocol) {
        words[0] = (long) protocol << 32 | (ports & 0xFFFF_FFFFL);
        words[1] = (long) source << 32 | (destination & 0xFFFF_FFFFL);
        words[2] = 0;
        words[3] = 0;
        words[4] = 0;
    }

    /** Sets an IPv6 flow; its addresses are set as {@link #word} 1 to 4. */
    public void ipv6(int ports, int protocol) {
        words[0] = IPV6_BIT | (long) protocol << 32 | (ports & 0xFFFF_FFFFL);
    }

    /** Takes the flow of a frame that {@link HeaderParser} has accepted; false if it has none. */
    public boolean read(MemorySegment segment, Frame frame) {
        long first = first(segment, frame);
        if (first == 0) {
            return false;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        words[0] = first;
        if (frame.etherType == EtherType.IPV4) {
            words[1] = Wire.i64(segment, ip + Ipv4.SOURCE_OFFSET);
            words[2] = 0;
            words[3] = 0;
            words[4] = 0;
        } else {
            words[1] = Ipv6.sourceHigh(segment, ip);
            words[2] = Ipv6.sourceLow(segment, ip);
            words[3] = Ipv6.destinationHigh(segment, ip);
            words[4] = Ipv6.destinationLow(segment, ip);
        }
        return true;
    }

    /** Whether a frame that {@link HeaderParser} has accepted is of this flow. */
    public boolean isOf(MemorySegment segment, Frame frame) {
        if (first(segment, frame) != words[0]) {
            return false;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        if (frame.etherType == EtherType.IPV4) {
            return words[1] == Wire.i64(segment, ip + Ipv4.SOURCE_OFFSET);
        }
        return words[1] == Ipv6.sourceHigh(segment, ip)
                && words[2] == Ipv6.sourceLow(segment, ip)
                && words[3] == Ipv6.destinationHigh(segment, ip)
                && words[4] == Ipv6.destinationLow(segment, ip);
    }

    /**
     * {@link #word} 0 of the flow of a frame that {@link HeaderParser} has accepted; 0 if it has
     * none.
     */
    public static long first(MemorySegment segment, Frame frame) {
        if (frame.transportOffset == Frame.ABSENT) {
            return 0;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        long transport = frame.dataOffset + frame.transportOffset;
        if (frame.etherType == EtherType.IPV4) {
            int protocol = Ipv4.protocol(segment, ip);
            return IpProtocol.hasPorts(protocol) && !Ipv4.isFragment(segment, ip)
                    ? (long) protocol << 32 | Wire.u32(segment, transport)
                    : 0;
        }
        // Behind extension headers nothing is looked for.
        int protocol = Ipv6.nextHeader(segment, ip);
        return IpProtocol.hasPorts(protocol)
                ? IPV6_BIT | (long) protocol << 32 | Wire.u32(segment, transport)
                : 0;
    }

    /** {@link #word} 1 of the flow of a frame that has one. */
    public static long second(MemorySegment segment, Frame frame) {
        long ip = frame.dataOffset + frame.ipOffset;
        return frame.etherType == EtherType.IPV4
                ? Wire.i64(segment, ip + Ipv4.SOURCE_OFFSET)
                : Ipv6.sourceHigh(segment, ip);
    }
}
