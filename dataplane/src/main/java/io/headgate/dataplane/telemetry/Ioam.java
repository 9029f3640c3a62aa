package io.headgate.dataplane.telemetry;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import java.lang.foreign.MemorySegment;

/**
 * IOAM's pre-allocated trace (RFC 9197, section 4.4), in a hop-by-hop option of IPv6 (RFC 9486):
 * the source makes all room, and ports fill it from its end. tshark decodes it without options.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------+---------------+---------------+---------------+
 *  |  next header  |    length     |    PadN 1     |       0       |
 *  +---------------+---------------+---------------+---------------+
 *  |  option 0x31  |    length     |       0       |    trace 0    |
 *  +---------------+---------------+---------+-----+-+-------------+
 *  |          namespace            |node len.| flags | words left  |
 *  +-------------------------------+---------+-------+-------------+
 *  |                  trace type                   |       0       |
 *  +-----------------------------------------------+---------------+
 *
 *  then what is free, and of each port, the last one first:
 *  +---------------+-----------------------------------------------+
 *  |   hop limit   |                    switch                     |
 *  +---------------+---------------+-------------------------------+
 *  |         ingress port          |          egress port          |
 *  +-------------------------------+-------------------------------+
 *  |                  time of leaving, seconds                     |
 *  |                  time of leaving, ns                          |
 *  |                  time in the switch, ns                       |
 *  |                  bytes in the queue                           |
 *  |                  sent, in units of 128 bytes                  |
 *  |                  rate of the link, in 100 kb/s                |
 *  +---------------------------------------------------------------+
 * </pre>
 *
 * The last two are the namespace's data. All bits of a field set: no value is given. In the ns of
 * leaving they mean that the record is not written yet.
 */
public final class Ioam implements HopEncoding {
    static final int RECORD_BYTES = 32;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private static final int OPTION_OFFSET = 4;
    private static final int NAMESPACE_OFFSET = 8;
    private static final int LEFT_OFFSET = 10;
    private static final int TYPE_OFFSET = 12;
    static final int HEADERS_BYTES = 16;

    private static final int PAD_N = 0x0100;
    private static final int OPTION = 0x31;
    private static final int NAMESPACE = 0x4847;
    private static final int NODE_WORDS = RECORD_BYTES / Integer.BYTES;
    private static final int NODE_WORDS_SHIFT = 11;
    private static final int OVERFLOW_BIT = 0x0400;
    private static final int LEFT_MASK = 0x7F;

    // Switch, ports, seconds, their fraction, time in the switch, queue, namespace's data (wide).
    private static final int TRACE_TYPE = 0xFA_2000;

    private static final int NODE_AT = 0;
    private static final int PORTS_AT = 4;
    private static final int SECONDS_AT = 8;
    private static final int NS_AT = 12;
    private static final int LATENCY_AT = 16;
    private static final int QUEUE_AT = 20;
    private static final int SENT_AT = 24;
    private static final int RATE_AT = 28;

    private static final int NODE_MASK = 0xFF_FFFF;
    private static final long MOST_SAID = 0xFFFF_FFFEL;
    private static final long NS_PER_S = 1_000_000_000;

    // The option's length is of 8 bits, and counts what follows it.
    private static final int LENGTH_BEFORE_RECORDS = HEADERS_BYTES - OPTION_OFFSET - 2;
    private static final int MOST_HOPS = (0xFF - LENGTH_BEFORE_RECORDS) / RECORD_BYTES;

    @Override
    public int growsBytes(int hops) {
        return HEADERS_BYTES + hops * RECORD_BYTES;
    }

    @Override
    public int mostHops() {
        return MOST_HOPS;
    }

    private static long header(Frame frame) {
        return frame.dataOffset + frame.ipOffset + Ipv6.HEADER_BYTES;
    }

    @Override
    public boolean isIn(Frame frame) {
        if (frame.ipOffset == Frame.ABSENT
                || frame.etherType != EtherType.IPV6
                || frame.storedBytes < frame.ipOffset + Ipv6.HEADER_BYTES + HEADERS_BYTES
                || Ipv6.nextHeader(MEMORY, frame.dataOffset + frame.ipOffset)
                        != IpProtocol.HOP_BY_HOP) {
            return false;
        }
        long header = header(frame);
        return Wire.u8(MEMORY, header + OPTION_OFFSET) == OPTION
                && Wire.u16(MEMORY, header + NAMESPACE_OFFSET) == NAMESPACE;
    }

    /** Length of the whole header; bytes behind the end of the frame are not read. */
    private static int headerBytes(long header) {
        return (Wire.u8(MEMORY, header + 1) + 1) * Long.BYTES;
    }

    private boolean isSound(Frame frame) {
        if (!isIn(frame) || frame.transportOffset == Frame.ABSENT) {
            return false;
        }
        long header = header(frame);
        int bytes = headerBytes(header);
        int left = Wire.u16(MEMORY, header + LEFT_OFFSET);
        int records = bytes - HEADERS_BYTES;
        return frame.transportOffset == frame.ipOffset + Ipv6.HEADER_BYTES + bytes
                && records > 0
                && records % RECORD_BYTES == 0
                && Wire.u8(MEMORY, header) == IpProtocol.UDP
                && Wire.u16(MEMORY, header + 2) == PAD_N
                && Wire.u8(MEMORY, header + OPTION_OFFSET + 1) == LENGTH_BEFORE_RECORDS + records
                && Wire.u16(MEMORY, header + OPTION_OFFSET + 2) == 0
                && left >>> NODE_WORDS_SHIFT == NODE_WORDS
                && (left & LEFT_MASK) % NODE_WORDS == 0
                && (left & LEFT_MASK) * Integer.BYTES <= records
                && Wire.i32(MEMORY, header + TYPE_OFFSET) == TRACE_TYPE << Byte.SIZE;
    }

    /** Only for RoCEv2 packets without other headers before that of UDP. */
    @Override
    public Room begin(Frame frame, int hops, int most) {
        if (frame.etherType != EtherType.IPV6 || !RocePacket.is(frame)) {
            return Room.OTHER;
        }
        int bytes = growsBytes(hops);
        int headers = frame.ipOffset + Ipv6.HEADER_BYTES;
        if (!FrameGap.open(frame, headers, bytes, most)) {
            return Room.TOO_LONG;
        }
        frame.transportOffset += bytes;
        resize(frame, bytes, IpProtocol.HOP_BY_HOP);
        long header = header(frame);
        Wire.put8(MEMORY, header, IpProtocol.UDP);
        Wire.put8(MEMORY, header + 1, bytes / Long.BYTES - 1);
        Wire.put16(MEMORY, header + 2, PAD_N);
        Wire.put8(MEMORY, header + OPTION_OFFSET, OPTION);
        int length = LENGTH_BEFORE_RECORDS + hops * RECORD_BYTES;
        Wire.put8(MEMORY, header + OPTION_OFFSET + 1, length);
        Wire.put16(MEMORY, header + OPTION_OFFSET + 2, 0);
        Wire.put16(MEMORY, header + NAMESPACE_OFFSET, NAMESPACE);
        int left = (NODE_WORDS << NODE_WORDS_SHIFT) | (hops * NODE_WORDS);
        Wire.put16(MEMORY, header + LEFT_OFFSET, left);
        Wire.put32(MEMORY, header + TYPE_OFFSET, TRACE_TYPE << Byte.SIZE);
        MEMORY.asSlice(header + HEADERS_BYTES, (long) hops * RECORD_BYTES).fill((byte) 0);
        return Room.MADE;
    }

    private static void resize(Frame frame, int by, int nextHeader) {
        long ip = frame.dataOffset + frame.ipOffset;
        Ipv6.payloadBytes(MEMORY, ip, Ipv6.payloadBytes(MEMORY, ip) + by);
        Wire.put8(MEMORY, ip + Ipv6.NEXT_HEADER_OFFSET, nextHeader);
    }

    @Override
    public Room add(Frame frame, HopRecord own, int most) {
        frame.recordAt = 0;
        if (!isSound(frame)) {
            return Room.DAMAGED;
        }
        long header = header(frame);
        int left = Wire.u16(MEMORY, header + LEFT_OFFSET);
        if ((left & LEFT_MASK) == 0) {
            Wire.put16(MEMORY, header + LEFT_OFFSET, left | OVERFLOW_BIT);
            return Room.HOP_LIMIT;
        }
        left -= NODE_WORDS;
        Wire.put16(MEMORY, header + LEFT_OFFSET, left);
        long at = record(header, left & LEFT_MASK);
        int hopLimit = Ipv6.hopLimit(MEMORY, frame.dataOffset + frame.ipOffset);
        Wire.put32(MEMORY, at + NODE_AT, (hopLimit << 24) | (own.node & NODE_MASK));
        Wire.put32(MEMORY, at + PORTS_AT, HopWords.ports(own));
        Wire.put32(MEMORY, at + SECONDS_AT, HopWords.UNSAID);
        Wire.put32(MEMORY, at + NS_AT, HopWords.UNSAID);
        Wire.put32(MEMORY, at + LATENCY_AT, (int) own.timeNs);
        Wire.put32(MEMORY, at + QUEUE_AT, HopWords.UNSAID);
        Wire.put32(MEMORY, at + SENT_AT, HopWords.UNSAID);
        Wire.put32(MEMORY, at + RATE_AT, HopWords.UNSAID);
        frame.recordAt = at;
        return Room.MADE;
    }

    private static long record(long header, int leftWords) {
        return header + HEADERS_BYTES + (long) leftWords * Integer.BYTES;
    }

    @Override
    public boolean write(Frame frame, HopRecord own) {
        long at = frame.recordAt;
        if (at == 0 || Wire.i32(MEMORY, at + NS_AT) != HopWords.UNSAID) {
            return false;
        }
        long cameNs = Wire.u32(MEMORY, at + LATENCY_AT);
        long latencyNs = Math.min((own.timeNs - cameNs) & 0xFFFF_FFFFL, MOST_SAID);
        long seconds = own.timeNs / NS_PER_S;
        long ns = own.timeNs - seconds * NS_PER_S;
        Wire.put64(MEMORY, at + SECONDS_AT, HopWords.pair((int) seconds, (int) ns));
        int queueBytes = (int) Math.min(own.queueBytes, MOST_SAID);
        Wire.put64(MEMORY, at + LATENCY_AT, HopWords.pair((int) latencyNs, queueBytes));
        Wire.put64(MEMORY, at + SENT_AT, HopWords.sentAndRate(own));
        return true;
    }

    @Override
    public boolean takeOff(Frame frame, HopRecords hops) {
        if (!isSound(frame)) {
            return false;
        }
        long header = header(frame);
        int bytes = headerBytes(header);
        int left = Wire.u16(MEMORY, header + LEFT_OFFSET) & LEFT_MASK;
        if ((Wire.u16(MEMORY, header + LEFT_OFFSET) & OVERFLOW_BIT) != 0) {
            hops.cut();
        }
        int words = (bytes - HEADERS_BYTES) / Integer.BYTES - NODE_WORDS;
        for (; words >= left; words -= NODE_WORDS) {
            read(record(header, words), hops);
        }
        resize(frame, -bytes, IpProtocol.UDP);
        FrameGap.close(frame, frame.ipOffset + Ipv6.HEADER_BYTES, bytes);
        frame.transportOffset -= bytes;
        return true;
    }

    private static void read(long at, HopRecords hops) {
        long ns = Wire.u32(MEMORY, at + NS_AT);
        HopRecord hop = ns >= NS_PER_S ? null : hops.add();
        if (hop == null) {
            hops.cut();
            return;
        }
        hop.node = Wire.i32(MEMORY, at + NODE_AT) & NODE_MASK;
        hop.ingressPort = Wire.u16(MEMORY, at + PORTS_AT);
        hop.egressPort = Wire.u16(MEMORY, at + PORTS_AT + Short.BYTES);
        hop.timeNs = Wire.u32(MEMORY, at + SECONDS_AT) * NS_PER_S + ns;
        hop.latencyNs = Wire.u32(MEMORY, at + LATENCY_AT);
        hop.queueBytes = Wire.u32(MEMORY, at + QUEUE_AT);
        hop.sentBytes = Wire.u32(MEMORY, at + SENT_AT) * HopWords.SENT_UNIT_BYTES;
        hop.sentBits = HopWords.SENT_BITS;
        hop.rateBps = Wire.u32(MEMORY, at + RATE_AT) * HopWords.RATE_UNIT_BPS;
    }
}
