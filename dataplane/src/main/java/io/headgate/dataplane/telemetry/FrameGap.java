package io.headgate.dataplane.telemetry;

import io.headgate.dataplane.frame.FrameRoom;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;

/**
 * Opens a gap behind the first headers of a frame. They move to the left as far as the slot has
 * room for that. Where slots are handed on (virtual time) it is used up after some hops: then what
 * is behind them moves to the right, of which little is stored there.
 */
final class FrameGap {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private FrameGap() {}

    /**
     * False if the frame would have more payload than allowed, or the slot is too small; the frame
     * is as it was.
     *
     * @param most bytes of payload that it may then have
     */
    static boolean open(Frame frame, int firstBytes, int bytes, int most) {
        if (!HeaderParser.isWithin(most - bytes, frame)
                || frame.storedBytes + bytes > frame.region.maxFrameBytes()) {
            return false;
        }
        int left = FrameRoom.fits(frame, bytes) ? bytes : FrameRoom.most(frame);
        int right = bytes - left;
        if (right > 0) {
            long from = frame.dataOffset + firstBytes;
            int behind = frame.storedBytes - firstBytes;
            MemorySegment.copy(MEMORY, from, MEMORY, from + right, behind);
            frame.lengthBytes += right;
            frame.storedBytes += right;
        }
        FrameRoom.shift(MEMORY, frame, firstBytes, -left);
        return true;
    }

    /**
     * Opens one in a UDP datagram, whose lengths and checksums follow, and which gets another port.
     *
     * @param behind bytes of the datagram's payload before the gap
     */
    static boolean openInUdp(Frame frame, int behind, int bytes, int most, int port) {
        int firstBytes = frame.transportOffset + Udp.HEADER_BYTES + behind;
        if (!open(frame, firstBytes, bytes, most)) {
            return false;
        }
        resize(frame, bytes, port);
        return true;
    }

    /** Closes one at the beginning of the datagram's payload. */
    static void closeInUdp(Frame frame, int bytes, int port) {
        resize(frame, -bytes, port);
        close(frame, frame.transportOffset + Udp.HEADER_BYTES, bytes);
    }

    private static void resize(Frame frame, int by, int port) {
        int before = Udp.destinationPort(MEMORY, frame.dataOffset + frame.transportOffset);
        FrameRoom.lengthen(MEMORY, frame, by, before, port);
    }

    /** Closes one. */
    static void close(Frame frame, int firstBytes, int bytes) {
        FrameRoom.shift(MEMORY, frame, firstBytes, bytes);
    }
}
