package io.headgate.testbed.traffic.frame;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.Checksum;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Makes the headers of a flow's frames once, as words that are copied into each frame, and writes
 * what differs from frame to frame.
 */
public final class FrameTemplate {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int SCRATCH_BYTES = 128;

    // Words are copied so many at a time.
    private static final int STEP = 4;
    private static final int STEP_BYTES = STEP * Long.BYTES;

    // As in Wire: of what is within it the compiler knows that it is within all memory.
    private static final long IN_RANGE = Long.MAX_VALUE >>> 1;

    private static final int TTL = 64;
    private static final int DEFAULT_PARTITION_KEY = 0xFFFF;
    private static final int QUEUE_PAIR_MASK = 0xFF_FFFF;

    /** Opcode of an unreliable connection's SEND Only: no header of its own follows BTH. */
    private static final int SEND_ONLY = 0x24;

    // Written through the one segment of all memory, as frames are, so that the accessors that
    // frames are read by see one class of segment only.
    private final MemorySegment scratch = Arena.ofAuto().allocate(SCRATCH_BYTES, Long.BYTES);

    /** Which frames of a flow: how they differ. */
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
        long gatewayMac = from.gatewayMac();
        Ethernet.destination(MEMORY, at, gatewayMac != 0 ? gatewayMac : to.mac());
        Ethernet.source(MEMORY, at, from.mac());
        int ipOffset = shape.ipOffset();
        if (shape.vlan() != FrameShape.UNTAGGED) {
            Ethernet.etherType(MEMORY, at, EtherType.VLAN);
            int tci = (kind.priority << 13) | shape.vlan();
            Vlan.tci(MEMORY, at + Ethernet.ETHER_TYPE_OFFSET, tci);
        }
        Wire.put16(MEMORY, at + ipOffset - 2, EtherType.IPV4);
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

    /** Writes what is a frame's own. */
    public static void sequence(FrameShape shape, long at, int kind, long timePs, long sequence) {
        long header = at + shape.trafficOffset();
        TrafficHeader.kindAndTime(MEMORY, header, kind, timePs);
        TrafficHeader.sequence(MEMORY, header, (int) sequence);
        if (shape.format() == FrameShape.Format.ROCEV2) {
            long bth = header - Bth.HEADER_BYTES;
            Wire.put24(MEMORY, bth + Bth.SEQUENCE_OFFSET, (int) sequence);
        }
    }

    /** Writes the UDP checksum; what is not stored is zero and adds nothing. */
    public static void checksum(FrameShape shape, long at) {
        long ip = at + shape.ipOffset();
        long udp = ip + Ipv4.MIN_HEADER_BYTES;
        int storedBytes = shape.storedBytes() - shape.ipOffset() - Ipv4.MIN_HEADER_BYTES;
        Wire.put16(MEMORY, udp + Udp.CHECKSUM_OFFSET, 0);
        int checksum = Checksum.finish(sum(ip, udp, storedBytes));
        Wire.put16(MEMORY, udp + Udp.CHECKSUM_OFFSET, checksum == 0 ? 0xFFFF : checksum);
    }

    /** Whether both checksums of a datagram over IPv4 are right, of which a part is stored. */
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
