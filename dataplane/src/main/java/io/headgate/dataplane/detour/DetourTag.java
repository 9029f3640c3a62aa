package io.headgate.dataplane.detour;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.frame.FrameRoom;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;

/**
 * The tag of a frame that comes by a detour. It is behind the addresses and any VLAN tags, so that
 * the rest of the frame does not change. The detour defines the meaning of its number.
 *
 * <pre>
 *  +-------------------------------+-------------------------------+
 *  |            0x88B6             |            number             |
 *  +-------------------------------+-------------------------------+
 *  |      EtherType of the frame   |
 *  +-------------------------------+
 * </pre>
 */
public final class DetourTag {
    public static final int BYTES = 4;

    /** Local experimental EtherType 2. */
    public static final int ETHER_TYPE = 0x88B6;

    private DetourTag() {}

    /** Whether a frame that {@link HeaderParser} has accepted has the tag. */
    public static boolean isPresent(Frame frame) {
        return frame.etherType == ETHER_TYPE
                && frame.storedBytes >= frame.etherTypeOffset + 2 + BYTES;
    }

    /**
     * Removes the tag from a frame that has it, and finds the frame's headers again.
     *
     * @return the tag's number, 0 to 65,535; −1 if the rest is not a valid frame
     */
    public static int remove(MemorySegment segment, Frame frame) {
        int number = Wire.u16(segment, frame.dataOffset + frame.etherTypeOffset + 2);
        FrameRoom.shift(segment, frame, frame.etherTypeOffset, BYTES);
        return HeaderParser.parse(segment, frame) == null ? number : -1;
    }

    /**
     * Inserts the tag. The bytes behind the frame's addresses stay in place in memory; the
     * addresses move {@link #BYTES} to the left.
     *
     * @param number 0 to 65,535
     */
    public static void insert(MemorySegment segment, Frame frame, int number) {
        int at = frame.etherTypeOffset;
        FrameRoom.shift(segment, frame, at, -BYTES);
        Wire.put32(segment, frame.dataOffset + at, ETHER_TYPE << 16 | number);
        frame.etherType = ETHER_TYPE;
        frame.ipOffset = Frame.ABSENT;
        frame.transportOffset = Frame.ABSENT;
    }

    /** Reads the flow of an outgoing frame, with the tag or without; false if it has none. */
    public static boolean flow(MemorySegment segment, Frame frame, FiveTuple into) {
        return frame.etherType == ETHER_TYPE
                ? flowBehind(segment, frame.dataOffset + frame.etherTypeOffset + BYTES, into)
                : into.read(segment, frame);
    }

    private static boolean flowBehind(MemorySegment segment, long type, FiveTuple into) {
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
