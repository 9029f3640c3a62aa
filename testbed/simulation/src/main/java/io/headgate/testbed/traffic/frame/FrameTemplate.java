package io.headgate.testbed.traffic.frame;

import io.headgate.dataplane.frame.Aeth;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.Checksum;
import io.headgate.dataplane.frame.Cnp;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Icrc;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.frame.Reth;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.hostagent.rdma.Psn;
import io.headgate.hostagent.rdma.Requester;
import io.headgate.hostagent.rdma.Responder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The headers of a flow's frames, built once as words that are copied into each frame. Also writes
 * the fields that differ from frame to frame.
 */
public final class FrameTemplate {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int SCRATCH_BYTES = 128;

    // Words copied per step.
    private static final int STEP = 4;
    private static final int STEP_BYTES = STEP * Long.BYTES;

    // As in Wire: of what is within it the compiler knows that it is within all memory.
    private static final long IN_RANGE = Long.MAX_VALUE >>> 1;

    private static final int TTL = 64;
    private static final int DEFAULT_PARTITION_KEY = 0xFFFF;

    /** The bits of a flow's number that its frames carry as queue pair. */
    public static final int QUEUE_PAIR_MASK = 0xFF_FFFF;

    /** Opcode of an unreliable connection's SEND Only: no header of its own follows BTH. */
    private static final int SEND_ONLY = 0x24;

    // Written through the one segment of all memory, as frames are, so that the accessors that
    // frames are read by see one class of segment only.
    private final MemorySegment scratch = Arena.ofAuto().allocate(SCRATCH_BYTES, Long.BYTES);

    /** A kind of frames of a flow, by the values in which kinds differ. */
    public record Kind(int header, int priority, int dscp, int ecn, int lengthBytes) {}

    /**
     * The stored part of a frame, sequence number and time still 0.
     *
     * @param owner number of the host that owns the flow
     */
    public long[] words(
            FrameShape shape,
            Kind kind,
            HostAddress from,
            HostAddress to,
            int sourcePort,
            int owner,
            int flow) {
        long at = scratch.address();
        scratch.fill((byte) 0);
        ethernet(shape, at, from, to, kind.priority);
        int ipOffset = shape.ipOffset();
        int trafficClass = (kind.dscp << 2) | kind.ecn;
        int totalBytes = kind.lengthBytes - ipOffset;
        long ip = at + ipOffset;
        Ipv4.write(
                MEMORY, ip, trafficClass, totalBytes, TTL, IpProtocol.UDP, from.ipv4(), to.ipv4());
        Ipv4.writeChecksum(MEMORY, ip);
        long udp = ip + Ipv4.MIN_HEADER_BYTES;
        int datagramBytes = totalBytes - Ipv4.MIN_HEADER_BYTES;
        Udp.write(MEMORY, udp, sourcePort, shape.format().destinationPort(), datagramBytes);
        if (shape.format() == FrameShape.Format.ROCEV2) {
            int queuePair = flow & QUEUE_PAIR_MASK;
            long bth = udp + Udp.HEADER_BYTES;
            Bth.write(MEMORY, bth, SEND_ONLY, 0, DEFAULT_PARTITION_KEY, queuePair, false, 0);
        }
        long header = at + shape.trafficOffset();
        TrafficHeader.kindAndTime(MEMORY, header, kind.header, 0);
        TrafficHeader.hostAndFlow(MEMORY, header, owner, flow);
        long[] words = new long[Math.ceilDiv(shape.storedBytes(), STEP_BYTES) * STEP];
        for (int i = 0; i < words.length; i++) {
            words[i] = MEMORY.get(WORD, at + (long) i * Long.BYTES);
        }
        return words;
    }

    /** Writes all that is before the IPv4 header. */
    private static void ethernet(
            FrameShape shape, long at, HostAddress from, HostAddress to, int priority) {
        long gatewayMac = from.gatewayMac();
        Ethernet.destination(MEMORY, at, gatewayMac != 0 ? gatewayMac : to.mac());
        Ethernet.source(MEMORY, at, from.mac());
        if (shape.vlan() != FrameShape.UNTAGGED) {
            Ethernet.etherType(MEMORY, at, EtherType.VLAN);
            Vlan.tci(MEMORY, at + Ethernet.ETHER_TYPE_OFFSET, (priority << 13) | shape.vlan());
        }
        Wire.put16(MEMORY, at + shape.ipOffset() - 2, EtherType.IPV4);
    }

    /**
     * Makes a frame the congestion notification packet that reports marks in a flow's frames to its
     * sender; it is tagged like these frames.
     *
     * @param says as {@link Cnp#writeIpv4}
     * @param rateBps as {@link Cnp#rateBps}
     */
    public static void congestionNotification(
            Frame frame,
            FrameShape shape,
            HostAddress from,
            HostAddress to,
            int sourcePort,
            int flow,
            int says,
            long rateBps) {
        long at = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        int ipOffset = shape.ipOffset();
        frame.dataOffset = at;
        frame.lengthBytes = ipOffset + Cnp.IPV4_BYTES;
        frame.storedBytes = frame.lengthBytes;
        ethernet(shape, at, from, to, Cnp.PRIORITY);
        Cnp.writeIpv4(
                MEMORY,
                at + ipOffset,
                from.ipv4(),
                to.ipv4(),
                sourcePort,
                flow & QUEUE_PAIR_MASK,
                says,
                rateBps);
    }

    /**
     * Copies the words to a frame's first byte; up to 31 more bytes than stored are written, which
     * a slot's tail room allows for.
     */
    public static void copy(long[] words, long at) {
        for (int i = 0; i < words.length; i += STEP) {
            long to = (at + (long) i * Long.BYTES) & IN_RANGE;
            MEMORY.set(WORD, to, words[i]);
            MEMORY.set(WORD, to + 8, words[i + 1]);
            MEMORY.set(WORD, to + 16, words[i + 2]);
            MEMORY.set(WORD, to + 24, words[i + 3]);
        }
    }

    /** Gives a copied frame another length than the template's. */
    public static void length(FrameShape shape, long at, int lengthBytes) {
        long ip = at + shape.ipOffset();
        int before = Ipv4.totalBytes(MEMORY, ip);
        int after = lengthBytes - shape.ipOffset();
        Wire.put16(MEMORY, ip + Ipv4.TOTAL_LENGTH_OFFSET, after);
        int checksum = Checksum.update(Ipv4.checksum(MEMORY, ip), before, after);
        Wire.put16(MEMORY, ip + Ipv4.CHECKSUM_OFFSET, checksum);
        long udp = ip + Ipv4.MIN_HEADER_BYTES;
        Wire.put16(MEMORY, udp + Udp.LENGTH_OFFSET, after - Ipv4.MIN_HEADER_BYTES);
    }

    /** Writes the fields that differ from frame to frame. */
    public static void sequence(FrameShape shape, long at, int kind, long timePs, long sequence) {
        long header = at + shape.trafficOffset();
        TrafficHeader.kindAndTime(MEMORY, header, kind, timePs);
        TrafficHeader.sequence(MEMORY, header, (int) sequence);
        if (shape.format() == FrameShape.Format.ROCEV2) {
            long bth = header - Bth.HEADER_BYTES;
            Wire.put24(MEMORY, bth + Bth.SEQUENCE_OFFSET, (int) sequence);
        }
    }

    /**
     * Makes a copied frame a packet of a message.
     *
     * @param packet requester that has just sent it
     * @param owner number of the host that owns the flow
     * @param lengthBytes of the frame
     * @return what is stored of it, in bytes
     */
    public static int packet(
            FrameShape shape,
            long at,
            Requester packet,
            long timePs,
            int owner,
            int flow,
            int lengthBytes) {
        length(shape, at, lengthBytes);
        long bth = at + shape.trafficOffset() - Bth.HEADER_BYTES;
        int extended = RcOpcode.extendedBytes(packet.opcode());
        Bth.write(
                MEMORY,
                bth,
                packet.opcode(),
                -packet.payloadBytes() & (Integer.BYTES - 1),
                DEFAULT_PARTITION_KEY,
                flow & QUEUE_PAIR_MASK,
                packet.isAckRequested(),
                packet.psn());
        if (extended > 0) {
            // All flows write to the same place: its content is never read.
            long reth = bth + Bth.HEADER_BYTES;
            Reth.write(MEMORY, reth, 0, flow, packet.messageBytes());
        }
        long header = bth + Bth.HEADER_BYTES + extended;
        TrafficHeader.kindAndTime(MEMORY, header, TrafficHeader.DATA, timePs);
        TrafficHeader.hostAndFlow(MEMORY, header, owner, flow);
        TrafficHeader.sequence(MEMORY, header, (int) packet.sequence());
        return finish(shape, at, shape.storedBytes() + extended, lengthBytes);
    }

    /**
     * Makes a copied frame a response on a reliable connection.
     *
     * @param by responder with the response, which is taken, and its report on packets' path
     * @param congestion of its base transport header: the marks that it reports
     * @param lengthBytes of the frame
     * @return what is stored of it, in bytes
     */
    public static int answer(
            FrameShape shape, long at, int flow, Responder by, int congestion, int lengthBytes) {
        int reportBytes = by.reportBytes();
        int syndrome = by.takeAnswer();
        long aeth = at + shape.trafficOffset();
        Bth.write(
                MEMORY,
                aeth - Bth.HEADER_BYTES,
                RcOpcode.ACKNOWLEDGE,
                0,
                DEFAULT_PARTITION_KEY,
                flow & QUEUE_PAIR_MASK,
                false,
                by.answerPsn(syndrome));
        Wire.put8(MEMORY, aeth - Bth.HEADER_BYTES + Bth.CONGESTION_OFFSET, congestion);
        Aeth.write(MEMORY, aeth, syndrome, (int) by.messages() & Psn.MASK);
        if (reportBytes > 0) {
            by.report(MEMORY, aeth + Aeth.HEADER_BYTES);
        }
        by.echo(MEMORY, aeth + Aeth.HEADER_BYTES + reportBytes);
        length(shape, at, lengthBytes);
        int behindBytes = lengthBytes - shape.answerBytes(0);
        int headerBytes = shape.trafficOffset() + Aeth.HEADER_BYTES;
        return finish(shape, at, headerBytes + behindBytes, lengthBytes);
    }

    /** Where frames are stored whole, writes the rest: zeros, and the ICRC. */
    private static int finish(FrameShape shape, long at, int storedBytes, int lengthBytes) {
        if (!shape.messages().stored()) {
            return storedBytes;
        }
        MEMORY.asSlice(at + storedBytes, lengthBytes - storedBytes).fill((byte) 0);
        int ipBytes = lengthBytes - shape.ipOffset();
        Icrc.write(MEMORY, at + shape.ipOffset(), ipBytes - Icrc.BYTES);
        return lengthBytes;
    }

    /** Writes the UDP checksum; what is not stored is zero and adds nothing. */
    public static void checksum(FrameShape shape, long at, int stored) {
        long ip = at + shape.ipOffset();
        long udp = ip + Ipv4.MIN_HEADER_BYTES;
        int storedBytes = stored - shape.ipOffset() - Ipv4.MIN_HEADER_BYTES;
        Wire.put16(MEMORY, udp + Udp.CHECKSUM_OFFSET, 0);
        int checksum = Checksum.finish(sum(ip, udp, storedBytes));
        Wire.put16(MEMORY, udp + Udp.CHECKSUM_OFFSET, checksum == 0 ? 0xFFFF : checksum);
    }

    /** Whether both checksums of a datagram over IPv4 are correct; only a part of it is stored. */
    public static boolean isSound(long ip, long udp, int storedBytes) {
        return Ipv4.isChecksumRight(MEMORY, ip)
                && (Udp.checksum(MEMORY, udp) == 0
                        || Checksum.finish(sum(ip, udp, storedBytes)) == 0);
    }

    private static long sum(long ip, long udp, int storedBytes) {
        return Checksum.sum(MEMORY, ip + Ipv4.SOURCE_OFFSET, 8)
                + IpProtocol.UDP
                + Udp.lengthBytes(MEMORY, udp)
                + Checksum.sum(MEMORY, udp, storedBytes);
    }
}
