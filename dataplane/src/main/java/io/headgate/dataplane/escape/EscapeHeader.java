package io.headgate.dataplane.escape;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.frame.FrameRoom;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
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
 * <p><b>A tag</b> behind the addresses and any VLAN tags: nothing else of the frame changes.
 *
 * <pre>
 *  +-------------------------------+-------------------------------+
 *  |            0x88B6             |             hops              |
 *  +-------------------------------+-------------------------------+
 *  |      EtherType of the frame   |
 *  +-------------------------------+
 * </pre>
 *
 * <b>Behind UDP</b>, as the dissertation has it, in RoCEv2: destination port 4793 in place of 4791,
 * lengths and checksums corrected; the InfiniBand CRC is right again once the header is gone.
 *
 * <pre>
 *  +-------------------------------+-------------------------------+
 *  |             hops              |   zero; ignored on receipt    |
 *  +-------------------------------+-------------------------------+
 * </pre>
 */
public final class EscapeHeader {
    public static final int BYTES = 4;

    /** Local experimental EtherType 2. */
    public static final int ETHER_TYPE = 0x88B6;

    /** UDP destination port of RoCEv2 frames with the header: 4791 is their own. */
    public static final int UDP_PORT = 4793;

    private EscapeHeader() {}

    /**
     * Whether a frame that {@link HeaderParser} has accepted has the header.
     *
     * @param behindUdp whether it may be there; otherwise what is sent to its port is a host's own
     */
    public static boolean isPresent(MemorySegment segment, Frame frame, boolean behindUdp) {
        if (frame.etherType == ETHER_TYPE) {
            return frame.storedBytes >= frame.etherTypeOffset + 2 + BYTES;
        }
        return behindUdp && FrameRoom.isTo(segment, frame, UDP_PORT, Udp.HEADER_BYTES + BYTES);
    }

    /**
     * Takes the header off a frame that has it, and finds the frame's other headers again.
     *
     * @return its hops, 0 to 65,535; or −1 if the frame is malformed without it
     */
    public static int remove(MemorySegment segment, Frame frame) {
        long data = frame.dataOffset;
        int hops;
        if (frame.etherType == ETHER_TYPE) {
            hops = Wire.u16(segment, data + frame.etherTypeOffset + 2);
            FrameRoom.shift(segment, frame, frame.etherTypeOffset, BYTES);
        } else {
            int headers = frame.transportOffset + Udp.HEADER_BYTES;
            hops = Wire.u16(segment, data + headers);
            FrameRoom.lengthen(segment, frame, -BYTES, UDP_PORT, Bth.UDP_PORT);
            // Both words: another implementation may use the second for something of its own.
            Udp.updateChecksum(segment, data + frame.transportOffset, hops, 0);
            Udp.updateChecksum(
                    segment,
                    data + frame.transportOffset,
                    Wire.u16(segment, data + headers + Short.BYTES),
                    0);
            FrameRoom.shift(segment, frame, headers, BYTES);
        }
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
        int at = frame.etherTypeOffset;
        FrameRoom.shift(segment, frame, at, -BYTES);
        Wire.put32(segment, frame.dataOffset + at, ETHER_TYPE << 16 | hops);
        frame.etherType = ETHER_TYPE;
        frame.ipOffset = Frame.ABSENT;
        frame.transportOffset = Frame.ABSENT;
    }

    /** Takes the flow of a frame that leaves, with the header or without; false if it has none. */
    static boolean flow(MemorySegment segment, Frame frame, FiveTuple into) {
        if (frame.etherType == ETHER_TYPE) {
            return flowBehindTag(segment, frame.dataOffset + frame.etherTypeOffset + BYTES, into);
        }
        boolean has = into.read(segment, frame);
        boolean isOwn = has && into.protocol() == IpProtocol.UDP;
        if (isOwn && (into.word(0) & 0xFFFF) == UDP_PORT) {
            into.word(0, into.word(0) + Bth.UDP_PORT - UDP_PORT);
        }
        return has;
    }

    private static boolean flowBehindTag(MemorySegment segment, long type, FiveTuple into) {
        long ip = type + Short.BYTES;
        if (Wire.u16(segment, type) == EtherType.IPV4) {
            into.ipv4(
                    Wire.i32(segment, ip + Ipv4.SOURCE_OFFSET),
                    Wire.i32(segment, ip + Ipv4.SOURCE_OFFSET + Integer.BYTES),
                    Wire.i32(segment, ip + Ipv4.headerBytes(segment, ip)),
                    Ipv4.protocol(segment, ip));
            return true;
        }
        if (Wire.u16(segment, type) != EtherType.IPV6) {
            return false;
        }
        into.ipv6(Wire.i32(segment, ip + Ipv6.HEADER_BYTES), Ipv6.nextHeader(segment, ip));
        into.word(1, Ipv6.sourceHigh(segment, ip));
        into.word(2, Ipv6.sourceLow(segment, ip));
        into.word(3, Ipv6.destinationHigh(segment, ip));
        into.word(4, Ipv6.destinationLow(segment, ip));
        return true;
    }
}
