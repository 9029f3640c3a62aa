package example;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.FrameRoom;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;

/** Room for a {@link Stamp} in packets of RoCEv2, made and taken away. */
final class StampRoom {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private StampRoom() {}

    /** Makes room for one more record in a packet of RoCEv2, or leaves it as it is. */
    static void make(Frame frame, int most) {
        boolean isFirst = !Stamp.isIn(frame);
        int records = isFirst ? 0 : Stamp.records(frame);
        int bytes = Stamp.BYTES + (isFirst ? Stamp.SHIM_BYTES : 0);
        int portBefore = isFirst ? Bth.UDP_PORT : Stamp.UDP_PORT;
        if (records >= most
                || !FrameRoom.isTo(MEMORY, frame, portBefore, Udp.HEADER_BYTES)
                || Udp.checksum(MEMORY, Stamp.udp(frame)) != 0
                || !FrameRoom.fits(frame, bytes)) {
            return;
        }
        FrameRoom.lengthen(MEMORY, frame, bytes, portBefore, Stamp.UDP_PORT);
        int headers = frame.transportOffset + Udp.HEADER_BYTES + (isFirst ? 0 : Stamp.SHIM_BYTES);
        FrameRoom.shift(MEMORY, frame, headers, -bytes);
        long shim = Stamp.udp(frame) + Udp.HEADER_BYTES;
        if (isFirst) {
            Wire.put16(MEMORY, shim, portBefore);
        }
        Wire.put16(MEMORY, shim + Short.BYTES, records + 1 << Byte.SIZE);
        Stamp.write(frame, 0, 0, 0);
    }

    /** Takes all records off. */
    static void takeOff(Frame frame) {
        int bytes = Stamp.SHIM_BYTES + Stamp.records(frame) * Stamp.BYTES;
        FrameRoom.lengthen(MEMORY, frame, -bytes, Stamp.UDP_PORT, Stamp.portBefore(frame));
        FrameRoom.shift(MEMORY, frame, frame.transportOffset + Udp.HEADER_BYTES, bytes);
    }
}
