package io.headgate.dataplane.frame;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;

/**
 * Makes room within a frame for data that switches add on its way. The bytes after the room stay in
 * place; the headers before it move to the left, and back when the room is removed.
 */
public final class FrameRoom {
    private FrameRoom() {}

    /**
     * Whether a frame's slot has room for this many more bytes before the frame. A part of the
     * headroom is kept for tags. Added bytes accumulate if slots are handed on (virtual time).
     */
    public static boolean fits(Frame frame, int bytes) {
        return bytes <= most(frame);
    }

    /** Maximum number of bytes that fit before the frame. */
    public static int most(Frame frame) {
        long before = frame.dataOffset - frame.slotOffset;
        return (int) Math.max(0, before - FrameRegion.HEADROOM_BYTES / 4);
    }

    /**
     * Moves the first bytes of a frame by {@code by} bytes, which makes the frame shorter or
     * longer.
     */
    public static void shift(MemorySegment segment, Frame frame, int firstBytes, int by) {
        MemorySegment.copy(segment, frame.dataOffset, segment, frame.dataOffset + by, firstBytes);
        frame.dataOffset += by;
        frame.lengthBytes -= by;
        frame.storedBytes -= by;
    }

    /**
     * Writes lengths and port of a UDP datagram that becomes longer or shorter, and updates its
     * checksums, but not for the bytes in the room.
     */
    public static void lengthen(
            MemorySegment segment, Frame frame, int by, int portBefore, int port) {
        long ip = frame.dataOffset + frame.ipOffset;
        long udp = frame.dataOffset + frame.transportOffset;
        if (frame.etherType == EtherType.IPV4) {
            Ipv4.totalBytes(segment, ip, Ipv4.totalBytes(segment, ip) + by);
        } else {
            Ipv6.payloadBytes(segment, ip, Ipv6.payloadBytes(segment, ip) + by);
        }
        int before = Udp.lengthBytes(segment, udp);
        int after = before + by;
        Wire.put16(segment, udp + Udp.LENGTH_OFFSET, after);
        Wire.put16(segment, udp + Udp.DESTINATION_PORT_OFFSET, port);
        Udp.updateChecksum(segment, udp, portBefore, port);
        // The length stands in the pseudo header, too.
        Udp.updateChecksum(segment, udp, before, after);
        Udp.updateChecksum(segment, udp, before, after);
    }

    /** Whether a frame is a whole UDP datagram to a port, with at least this many bytes stored. */
    public static boolean isTo(
            MemorySegment segment, Frame frame, int destinationPort, int leastBytes) {
        int transportOffset = frame.transportOffset;
        if (transportOffset == Frame.ABSENT) {
            return false;
        }
        long udp = frame.dataOffset + transportOffset;
        if (Udp.destinationPort(segment, udp) != destinationPort) {
            return false;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        boolean isUdp =
                frame.etherType == EtherType.IPV4
                        ? Ipv4.protocol(segment, ip) == IpProtocol.UDP
                                && !Ipv4.isFragment(segment, ip)
                        : Ipv6.nextHeader(segment, ip) == IpProtocol.UDP;
        return isUdp
                && frame.storedBytes >= transportOffset + leastBytes
                && Udp.lengthBytes(segment, udp) >= leastBytes
                && Udp.isValid(segment, udp, frame.lengthBytes - transportOffset);
    }
}
