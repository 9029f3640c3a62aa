package io.headgate.dataplane.deadlockbreaker;

import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.frame.Wire;
import java.lang.foreign.MemorySegment;

/**
 * A report of a port's free slots for moved frames: a MAC control frame, never tagged. The layout
 * is ours.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |   destination 01-80-C2-00-00-01, source (12 bytes)            |
 *  +-------------------------------+-------------------------------+
 *  |            0x8808             |        opcode 0x0121          |
 *  +-------------------------------+---------------+---------------+
 *  |  number of the last one moved |  free slots   |  zero ...     |
 *  +-------------------------------+---------------+---------------+
 * </pre>
 */
public final class SlotReport {
    public static final int OPCODE = 0x0121;
    public static final int FRAME_BYTES = MacControl.FRAME_BYTES;

    private static final int LAST_OFFSET = 16;
    private static final int FREE_OFFSET = 18;
    private static final int END_OFFSET = 19;

    private SlotReport() {}

    /** Whether a frame is a complete report. Padding may be missing. */
    public static boolean isValid(MemorySegment segment, long frame, int availableBytes) {
        return availableBytes >= END_OFFSET
                && MacControl.isOf(OPCODE, segment, frame, availableBytes);
    }

    /** Number of the last frame that came by a move. Only after {@link #isValid}, as below. */
    public static int last(MemorySegment segment, long frame) {
        return Wire.u16(segment, frame + LAST_OFFSET);
    }

    /** Slots that were free after that frame had come, or later. */
    public static int free(MemorySegment segment, long frame) {
        return Wire.u8(segment, frame + FREE_OFFSET);
    }

    /** Writes a whole frame of {@link #FRAME_BYTES}. */
    public static void write(MemorySegment segment, long frame, long source, int last, int free) {
        MacControl.write(segment, frame, source, OPCODE, last);
        Wire.put8(segment, frame + FREE_OFFSET, free);
    }
}
