package io.headgate.dataplane.frame;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import java.lang.foreign.MemorySegment;

/**
 * MAC control frames: PAUSE (IEEE 802.3 Annex 31B) and priority-based flow control, PFC (802.3
 * Annex 31D, 802.1Q clause 36; Wireshark prints it as "Class Based Flow Control [CBFC]"). They are
 * never tagged, so offsets are from the frame's first byte.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |   destination 01-80-C2-00-00-01, source (12 bytes)            |
 *  +-------------------------------+-------------------------------+
 *  |            0x8808             |            opcode             |
 *  +-------------------------------+-------------------------------+
 *  |  PAUSE: quanta                |  PAUSE: zero                  |
 *  |  PFC: enabled priorities 7..0 |  PFC: quanta of priority 0    |
 *  +-------------------------------+-------------------------------+
 *  |  PFC: quanta of priority 1    |  ... of priority 7; then zero |
 *  +-------------------------------+-------------------------------+
 * </pre>
 *
 * A quantum is 512 bit times at the port's rate.
 */
public final class MacControl {
    public static final int OPCODE_OFFSET = 14;
    public static final int PAUSE_QUANTA_OFFSET = 16;
    public static final int ENABLED_OFFSET = 16;
    public static final int PFC_QUANTA_OFFSET = 18;

    /** Length of every MAC control frame that is sent. */
    public static final int FRAME_BYTES = 60;

    public static final int PAUSE = 0x0001;
    public static final int PFC = 0x0101;

    public static final int MAX_QUANTA = 0xFFFF;

    private static final int PAUSE_BYTES = PAUSE_QUANTA_OFFSET + 2;
    private static final int PFC_BYTES = PFC_QUANTA_OFFSET + 2 * PRIORITIES;

    private MacControl() {}

    /** Whether it is a MAC control frame, with any opcode; only the opcode may then be read. */
    public static boolean isValid(MemorySegment segment, long frame, int availableBytes) {
        return availableBytes >= OPCODE_OFFSET + 2
                && Ethernet.etherType(segment, frame) == EtherType.MAC_CONTROL;
    }

    /**
     * Whether it is a PAUSE with its quanta. A device may have stripped the padding, so fewer than
     * {@link #FRAME_BYTES} are enough.
     */
    public static boolean isPause(MemorySegment segment, long frame, int availableBytes) {
        return isOf(PAUSE, segment, frame, availableBytes);
    }

    /** Whether it is a PFC with the quanta of all eight priorities, padded or not. */
    public static boolean isPfc(MemorySegment segment, long frame, int availableBytes) {
        return isValid(segment, frame, availableBytes)
                && availableBytes >= PFC_BYTES
                && opcode(segment, frame) == PFC;
    }

    public static int opcode(MemorySegment segment, long frame) {
        return Wire.u16(segment, frame + OPCODE_OFFSET);
    }

    /** Pause time in quanta; 0 to resume. Only after {@link #isPause}. */
    public static int pauseQuanta(MemorySegment segment, long frame) {
        return Wire.u16(segment, frame + PAUSE_QUANTA_OFFSET);
    }

    /**
     * Bit i is set if the frame has quanta for priority i; the reserved high byte is ignored. Only
     * after {@link #isPfc}.
     */
    public static int enabled(MemorySegment segment, long frame) {
        return Wire.u16(segment, frame + ENABLED_OFFSET) & 0xFF;
    }

    /** Pause time of an enabled priority in quanta; 0 to resume it. Only after {@link #isPfc}. */
    public static int quanta(MemorySegment segment, long frame, int priority) {
        return Wire.u16(segment, frame + PFC_QUANTA_OFFSET + 2L * priority);
    }

    /** Whether it has this opcode and the two bytes behind it, padded or not. */
    public static boolean isOf(int opcode, MemorySegment segment, long frame, int availableBytes) {
        return isValid(segment, frame, availableBytes)
                && availableBytes >= PAUSE_BYTES
                && opcode(segment, frame) == opcode;
    }

    /** The two bytes behind the opcode. Only after {@link #isOf}. */
    public static int parameter(MemorySegment segment, long frame) {
        return Wire.u16(segment, frame + PAUSE_QUANTA_OFFSET);
    }

    /** Writes a whole frame of {@link #FRAME_BYTES} with two bytes behind the opcode. */
    public static void write(
            MemorySegment segment, long frame, long source, int opcode, int parameter) {
        writeHeader(segment, frame, source, opcode);
        Wire.put16(segment, frame + PAUSE_QUANTA_OFFSET, parameter);
    }

    /** Writes a whole PAUSE frame of {@link #FRAME_BYTES}. */
    public static void writePause(MemorySegment segment, long frame, long source, int quanta) {
        write(segment, frame, source, PAUSE, quanta);
    }

    /**
     * Writes a whole PFC frame of {@link #FRAME_BYTES} in which every enabled priority has the same
     * quanta; {@link #quanta(MemorySegment, long, int, int)} may then change each.
     */
    public static void writePfc(
            MemorySegment segment, long frame, long source, int enabled, int quanta) {
        writeHeader(segment, frame, source, PFC);
        Wire.put16(segment, frame + ENABLED_OFFSET, enabled & 0xFF);
        for (int priority = 0; priority < PRIORITIES; priority++) {
            quanta(segment, frame, priority, ((enabled >>> priority) & 1) * quanta);
        }
    }

    public static void quanta(MemorySegment segment, long frame, int priority, int quanta) {
        Wire.put16(segment, frame + PFC_QUANTA_OFFSET + 2L * priority, quanta);
    }

    private static void writeHeader(MemorySegment segment, long frame, long source, int opcode) {
        Ethernet.destination(segment, frame, MacAddress.MAC_CONTROL);
        Ethernet.source(segment, frame, source);
        Ethernet.etherType(segment, frame, EtherType.MAC_CONTROL);
        Wire.put16(segment, frame + OPCODE_OFFSET, opcode);
        Wire.put32(segment, frame + PAUSE_QUANTA_OFFSET, 0);
        for (int offset = PAUSE_QUANTA_OFFSET + 4; offset < FRAME_BYTES; offset += 8) {
            Wire.put64(segment, frame + offset, 0);
        }
    }
}
