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
 * The header of a frame that escapes (Menikkumbura's dissertation, section 4.3.1): how many
 * switches it is still to pass on its way out of blocked queues. It is put on where a frame leaves
 * its queue for the escape queue, and taken off where a frame comes in, so that what is between
 * sees the frame as its host has sent it. One of two places:
 *
 * <p><b>A tag</b> behind the addresses and any VLAN tags, {@link DetourTag}: its number is the
 * hops, and nothing else of the frame changes.
 *
 * <p><b>Behind UDP</b>, as the dissertation has it, in RoCEv2: destination port 4793 in place of
 * 4791, lengths and checksums corrected; the InfiniBand CRC is right again once the header is gone.
 *
 * <pre>
 *  +-------------------------------+-------------------------------+
 *  |             hops              |   zero; ignored on receipt    |
 *  +-------------------------------+-------------------------------+
 * </pre>
 */
public final class EscapeHeader {
    public static final int BYTES = DetourTag.BYTES;

    /** UDP destination port of RoCEv2 frames with the header: 4791 is their own. */
    public static final int UDP_PORT = 4793;

    private EscapeHeader() {}

    /**
     * Whether a frame that {@link HeaderParser} has accepted has the header.
     *
     * @param behindUdp whether it may be there; otherwise what is sent to its port is a host's own
     */
    public static boolean isPresent(MemorySegment segment, Frame frame, boolean behindUdp) {
        return DetourTag.isPresent(frame)
                || (behindUdp
                        && FrameRoom.isTo(segment, frame, UDP_PORT, Udp.HEADER_BYTES + BYTES));
    }

    /**
     * Takes the header off a frame that has it, and finds the frame's other headers again.
     *
     * @return its hops, 0 to 65,535; or −1 if the frame is malformed without it
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
     * Puts the header on. What follows the frame's headers in memory stays where it is; its
     * beginning moves {@link #BYTES} to the left, as do the offsets of the fields.
     *
     * @param hops 1 to 65,535
     * @param behindUdp where that is possible: in RoCEv2
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

    /** Takes the flow of a frame that leaves, with the header or without; false if it has none. */
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
