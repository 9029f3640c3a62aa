package io.headgate.dataplane.escape;

import io.headgate.dataplane.detour.DetourTag;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.frame.FrameRoom;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;

/**
 * The header of an escaping frame (Menikkumbura's dissertation, section 4.3.1): the number of
 * switches that the frame must still pass on its way out of blocked queues. It is inserted when a
 * frame leaves its queue for the escape queue, and removed when a frame arrives, so that all steps
 * between see the frame as its host has sent it. It has one of two places:
 *
 * <p><b>A tag</b> behind the addresses and any VLAN tags, {@link DetourTag}: its number is the
 * hops, and the rest of the frame does not change.
 *
 * <p><b>Behind UDP</b>, as in the dissertation, in RoCEv2: destination port 4793 instead of 4791,
 * lengths and checksums corrected. The InfiniBand CRC is right again once the header is removed.
 *
 * <pre>
 *  +-------------------------------+-------------------------------+
 *  |             hops              |   zero; ignored on receipt    |
 *  +-------------------------------+-------------------------------+
 * </pre>
 */
public final class EscapeHeader {
    public static final int BYTES = DetourTag.BYTES;

    /** UDP destination port of RoCEv2 frames with the header; without it, the port is 4791. */
    public static final int UDP_PORT = 4793;

    private EscapeHeader() {}

    /**
     * Whether a frame that {@link HeaderParser} has accepted has the header.
     *
     * @param behindUdp whether the header may be there; otherwise frames to its port are a host's
     *     own
     */
    public static boolean isPresent(MemorySegment segment, Frame frame, boolean behindUdp) {
        return DetourTag.isPresent(frame)
                || (behindUdp
                        && FrameRoom.isTo(segment, frame, UDP_PORT, Udp.HEADER_BYTES + BYTES));
    }

    /**
     * Removes the header from a frame that has it, and finds the frame's other headers again.
     *
     * @return the hops, 0 to 65,535; −1 if the frame is malformed without the header
     */
    public static int remove(MemorySegment segment, Frame frame) {
        if (frame.etherType == DetourTag.ETHER_TYPE) {
            return DetourTag.remove(segment, frame);
        }
        long data = frame.dataOffset;
        int headers = frame.transportOffset + Udp.HEADER_BYTES;
        int hops = Wire.u16(segment, data + headers);
        FrameRoom.lengthen(segment, frame, -BYTES, UDP_PORT, Bth.UDP_PORT);
        // Both words: another implementation may use the second for something of its own.
        Udp.updateChecksum(segment, data + frame.transportOffset, hops, 0);
        Udp.updateChecksum(
                segment,
                data + frame.transportOffset,
                Wire.u16(segment, data + headers + Short.BYTES),
                0);
        FrameRoom.shift(segment, frame, headers, BYTES);
        return HeaderParser.parse(segment, frame) == null ? hops : -1;
    }

    /**
     * Inserts the header. The bytes behind the frame's headers stay in place in memory; its
     * beginning moves {@link #BYTES} to the left, as do the offsets of the fields.
     *
     * @param hops 1 to 65,535
     * @param behindUdp whether to insert it behind UDP if possible, that is, in RoCEv2
     */
    public static void insert(MemorySegment segment, Frame frame, int hops, boolean behindUdp) {
        if (behindUdp && FrameRoom.isTo(segment, frame, Bth.UDP_PORT, Udp.HEADER_BYTES)) {
            int headers = frame.transportOffset + Udp.HEADER_BYTES;
            FrameRoom.lengthen(segment, frame, BYTES, Bth.UDP_PORT, UDP_PORT);
            Udp.updateChecksum(segment, frame.dataOffset + frame.transportOffset, 0, hops);
            FrameRoom.shift(segment, frame, headers, -BYTES);
            Wire.put32(segment, frame.dataOffset + headers, hops << 16);
            return;
        }
        DetourTag.insert(segment, frame, hops);
    }

    /** Reads the flow of an outgoing frame, with the header or without; false if it has none. */
    static boolean flow(MemorySegment segment, Frame frame, FiveTuple into) {
        boolean has = DetourTag.flow(segment, frame, into);
        boolean isTagged = frame.etherType == DetourTag.ETHER_TYPE;
        boolean isOwn = has && !isTagged && into.protocol() == IpProtocol.UDP;
        if (isOwn && (into.word(0) & 0xFFFF) == UDP_PORT) {
            into.word(0, into.word(0) + Bth.UDP_PORT - UDP_PORT);
        }
        return has;
    }
}
