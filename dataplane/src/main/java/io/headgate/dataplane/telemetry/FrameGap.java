package io.headgate.dataplane.telemetry;

import io.headgate.dataplane.frame.FrameRoom;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;

/**
 * Opens and closes a gap behind the first headers of a frame. The headers move to the left as far
 * as the slot has room. If slots are handed on from node to node (virtual time), this room is used
 * up after some hops; the bytes behind then move to the right, of which few are stored in virtual
 * time.
 */
final class FrameGap {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private FrameGap() {}

    /**
     * Opens a gap. Returns false, and leaves the frame unchanged, if it would have too much payload
     * or the slot is too small.
     *
     * @param most maximum payload in bytes with the gap
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
     * Opens a gap in a UDP datagram, corrects its lengths and checksums, and sets another port.
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

    /** Closes a gap at the beginning of the datagram's payload. */
    static void closeInUdp(Frame frame, int bytes, int port) {
        resize(frame, -bytes, port);
        close(frame, frame.transportOffset + Udp.HEADER_BYTES, bytes);
    }

    private static void resize(Frame frame, int by, int port) {
        int before = Udp.destinationPort(MEMORY, frame.dataOffset + frame.transportOffset);
        FrameRoom.lengthen(MEMORY, frame, by, before, port);
    }

    /** Closes a gap. */
    static void close(Frame frame, int firstBytes, int bytes) {
        FrameRoom.shift(MEMORY, frame, firstBytes, bytes);
    }
}
