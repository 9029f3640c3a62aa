package io.headgate.dataplane.frame;

import static io.headgate.dataplane.memory.FrameRegion.MEMORY;

import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;

/**
 * Frames that stand for several TCP segments, because the sender left the cutting to hardware (TCP
 * segmentation offload): computes the length that such a frame counts as, and cuts it into segments
 * as Linux does (tcp_gso_segment). Each segment has the frame's headers, except for
 *
 * <ul>
 *   <li>the lengths of IP, and the identification of IPv4, which increases by one per segment (RFC
 *       6864 only requires that it is not repeated soon);
 *   <li>the sequence number;
 *   <li>CWR, only on the first (RFC 3168 section 6.1.2: once per window); FIN and PSH, only on the
 *       last;
 *   <li>the checksums.
 * </ul>
 *
 * <p>In the frame itself, the TCP checksum covers only the pseudo header and is not complemented,
 * as Linux passes such frames (CHECKSUM_PARTIAL).
 */
public final class TcpSegments {
    /** Offset of the checksum in a TCP header (RFC 9293). */
    public static final int CHECKSUM_OFFSET = 16;

    private static final int SEQUENCE_OFFSET = 4;
    private static final int HEADER_LENGTH_OFFSET = 12;
    private static final int FLAGS_OFFSET = 13;
    private static final int MIN_HEADER_BYTES = 20;
    private static final int FIN = 0x01;
    private static final int PSH = 0x08;
    private static final int CWR = 0x80;

    private TcpSegments() {}

    /** Whether a frame of protocol TCP has a complete header and some payload. */
    public static boolean isTcp(Frame frame) {
        int tcpBytes = frame.storedBytes - frame.transportOffset;
        return tcpBytes >= MIN_HEADER_BYTES
                && tcpHeaderBytes(tcp(frame)) >= MIN_HEADER_BYTES
                && tcpHeaderBytes(tcp(frame)) < tcpBytes;
    }

    private static int tcpHeaderBytes(long tcp) {
        return Wire.u8(MEMORY, tcp + HEADER_LENGTH_OFFSET) >>> 4 << 2;
    }

    /** Whether the CWR flag is set: the sender has reduced its rate (RFC 3168). */
    public static boolean hasCwr(Frame frame) {
        return (Wire.u8(MEMORY, tcp(frame) + FLAGS_OFFSET) & CWR) != 0;
    }

    private static long tcp(Frame frame) {
        return frame.dataOffset + frame.transportOffset;
    }

    /** Length of all headers of a frame, which each of its segments also has, in bytes. */
    public static int headerBytes(Frame frame) {
        return frame.transportOffset + tcpHeaderBytes(tcp(frame));
    }

    /** How many segments a frame stands for; 1 for an ordinary frame. */
    public static int count(Frame frame) {
        return frame.segmentBytes == 0
                ? 1
                : Math.ceilDiv(frame.storedBytes - headerBytes(frame), frame.segmentBytes);
    }

    /** Length of the longest of its segments. */
    public static int longestBytes(Frame frame) {
        return headerBytes(frame) + frame.segmentBytes;
    }

    /**
     * The length that a frame counts as: the lengths of its segments' frames, and the wire's
     * overhead between them (FCS, gap, preamble). Together with the overhead of one frame, that is
     * all that they occupy on the wire.
     */
    public static long countedBytes(int storedBytes, int headerBytes, int segmentBytes) {
        long segments = Math.ceilDiv(storedBytes - headerBytes, segmentBytes);
        return storedBytes + (segments - 1) * (headerBytes + Ethernet.WIRE_OVERHEAD_BYTES);
    }

    /** Writes the sum of the whole frame's pseudo header into the checksum field. */
    public static void beginChecksum(Frame frame) {
        int bytes = frame.storedBytes - frame.transportOffset;
        // A finished sum is complemented, and one that the rest is still added to is not.
        int sum = ~Checksum.finish(pseudoHeader(frame, frame.dataOffset, bytes)) & 0xFFFF;
        Wire.put16(MEMORY, tcp(frame) + CHECKSUM_OFFSET, sum);
    }

    /** The checksum that the whole frame would have on a wire. */
    public static int checksum(Frame frame) {
        int bytes = frame.storedBytes - frame.transportOffset;
        return Checksum.finish(Checksum.sum(MEMORY, tcp(frame), bytes));
    }

    private static long pseudoHeader(Frame whole, long data, int tcpBytes) {
        long ip = data + whole.ipOffset;
        long addresses =
                whole.etherType == EtherType.IPV4
                        ? Checksum.sum(MEMORY, ip + Ipv4.SOURCE_OFFSET, 8)
                        : Checksum.sum(MEMORY, ip + Ipv6.SOURCE_OFFSET, 32);
        return addresses + IpProtocol.TCP + tcpBytes;
    }

    /**
     * Writes one of a frame's segments.
     *
     * @param number 0 to {@link #count} - 1
     * @param into receives the bytes from its {@code dataOffset} on, and both lengths
     */
    public static void cut(Frame whole, int number, Frame into) {
        int headerBytes = headerBytes(whole);
        int from = number * whole.segmentBytes;
        int payloadBytes = Math.min(whole.segmentBytes, whole.storedBytes - headerBytes - from);
        boolean isLast = headerBytes + from + payloadBytes == whole.storedBytes;
        long data = into.dataOffset;
        copy(whole.dataOffset, data, headerBytes);
        copy(whole.dataOffset + headerBytes + from, data + headerBytes, payloadBytes);
        into.lengthBytes = headerBytes + payloadBytes;
        into.storedBytes = into.lengthBytes;
        long ip = data + whole.ipOffset;
        int packetBytes = into.lengthBytes - whole.ipOffset;
        if (whole.etherType == EtherType.IPV4) {
            Wire.put16(MEMORY, ip + Ipv4.TOTAL_LENGTH_OFFSET, packetBytes);
            Ipv4.identification(MEMORY, ip, Ipv4.identification(MEMORY, ip) + number);
            Ipv4.writeChecksum(MEMORY, ip);
        } else {
            Ipv6.payloadBytes(MEMORY, ip, packetBytes - Ipv6.HEADER_BYTES);
        }
        long tcp = data + whole.transportOffset;
        long sequence = Wire.u32(MEMORY, tcp + SEQUENCE_OFFSET) + from;
        Wire.put32(MEMORY, tcp + SEQUENCE_OFFSET, (int) sequence);
        int flags = Wire.u8(MEMORY, tcp + FLAGS_OFFSET);
        flags &= isLast ? ~0 : ~(FIN | PSH);
        flags &= number == 0 ? ~0 : ~CWR;
        Wire.put8(MEMORY, tcp + FLAGS_OFFSET, flags);
        Wire.put16(MEMORY, tcp + CHECKSUM_OFFSET, 0);
        int tcpBytes = into.lengthBytes - whole.transportOffset;
        int checksum =
                Checksum.finish(
                        pseudoHeader(whole, data, tcpBytes) + Checksum.sum(MEMORY, tcp, tcpBytes));
        Wire.put16(MEMORY, tcp + CHECKSUM_OFFSET, checksum);
    }

    private static void copy(long from, long to, int bytes) {
        MemorySegment.copy(MEMORY, from, MEMORY, to, bytes);
    }
}
