package io.headgate.dataplane.deadlock;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.frame.Wire;
import java.lang.foreign.MemorySegment;

/**
 * A token that follows a cyclic wait from switch to switch: a MAC control frame, never tagged. The
 * layout is ours; the papers give none.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |   destination 01-80-C2-00-00-01, source (12 bytes)            |
 *  +-------------------------------+-------------------------------+
 *  |            0x8808             |        opcode 0x0120          |
 *  +---------------+---------------+---------------+---------------+
 *  |     kind      |   priority    | origin's pri. |     hops      |
 *  +---------------+---------------+---------------+---------------+
 *  |  origin: MAC address of the port that began (6 bytes)         |
 *  |                               +-------------------------------+
 *  |                               |  sequence number, 4 bytes     |
 *  +-------------------------------+-------------------------------+
 *  |                               |  zero, to 60 bytes            |
 *  +-------------------------------+-------------------------------+
 * </pre>
 */
public final class LoopToken {
    public static final int OPCODE = 0x0120;
    public static final int FRAME_BYTES = MacControl.FRAME_BYTES;

    /** The token searches for a cyclic wait. */
    public static final int SEARCH = 1;

    /** Deadlock Breaker: each port that it passes moves a frame on. */
    public static final int MOVE = 2;

    /** Maximum number of ports that a token passes: no loop is as long. */
    public static final int MAX_HOPS = 64;

    private static final int KIND_OFFSET = 16;
    private static final int PRIORITY_OFFSET = 17;
    private static final int ORIGIN_PRIORITY_OFFSET = 18;
    private static final int HOPS_OFFSET = 19;
    private static final int ORIGIN_OFFSET = 20;
    private static final int SEQUENCE_OFFSET = 26;
    private static final int END_OFFSET = 30;

    private LoopToken() {}

    /** Whether a frame is a token with valid values. Padding may be missing. */
    public static boolean isValid(MemorySegment segment, long frame, int availableBytes) {
        return availableBytes >= END_OFFSET
                && MacControl.isOf(OPCODE, segment, frame, availableBytes)
                && kind(segment, frame) >= SEARCH
                && kind(segment, frame) <= MOVE
                && priority(segment, frame) < PRIORITIES
                && originPriority(segment, frame) < PRIORITIES
                && hops(segment, frame) >= 1
                && hops(segment, frame) <= MAX_HOPS
                && MacAddress.isValidSource(origin(segment, frame));
    }

    /** {@link #SEARCH} or {@link #MOVE}. Only after {@link #isValid}, as all methods below. */
    public static int kind(MemorySegment segment, long frame) {
        return Wire.u8(segment, frame + KIND_OFFSET);
    }

    /**
     * Priority of the paused queue at the port that sent the token, as both ends of the link number
     * it.
     */
    public static int priority(MemorySegment segment, long frame) {
        return Wire.u8(segment, frame + PRIORITY_OFFSET);
    }

    /** Priority of the paused queue at the port where the token began. */
    public static int originPriority(MemorySegment segment, long frame) {
        return Wire.u8(segment, frame + ORIGIN_PRIORITY_OFFSET);
    }

    /** Number of ports that have sent the token. */
    public static int hops(MemorySegment segment, long frame) {
        return Wire.u8(segment, frame + HOPS_OFFSET);
    }

    /** MAC address of the port where the token began. */
    public static long origin(MemorySegment segment, long frame) {
        return Wire.u48(segment, frame + ORIGIN_OFFSET);
    }

    /** Sequence number from the origin. */
    public static int sequence(MemorySegment segment, long frame) {
        return Wire.i32(segment, frame + SEQUENCE_OFFSET);
    }

    /** Writes a whole frame of {@link #FRAME_BYTES}. */
    public static void write(MemorySegment segment, long frame, long source, LoopMessage message) {
        MacControl.write(segment, frame, source, OPCODE, 0);
        Wire.put8(segment, frame + KIND_OFFSET, message.kind);
        Wire.put8(segment, frame + PRIORITY_OFFSET, message.priority);
        Wire.put8(segment, frame + ORIGIN_PRIORITY_OFFSET, message.originPriority);
        Wire.put8(segment, frame + HOPS_OFFSET, message.hops);
        Wire.put48(segment, frame + ORIGIN_OFFSET, message.origin);
        Wire.put32(segment, frame + SEQUENCE_OFFSET, message.sequence);
    }
}
