package io.headgate.testbed.traffic.frame;

import io.headgate.dataplane.frame.Wire;
import io.headgate.hostagent.rate.RateControl;
import java.lang.foreign.MemorySegment;

/**
 * The header of test frames, after UDP or BTH. It has 18 bytes, so that with Ethernet, IPv4 and UDP
 * it fits the shortest frame. It follows no standard.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-----+-+-+-+-+-+---------------------------------------------+
 *  |kind |  0  |U|C|N|                                             |
 *  +---------------+      time, in ps modulo 2^56                  |
 *  |                                                               |
 *  +-------------------------------+-------------------------------+
 *  |   host that owns the flow     |     number of the flow        |
 *  +-------------------------------+-------------------------------+
 *  |      at that host             |      sequence number          |
 *  +-------------------------------+-------------------------------+
 *  |                               |
 *  +-------------------------------+
 * </pre>
 *
 * In data the time is when the frame was due, and the sequence number is the frame's within its
 * flow, modulo 2^32. In an acknowledgement the time is that of the acknowledged frame, and the
 * sequence number is that of the frame expected next. U and C mean that an acknowledged frame was
 * marked undetermined (TCD) or CE; N means that a frame is missing.
 */
public final class TrafficHeader {
    public static final int BYTES = 18;

    public static final int KIND_MASK = 0xE0;
    public static final int DATA = 0x20;
    public static final int ACK = 0x40;

    public static final int MARKED_UE = RateControl.MARKED_UE;
    public static final int MARKED_CE = RateControl.MARKED_CE;
    public static final int MISSING = 1;

    public static final int KIND_AND_TIME_OFFSET = 0;
    public static final int HOST_OFFSET = 8;
    public static final int FLOW_OFFSET = 10;
    public static final int SEQUENCE_OFFSET = 14;

    private static final int TIME_BITS = 56;
    private static final long TIME_MASK = (1L << TIME_BITS) - 1;

    private TrafficHeader() {}

    /** Kind and flags. */
    public static int kind(MemorySegment segment, long header) {
        return Wire.u8(segment, header + KIND_AND_TIME_OFFSET);
    }

    public static long timePs(MemorySegment segment, long header) {
        return Wire.i64(segment, header + KIND_AND_TIME_OFFSET) & TIME_MASK;
    }

    /** Time from {@code timePs} to {@code nowPs}, in ps; at most 2^56 - 1 (20 hours). */
    public static long agePs(long nowPs, long timePs) {
        return (nowPs - timePs) & TIME_MASK;
    }

    public static int host(MemorySegment segment, long header) {
        return Wire.u16(segment, header + HOST_OFFSET);
    }

    public static int flow(MemorySegment segment, long header) {
        return Wire.i32(segment, header + FLOW_OFFSET);
    }

    public static int sequence(MemorySegment segment, long header) {
        return Wire.i32(segment, header + SEQUENCE_OFFSET);
    }

    /**
     * The mark of a frame: if its ECN code point is above the one that was sent, 3 is CE and 2 is
     * TCD's undetermined; 0 without mark.
     */
    public static int marks(int sentEcn, int ecn) {
        if (ecn <= sentEcn || ecn < FrameShape.ECT_0) {
            return 0;
        }
        return ecn == FrameShape.CE ? MARKED_CE : MARKED_UE;
    }

    public static void kindAndTime(MemorySegment segment, long header, int kind, long timePs) {
        Wire.put64(
                segment,
                header + KIND_AND_TIME_OFFSET,
                ((long) kind << TIME_BITS) | (timePs & TIME_MASK));
    }

    public static void hostAndFlow(MemorySegment segment, long header, int host, int flow) {
        Wire.put16(segment, header + HOST_OFFSET, host);
        Wire.put32(segment, header + FLOW_OFFSET, flow);
    }

    public static void sequence(MemorySegment segment, long header, int sequence) {
        Wire.put32(segment, header + SEQUENCE_OFFSET, sequence);
    }
}
