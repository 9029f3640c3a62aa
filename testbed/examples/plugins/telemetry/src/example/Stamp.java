package example;

import io.headgate.dataplane.frame.FrameRoom;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;

/**
 * Behind the UDP header, whose port says that it is there: the port before (16 bits), how many
 * records (8) and 0 (8), then the records, the newest first: queue in bytes (32), port (32), time
 * in ns (64), which is 0 until it is written.
 */
final class Stamp {
    static final int UDP_PORT = 49_374;
    static final int SHIM_BYTES = 4;
    static final int BYTES = 16;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final int PORT_AT = 4;
    private static final int TIME_AT = 8;

    private Stamp() {}

    static boolean isIn(Frame frame) {
        int leastBytes = Udp.HEADER_BYTES + SHIM_BYTES;
        return FrameRoom.isTo(MEMORY, frame, UDP_PORT, leastBytes)
                && Udp.lengthBytes(MEMORY, udp(frame)) >= leastBytes + records(frame) * BYTES
                && frame.storedBytes >= at(frame, records(frame)) - frame.dataOffset;
    }

    static long udp(Frame frame) {
        return frame.dataOffset + frame.transportOffset;
    }

    private static long at(Frame frame, int record) {
        return udp(frame) + Udp.HEADER_BYTES + SHIM_BYTES + (long) record * BYTES;
    }

    static int records(Frame frame) {
        return Wire.u8(MEMORY, udp(frame) + Udp.HEADER_BYTES + Short.BYTES);
    }

    static int portBefore(Frame frame) {
        return Wire.u16(MEMORY, udp(frame) + Udp.HEADER_BYTES);
    }

    /** Whether the newest record waits to be written. */
    static boolean hasRoom(Frame frame) {
        return isIn(frame) && records(frame) > 0 && timeNs(frame, 0) == 0;
    }

    static void write(Frame frame, long queueBytes, int port, long timeNs) {
        long at = at(frame, 0);
        Wire.put32(MEMORY, at, (int) queueBytes);
        Wire.put32(MEMORY, at + PORT_AT, port);
        Wire.put64(MEMORY, at + TIME_AT, timeNs);
    }

    static long queueBytes(Frame frame, int record) {
        return Wire.u32(MEMORY, at(frame, record));
    }

    static long timeNs(Frame frame, int record) {
        return Wire.i64(MEMORY, at(frame, record) + TIME_AT);
    }
}
