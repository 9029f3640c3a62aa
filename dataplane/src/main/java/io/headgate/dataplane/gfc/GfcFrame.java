package io.headgate.dataplane.gfc;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.frame.Wire;
import java.lang.foreign.MemorySegment;

/**
 * A report of GFC to the far end of a link: the stage or the held bytes of each priority. It is a
 * MAC control frame, like that of PFC. The paper puts the stage into the time fields of a PFC
 * frame, which a far end without GFC would read as pauses.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |   destination 01-80-C2-00-00-01, source (12 bytes)            |
 *  +-------------------------------+-------------------------------+
 *  |            0x8808             |        opcode 0x0104          |
 *  +---------------+---------------+-------------------------------+
 *  |  version 1    | form          |  value of priority 0 ...      |
 *  +---------------+---------------+-------------------------------+
 *  |  ... 4 bytes for each priority, to priority 7; then zero      |
 *  +---------------------------------------------------------------+
 * </pre>
 *
 * Form 0 carries stages, form 1 held bytes.
 */
public final class GfcFrame {
    public static final int OPCODE = 0x0104;
    public static final int STAGES = 0;
    public static final int HELD = 1;

    private static final int VERSION = 1;
    private static final int VERSION_OFFSET = MacControl.OPCODE_OFFSET + 2;
    private static final int FORM_OFFSET = VERSION_OFFSET + 1;
    private static final int VALUES_OFFSET = FORM_OFFSET + 1;
    private static final int BYTES = VALUES_OFFSET + 4 * PRIORITIES;

    private GfcFrame() {}

    /** Whether a frame is a complete report, of either form, padded or not. */
    public static boolean isValid(MemorySegment segment, long frame, int availableBytes) {
        return availableBytes >= BYTES
                && MacControl.isOf(OPCODE, segment, frame, availableBytes)
                && Wire.u8(segment, frame + VERSION_OFFSET) == VERSION
                && form(segment, frame) <= HELD;
    }

    public static int form(MemorySegment segment, long frame) {
        return Wire.u8(segment, frame + FORM_OFFSET);
    }

    /** A priority's stage or held bytes, unsigned. Only after {@link #isValid}. */
    public static long value(MemorySegment segment, long frame, int priority) {
        return Wire.u32(segment, frame + VALUES_OFFSET + 4L * priority);
    }

    /** Writes a whole frame of {@link MacControl#FRAME_BYTES} in which all values are 0. */
    public static void write(MemorySegment segment, long frame, long source, int form) {
        MacControl.write(segment, frame, source, OPCODE, VERSION << 8 | form);
    }

    public static void value(MemorySegment segment, long frame, int priority, long value) {
        Wire.put32(segment, frame + VALUES_OFFSET + 4L * priority, (int) value);
    }
}
