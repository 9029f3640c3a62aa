package io.headgate.dataplane.icc;

import io.headgate.dataplane.frame.Aeth;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.FrameRoom;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.HopRecord;
import java.lang.foreign.MemorySegment;

/**
 * A record of a port's state in a passing acknowledgement of RoCEv2. The paper has no format. Ours
 * is behind the UDP header, and a private UDP port shows that the record is there.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-------------------------------+---------------+---------------+
 *  |      UDP port before it       |  version (1)  |       0       |
 *  +-------------------------------+---------------+---------------+
 *  |             node              |             port              |
 *  +-------------------------------+-------------------------------+
 *  |                                                               |
 *  |                          time (ns)                            |
 *  +---------------------------------------------------------------+
 *  |                         qlen (bytes)                          |
 *  +---------------------------------------------------------------+
 *  |                qlenrate (kb/s, with its sign)                 |
 *  +-------------------------------+-------------------------------+
 *  |          lu (1/1000)          |             flows             |
 *  +-------------------------------+-------------------------------+
 *  |                link's rate (units of 100 kb/s)                |
 *  +---------------------------------------------------------------+
 * </pre>
 *
 * It is outside the {@link io.headgate.dataplane.frame.Icrc}, which is right again once the record
 * is removed.
 */
final class IccRecord {
    /** UDP port of an acknowledgement with a record: private to us. */
    static final int UDP_PORT = 49_375;

    static final int BYTES = 32;

    private static final int VERSION = 1;
    private static final int VERSION_AT = 2;
    private static final int NODE_AT = 4;
    private static final int PORT_AT = 6;
    private static final int TIME_AT = 8;
    private static final int QUEUE_AT = 16;
    private static final int GROWTH_AT = 20;
    private static final int LOAD_AT = 24;
    private static final int FLOWS_AT = 26;
    private static final int RATE_AT = 28;
    private static final long RATE_UNIT_BPS = 100_000;
    private static final long GROWTH_UNIT_BPS = 1_000;
    private static final int MOST_16 = 0xFFFF;
    private static final int FULL = 1_000;
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private static final int PACKET_BYTES = Udp.HEADER_BYTES + Bth.HEADER_BYTES + Aeth.HEADER_BYTES;

    private IccRecord() {}

    private static long record(Frame frame) {
        return frame.dataOffset + frame.transportOffset + Udp.HEADER_BYTES;
    }

    /** Whether a frame has a record. */
    static boolean isIn(Frame frame) {
        return FrameRoom.isTo(MEMORY, frame, UDP_PORT, Udp.HEADER_BYTES + BYTES);
    }

    /** Whether a frame is an acknowledgement that has no record, and may get one. */
    static boolean mayJoin(Frame frame) {
        return FrameRoom.isTo(MEMORY, frame, Bth.UDP_PORT, PACKET_BYTES)
                && Bth.opcode(MEMORY, record(frame)) == RcOpcode.ACKNOWLEDGE
                && Udp.checksum(MEMORY, record(frame) - Udp.HEADER_BYTES) == 0
                && FrameRoom.fits(frame, BYTES);
    }

    /** Inserts a record into a frame that it {@link #mayJoin}. */
    static void join(Frame frame, HopRecord says) {
        FrameRoom.lengthen(MEMORY, frame, BYTES, Bth.UDP_PORT, UDP_PORT);
        FrameRoom.shift(MEMORY, frame, frame.transportOffset + Udp.HEADER_BYTES, -BYTES);
        long at = record(frame);
        Wire.put16(MEMORY, at, Bth.UDP_PORT);
        Wire.put16(MEMORY, at + VERSION_AT, VERSION << Byte.SIZE);
        write(frame, says);
    }

    static void write(Frame frame, HopRecord says) {
        long at = record(frame);
        Wire.put16(MEMORY, at + NODE_AT, says.node);
        Wire.put16(MEMORY, at + PORT_AT, says.egressPort);
        Wire.put64(MEMORY, at + TIME_AT, says.timeNs);
        Wire.put32(MEMORY, at + QUEUE_AT, (int) Math.min(says.queueBytes, Integer.MAX_VALUE));
        long growth = says.growthBps / GROWTH_UNIT_BPS;
        Wire.put32(
                MEMORY, at + GROWTH_AT, Math.clamp(growth, Integer.MIN_VALUE, Integer.MAX_VALUE));
        Wire.put16(MEMORY, at + LOAD_AT, says.usePermille);
        Wire.put16(MEMORY, at + FLOWS_AT, Math.min(says.flows, MOST_16));
        Wire.put32(MEMORY, at + RATE_AT, (int) (says.rateBps / RATE_UNIT_BPS));
    }

    /** Reads the record of a frame that has one. */
    static void read(Frame frame, HopRecord into) {
        long at = record(frame);
        into.clear();
        into.node = Wire.u16(MEMORY, at + NODE_AT);
        into.egressPort = Wire.u16(MEMORY, at + PORT_AT);
        into.timeNs = Wire.i64(MEMORY, at + TIME_AT);
        into.queueBytes = Wire.u32(MEMORY, at + QUEUE_AT);
        into.growthBps = Wire.i32(MEMORY, at + GROWTH_AT) * GROWTH_UNIT_BPS;
        into.usePermille = Wire.u16(MEMORY, at + LOAD_AT);
        into.flows = Wire.u16(MEMORY, at + FLOWS_AT);
        into.rateBps = Wire.u32(MEMORY, at + RATE_AT) * RATE_UNIT_BPS;
    }

    /** Whether the record of a frame is plausible; any sender may have written it. */
    static boolean makesSense(Frame frame, HopRecord read) {
        long at = record(frame);
        return Wire.u16(MEMORY, at) == Bth.UDP_PORT
                && Wire.u8(MEMORY, at + VERSION_AT) == VERSION
                && read.timeNs >= 0
                && read.queueBytes <= Integer.MAX_VALUE
                && read.usePermille <= FULL
                && read.flows > 0
                && read.rateBps > 0;
    }

    /** Removes the record: the acknowledgement is then as it was sent. */
    static void leave(Frame frame) {
        FrameRoom.lengthen(MEMORY, frame, -BYTES, UDP_PORT, Bth.UDP_PORT);
        FrameRoom.shift(MEMORY, frame, frame.transportOffset + Udp.HEADER_BYTES, BYTES);
    }

    /**
     * Whether the first of two ports is more congested: the one that needs longer to send its
     * queue, or, if both queues are empty, the one whose link is used more.
     */
    static boolean isMoreCongested(HopRecord one, HopRecord other) {
        double ownNs = (double) one.queueBytes / one.rateBps;
        double otherNs = (double) other.queueBytes / other.rateBps;
        return ownNs > otherNs || (ownNs == otherNs && one.usePermille > other.usePermille);
    }
}
