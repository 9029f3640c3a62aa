package io.headgate.dataplane.telemetry;

import io.headgate.dataplane.frame.FrameRoom;
import io.headgate.dataplane.frame.HeaderParser;
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

    /** Whether a frame that grows has no more payload than allowed. */
    static boolean isWithin(int most, Frame frame, int bytes) {
        return HeaderParser.isWithin(most - bytes, frame);
    }

    /** False if the slot is too small; the frame is as it was. */
    static boolean open(Frame frame, int firstBytes, int bytes) {
        if (frame.storedBytes + bytes > frame.region.maxFrameBytes()) {
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

    /** Closes it again. */
    static void close(Frame frame, int firstBytes, int bytes) {
        FrameRoom.shift(MEMORY, frame, firstBytes, bytes);
    }
}
