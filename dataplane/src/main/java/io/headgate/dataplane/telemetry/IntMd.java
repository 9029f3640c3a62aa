package io.headgate.dataplane.telemetry;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.FrameRoom;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import java.lang.foreign.MemorySegment;

/**
 * INT-MD (P4.org, "In-band Network Telemetry Dataplane Specification", version 2.1, sections 5.5 to
 * 5.8), between the headers of UDP and RoCEv2. The UDP port is a private one; the shim keeps the
 * original port (its NPT is 1).
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-------+---+---+---------------+-------------------------------+
 *  |type 1 | 1 | 0 | length, words |       UDP port before         |
 *  +-------+-+-+-+-+---------------+---------+---------------------+
 *  |ver. 2 |D|E|M|       0         | hop words| remaining hops     |
 *  +-------+-+-+-+-----------------+---------+---------------------+
 *  |        instructions           |           domain              |
 *  +-------------------------------+-------------------------------+
 *  |     domain's instructions     |             0                 |
 *  +-------------------------------+-------------------------------+
 *
 *  and of each port, the last one first:
 *  +---------------------------------------------------------------+
 *  |                            switch                             |
 *  +-------------------------------+-------------------------------+
 *  |         ingress port          |          egress port          |
 *  +-------------------------------+-------------------------------+
 *  |                     time in the switch, ns                    |
 *  +---------------+-----------------------------------------------+
 *  |     queue     |              bytes in the queue               |
 *  +---------------+-----------------------------------------------+
 *  |                     time of leaving, ns, 8 bytes              |
 *  +---------------------------------------------------------------+
 *  |                    sent, in units of 128 bytes                |
 *  +---------------------------------------------------------------+
 *  |                 rate of the link, in 100 kb/s                 |
 *  +---------------------------------------------------------------+
 * </pre>
 *
 * The last two are the domain's. All bits of a field set: no value is given. In the time of leaving
 * they mean that the record is not written yet; the time in the switch is then the arrival time.
 */
public final class IntMd implements HopEncoding {
    /** UDP destination port of packets with INT-MD. */
    public static final int UDP_PORT = 49_376;

    static final int SHIM_BYTES = 4;
    static final int HEADER_BYTES = 12;
    static final int RECORD_BYTES = 32;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private static final int LENGTH_OFFSET = 1;
    private static final int PORT_OFFSET = 2;
    private static final int FLAGS_OFFSET = 4;
    private static final int HOP_WORDS_OFFSET = 6;
    private static final int INSTRUCTIONS_OFFSET = 8;
    private static final int DOMAIN_OFFSET = 12;

    private static final int SHIM = 0x14;
    private static final int VERSION = 0x2000;
    private static final int HOP_LIMIT_BIT = 0x0400;
    private static final int MTU_BIT = 0x0200;
    private static final int HOP_WORDS = RECORD_BYTES / Integer.BYTES;
    private static final int HEADER_WORDS = HEADER_BYTES / Integer.BYTES;

    // Switch, ports, time in it, queue, time of leaving; the domain and its only instruction.
    private static final int INSTRUCTIONS = 0xF400;
    private static final int DOMAIN = 0x4847;
    private static final int DOMAIN_INSTRUCTIONS = 0x8000;
    private static final int FROM_INSTRUCTIONS = (INSTRUCTIONS << Short.SIZE) | DOMAIN;
    private static final int FROM_DOMAIN = DOMAIN_INSTRUCTIONS << Short.SIZE;

    private static final int NODE_AT = 0;
    private static final int PORTS_AT = 4;
    private static final int LATENCY_AT = 8;
    private static final int QUEUE_AT = 12;
    private static final int TIME_AT = 16;
    private static final int SENT_AT = 24;
    private static final int RATE_AT = 28;

    private static final int MOST_QUEUE_BYTES = 0xFF_FFFE;
    private static final long MOST_LATENCY_NS = 0xFFFF_FFFEL;

    // The length in words is of 8 bits.
    private static final int MOST_HOPS = (0xFF - HEADER_WORDS) / HOP_WORDS;

    @Override
    public int growsBytes(int hops) {
        return SHIM_BYTES + HEADER_BYTES + hops * RECORD_BYTES;
    }

    @Override
    public int mostHops() {
        return Math.min(MOST_HOPS, HopRecords.MOST);
    }

    private static long shim(Frame frame) {
        return frame.dataOffset + frame.transportOffset + Udp.HEADER_BYTES;
    }

    @Override
    public boolean isIn(Frame frame) {
        return FrameRoom.isTo(MEMORY, frame, UDP_PORT, Udp.HEADER_BYTES);
    }

    private static boolean isSound(Frame frame) {
        int least = Udp.HEADER_BYTES + SHIM_BYTES + HEADER_BYTES;
        if (!FrameRoom.isTo(MEMORY, frame, UDP_PORT, least)) {
            return false;
        }
        long shim = shim(frame);
        int words = Wire.u8(MEMORY, shim + LENGTH_OFFSET) - HEADER_WORDS;
        int bytes = least + words * Integer.BYTES;
        return Wire.u8(MEMORY, shim) == SHIM
                && words >= 0
                && words % HOP_WORDS == 0
                && Udp.lengthBytes(MEMORY, shim - Udp.HEADER_BYTES) >= bytes
                && frame.storedBytes >= frame.transportOffset + bytes
                && Wire.u16(MEMORY, shim + PORT_OFFSET) == Bth.UDP_PORT
                && Udp.checksum(MEMORY, shim - Udp.HEADER_BYTES) == 0
                && Wire.u16(MEMORY, shim + FLAGS_OFFSET) >>> 12 == VERSION >>> 12
                && Wire.u8(MEMORY, shim + HOP_WORDS_OFFSET) == HOP_WORDS
                && Wire.i32(MEMORY, shim + INSTRUCTIONS_OFFSET) == FROM_INSTRUCTIONS
                && Wire.i32(MEMORY, shim + DOMAIN_OFFSET) == FROM_DOMAIN;
    }

    private static int records(long shim) {
        return (Wire.u8(MEMORY, shim + LENGTH_OFFSET) - HEADER_WORDS) / HOP_WORDS;
    }

    /** Leaves packets with a UDP checksum unchanged: RoCEv2 has none. */
    @Override
    public Room begin(Frame frame, int hops, int most) {
        if (!RocePacket.isWithoutChecksum(frame)) {
            return Room.OTHER;
        }
        int bytes = SHIM_BYTES + HEADER_BYTES;
        if (!FrameGap.openInUdp(frame, 0, bytes, most, UDP_PORT)) {
            return Room.TOO_LONG;
        }
        long shim = shim(frame);
        Wire.put8(MEMORY, shim, SHIM);
        Wire.put8(MEMORY, shim + LENGTH_OFFSET, HEADER_WORDS);
        Wire.put16(MEMORY, shim + PORT_OFFSET, Bth.UDP_PORT);
        Wire.put16(MEMORY, shim + FLAGS_OFFSET, VERSION);
        Wire.put8(MEMORY, shim + HOP_WORDS_OFFSET, HOP_WORDS);
        Wire.put8(MEMORY, shim + HOP_WORDS_OFFSET + 1, hops);
        Wire.put32(MEMORY, shim + INSTRUCTIONS_OFFSET, FROM_INSTRUCTIONS);
        Wire.put32(MEMORY, shim + DOMAIN_OFFSET, FROM_DOMAIN);
        return Room.MADE;
    }

    @Override
    public Room add(Frame frame, HopRecord own, int most) {
        frame.recordAt = 0;
        if (!isSound(frame)) {
            return Room.DAMAGED;
        }
        long shim = shim(frame);
        int remaining = Wire.u8(MEMORY, shim + HOP_WORDS_OFFSET + 1);
        int words = Wire.u8(MEMORY, shim + LENGTH_OFFSET) + HOP_WORDS;
        if (remaining == 0 || words > 0xFF) {
            flag(shim, HOP_LIMIT_BIT);
            return Room.HOP_LIMIT;
        }
        int headers = SHIM_BYTES + HEADER_BYTES;
        if (!FrameGap.openInUdp(frame, headers, RECORD_BYTES, most, UDP_PORT)) {
            flag(shim, MTU_BIT);
            return Room.TOO_LONG;
        }
        shim = shim(frame);
        Wire.put8(MEMORY, shim + LENGTH_OFFSET, words);
        Wire.put8(MEMORY, shim + HOP_WORDS_OFFSET + 1, remaining - 1);
        long at = record(shim, 0);
        Wire.put32(MEMORY, at + NODE_AT, own.node);
        Wire.put32(MEMORY, at + PORTS_AT, HopWords.ports(own));
        Wire.put32(MEMORY, at + LATENCY_AT, (int) own.timeNs);
        Wire.put32(MEMORY, at + QUEUE_AT, HopWords.UNSAID);
        Wire.put64(MEMORY, at + TIME_AT, HopWords.UNSAID);
        Wire.put32(MEMORY, at + SENT_AT, HopWords.UNSAID);
        Wire.put32(MEMORY, at + RATE_AT, HopWords.UNSAID);
        frame.recordAt = at;
        return Room.MADE;
    }

    private static void flag(long shim, int bit) {
        Wire.put16(MEMORY, shim + FLAGS_OFFSET, Wire.u16(MEMORY, shim + FLAGS_OFFSET) | bit);
    }

    private static long record(long shim, int index) {
        return shim + SHIM_BYTES + HEADER_BYTES + (long) index * RECORD_BYTES;
    }

    @Override
    public boolean write(Frame frame, HopRecord own) {
        long at = frame.recordAt;
        if (at == 0 || Wire.i64(MEMORY, at + TIME_AT) != HopWords.UNSAID) {
            return false;
        }
        long cameNs = Wire.u32(MEMORY, at + LATENCY_AT);
        long latencyNs = Math.min((own.timeNs - cameNs) & 0xFFFF_FFFFL, MOST_LATENCY_NS);
        int queueBytes = (int) Math.min(own.queueBytes, MOST_QUEUE_BYTES);
        int queue = (own.queue << 24) | queueBytes;
        Wire.put64(MEMORY, at + LATENCY_AT, HopWords.pair((int) latencyNs, queue));
        Wire.put64(MEMORY, at + TIME_AT, own.timeNs);
        Wire.put64(MEMORY, at + SENT_AT, HopWords.sentAndRate(own));
        return true;
    }

    @Override
    public boolean takeOff(Frame frame, HopRecords hops) {
        if (!isSound(frame)) {
            return false;
        }
        long shim = shim(frame);
        if ((Wire.u16(MEMORY, shim + FLAGS_OFFSET) & (HOP_LIMIT_BIT | MTU_BIT)) != 0) {
            hops.cut();
        }
        for (int index = records(shim) - 1; index >= 0; index--) {
            read(record(shim, index), hops);
        }
        FrameGap.closeInUdp(frame, growsBytes(records(shim)), Bth.UDP_PORT);
        return true;
    }

    private static void read(long at, HopRecords hops) {
        long timeNs = Wire.i64(MEMORY, at + TIME_AT);
        HopRecord hop = timeNs == HopWords.UNSAID ? null : hops.add();
        if (hop == null) {
            hops.cut();
            return;
        }
        hop.node = Wire.i32(MEMORY, at + NODE_AT);
        hop.ingressPort = Wire.u16(MEMORY, at + PORTS_AT);
        hop.egressPort = Wire.u16(MEMORY, at + PORTS_AT + Short.BYTES);
        hop.latencyNs = Wire.u32(MEMORY, at + LATENCY_AT);
        hop.queue = Wire.u8(MEMORY, at + QUEUE_AT);
        hop.queueBytes = Wire.u24(MEMORY, at + QUEUE_AT + 1);
        hop.timeNs = timeNs;
        hop.sentBytes = Wire.u32(MEMORY, at + SENT_AT) * HopWords.SENT_UNIT_BYTES;
        hop.sentBits = HopWords.SENT_BITS;
        hop.rateBps = Wire.u32(MEMORY, at + RATE_AT) * HopWords.RATE_UNIT_BPS;
    }
}
