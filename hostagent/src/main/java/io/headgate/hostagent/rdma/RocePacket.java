package io.headgate.hostagent.rdma;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.Cnp;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Icrc;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;

/**
 * A RoCEv2 packet over IPv4 in a frame (InfiniBand architecture, annex A17): Ethernet, IPv4, UDP
 * without a checksum, base transport header, extended headers and payload, padding to four bytes,
 * ICRC.
 */
final class RocePacket {
    static final int PARTITION_KEY = 0xFFFF;

    /** Offset of the byte behind the base transport header, from the frame's first byte. */
    static final int BODY_OFFSET =
            Ethernet.HEADER_BYTES + Ipv4.MIN_HEADER_BYTES + Udp.HEADER_BYTES + Bth.HEADER_BYTES;

    /** Bytes from the IP header to the base transport header. */
    static final int IP_TO_BTH_BYTES = Ipv4.MIN_HEADER_BYTES + Udp.HEADER_BYTES;

    /** Code points of explicit congestion notification (RFC 3168, section 5). */
    static final int NOT_ECT = 0;

    static final int ECT_1 = 1;
    static final int ECT_0 = 2;
    static final int CE = 3;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final int TTL = 64;
    private static final int PAD_MASK = 3;

    private RocePacket() {}

    /**
     * Length from the IP header on of a packet with that many bytes behind its base transport
     * header.
     */
    static int ipBytes(int bodyBytes) {
        return BODY_OFFSET - Ethernet.HEADER_BYTES + bodyBytes + pad(bodyBytes) + Icrc.BYTES;
    }

    private static int pad(int bodyBytes) {
        return -bodyBytes & PAD_MASK;
    }

    /**
     * Writes the headers.
     *
     * @param ecn code point of explicit congestion notification (RFC 3168)
     * @param bodyBytes bytes of extended headers and payload
     * @return address for these; call {@link #seal} afterwards
     */
    static long begin(
            Frame frame,
            Path path,
            int ecn,
            int opcode,
            int bodyBytes,
            int queuePair,
            boolean ackRequest,
            int psn) {
        long at = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.dataOffset = at;
        int ipBytes = ipBytes(bodyBytes);
        frame.lengthBytes = Math.max(Ethernet.MIN_FRAME_BYTES, Ethernet.HEADER_BYTES + ipBytes);
        frame.storedBytes = frame.lengthBytes;
        Ethernet.destination(MEMORY, at, path.peerMac());
        Ethernet.source(MEMORY, at, path.ownMac());
        Ethernet.etherType(MEMORY, at, EtherType.IPV4);
        long ip = at + Ethernet.HEADER_BYTES;
        Ipv4.write(
                MEMORY,
                ip,
                path.dscp() << 2 | ecn,
                ipBytes,
                TTL,
                IpProtocol.UDP,
                path.ownIp(),
                path.peerIp());
        Ipv4.writeChecksum(MEMORY, ip);
        long udp = ip + Ipv4.MIN_HEADER_BYTES;
        Udp.write(MEMORY, udp, path.sourcePort(), Bth.UDP_PORT, ipBytes - Ipv4.MIN_HEADER_BYTES);
        long bth = udp + Udp.HEADER_BYTES;
        int pad = pad(bodyBytes);
        Bth.write(MEMORY, bth, opcode, pad, PARTITION_KEY, queuePair, ackRequest, psn);
        long body = bth + Bth.HEADER_BYTES;
        for (int i = 0; i < pad; i++) {
            Wire.put8(MEMORY, body + bodyBytes + i, 0);
        }
        return body;
    }

    /**
     * Writes the marks that a packet reports.
     *
     * @param body the result of {@link #begin}
     * @param congestion the byte of the base transport header that the ICRC does not cover
     */
    static void congestion(long body, int congestion) {
        Wire.put8(MEMORY, body - Bth.HEADER_BYTES + Bth.CONGESTION_OFFSET, congestion);
    }

    /**
     * Writes a whole congestion notification packet.
     *
     * @param says {@link Cnp#CONGESTED} or {@link Cnp#UNDETERMINED}
     * @param rateBps as {@link Cnp#rateBps}
     */
    static void congestionNotification(
            Frame frame, Path path, int queuePair, int says, long rateBps) {
        long at = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.dataOffset = at;
        frame.lengthBytes = Ethernet.HEADER_BYTES + Cnp.IPV4_BYTES;
        frame.storedBytes = frame.lengthBytes;
        Ethernet.destination(MEMORY, at, path.peerMac());
        Ethernet.source(MEMORY, at, path.ownMac());
        Ethernet.etherType(MEMORY, at, EtherType.IPV4);
        long ip = at + Ethernet.HEADER_BYTES;
        Cnp.writeIpv4(
                MEMORY,
                ip,
                path.ownIp(),
                path.peerIp(),
                path.sourcePort(),
                queuePair,
                says,
                rateBps);
    }

    /** Writes the ICRC, after everything else. */
    static void seal(Frame frame) {
        long ip = frame.dataOffset + Ethernet.HEADER_BYTES;
        int ipBytes = Ipv4.totalBytes(MEMORY, ip);
        Icrc.write(MEMORY, ip, ipBytes - Icrc.BYTES);
        int end = Ethernet.HEADER_BYTES + ipBytes;
        for (int i = end; i < frame.lengthBytes; i++) {
            Wire.put8(MEMORY, frame.dataOffset + i, 0);
        }
    }
}
