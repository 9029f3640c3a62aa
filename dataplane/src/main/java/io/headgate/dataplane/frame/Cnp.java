package io.headgate.dataplane.frame;

import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;

/**
 * RoCEv2's congestion notification packet (InfiniBand architecture, Annex A17): a receiver notifies
 * the sender of a queue pair that its frames arrived marked. It is a BTH with its own opcode, the
 * sender's queue pair and BECN, then sixteen reserved bytes; addresses are those of the marked
 * frames, swapped. The first eight reserved bytes carry the rate at which frames arrived, in bits
 * per second, if the receiver reports it (PCN, NSDI 2020); otherwise all are zero.
 *
 * <p>The undetermined mark, of a port that cannot tell whether it is congested (TCD, SIGCOMM 2021),
 * is the highest of the BTH's reserved bits, which the ICRC does not cover, like BECN.
 */
public final class Cnp {
    /** Length of its IPv4 packet. */
    public static final int IPV4_BYTES =
            Ipv4.MIN_HEADER_BYTES + Udp.HEADER_BYTES + Bth.HEADER_BYTES + 16 + Icrc.BYTES;

    /** DSCP and priority of these packets. */
    public static final int DSCP = 48;

    public static final int PRIORITY = 6;

    /** Frames arrived with the congestion mark. */
    public static final int CONGESTED = Bth.BECN;

    /** Frames arrived with the undetermined mark. */
    public static final int UNDETERMINED = 0x20;

    /** The kind of these notices; no {@link Notice} uses this value. */
    public static final int KIND = 0x8100;

    private static final int TTL = 64;
    private static final int PARTITION_KEY = 0xFFFF;
    private static final int RATE_OFFSET = Udp.HEADER_BYTES + Bth.HEADER_BYTES;
    private static final int DATAGRAM_BYTES = IPV4_BYTES - Ipv4.MIN_HEADER_BYTES;

    private Cnp() {}

    /**
     * Whether a parsed frame is a congestion notification packet, by its headers; nothing after
     * them is checked.
     */
    public static boolean is(MemorySegment segment, Frame frame) {
        if (frame.transportOffset == Frame.ABSENT
                || frame.storedBytes
                        < frame.transportOffset + Udp.HEADER_BYTES + Bth.HEADER_BYTES) {
            return false;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        long udp = frame.dataOffset + frame.transportOffset;
        int protocol =
                frame.etherType == EtherType.IPV4
                        ? Ipv4.protocol(segment, ip)
                        : Ipv6.nextHeader(segment, ip);
        return protocol == IpProtocol.UDP
                && Udp.destinationPort(segment, udp) == Bth.UDP_PORT
                && Bth.opcode(segment, udp + Udp.HEADER_BYTES) == Bth.CONGESTION_NOTIFICATION;
    }

    /**
     * The marks that a packet over IPv4 or IPv6 reports: {@link #CONGESTED}, {@link #UNDETERMINED}.
     */
    public static int says(MemorySegment segment, long udp) {
        return Bth.congestion(segment, udp + Udp.HEADER_BYTES) & (CONGESTED | UNDETERMINED);
    }

    /**
     * The rate at which frames arrived, in bits per second; 0: not reported.
     *
     * @param bytes length of the datagram
     */
    public static long rateBps(MemorySegment segment, long udp, int bytes) {
        return bytes < RATE_OFFSET + Long.BYTES ? 0 : Wire.i64(segment, udp + RATE_OFFSET);
    }

    /** The queue pair that sent the marked frames. */
    public static int queuePair(MemorySegment segment, long udp) {
        return Bth.destinationQp(segment, udp + Udp.HEADER_BYTES);
    }

    /**
     * Writes a whole packet over IPv4.
     *
     * @param ip offset of its {@link #IPV4_BYTES}
     * @param from the receiver of the marked frames
     * @param to their sender
     * @param says {@link #CONGESTED}, {@link #UNDETERMINED}
     * @param rateBps as {@link #rateBps}
     */
    public static void writeIpv4(
            MemorySegment segment,
            long ip,
            int from,
            int to,
            int sourcePort,
            int queuePair,
            int says,
            long rateBps) {
        Ipv4.write(segment, ip, DSCP << 2, IPV4_BYTES, TTL, IpProtocol.UDP, from, to);
        Ipv4.writeChecksum(segment, ip);
        long udp = ip + Ipv4.MIN_HEADER_BYTES;
        Udp.write(segment, udp, sourcePort, Bth.UDP_PORT, DATAGRAM_BYTES);
        long bth = udp + Udp.HEADER_BYTES;
        Bth.write(segment, bth, Bth.CONGESTION_NOTIFICATION, 0, PARTITION_KEY, queuePair, false, 0);
        Wire.put8(segment, bth + Bth.CONGESTION_OFFSET, says);
        Wire.put64(segment, udp + RATE_OFFSET, rateBps);
        Wire.put64(segment, bth + Bth.HEADER_BYTES + Long.BYTES, 0);
        Icrc.write(segment, ip, IPV4_BYTES - Icrc.BYTES);
    }
}
