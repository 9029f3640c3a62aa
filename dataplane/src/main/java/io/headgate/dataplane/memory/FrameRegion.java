package io.headgate.dataplane.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One block of memory cut into equal slots, page aligned so that it can serve as an AF_XDP UMEM.
 *
 * <pre>
 *   0                 256                                        slotBytes
 *   +------------------+------------------------------+-----------+
 *   |     headroom     |  frame as received           | tail room |
 *   +------------------+------------------------------+-----------+
 *          tags grow to the left                         >= 64
 * </pre>
 *
 * The headroom is what the kernel's AF_XDP reserves (XDP_PACKET_HEADROOM), kept for every kind of
 * device so that a frame lies the same wherever it came from; tags need 64 bytes of it.
 */
public final class FrameRegion {
    /** Bytes before a received frame: the kernel's XDP_PACKET_HEADROOM. */
    public static final int HEADROOM_BYTES = 256;

    /** Bytes kept free behind the largest frame, for trailers. */
    public static final int TAIL_ROOM_BYTES = 64;

    private static final int PAGE_BYTES = 4096;

    private final int slotBytes;
    private final int slotShift;
    private final MemorySegment segment;
    private final Frame[] frames;

    /**
     * Allocates a region, its memory released when the region is garbage.
     *
     * @param slots number of slots, at least 1
     * @param slotBytes size of each: a power of two from 512 to 16,384 (below 2,048 only for frames
     *     with elided payload)
     */
    public FrameRegion(int slots, int slotBytes) {
        if (slots < 1 || Integer.bitCount(slotBytes) != 1 || slotBytes < 512 || slotBytes > 16384) {
            throw new IllegalArgumentException(slots + " slots of " + slotBytes + " bytes");
        }
        this.slotBytes = slotBytes;
        this.slotShift = Integer.numberOfTrailingZeros(slotBytes);
        this.segment = Arena.ofAuto().allocate((long) slots * slotBytes, PAGE_BYTES);
        this.frames = new Frame[slots];
        for (int slot = 0; slot < slots; slot++) {
            frames[slot] = new Frame(slot, (long) slot * slotBytes);
        }
    }

    /** The whole region: frames are addressed by offsets into it. */
    public MemorySegment segment() {
        return segment;
    }

    public int slots() {
        return frames.length;
    }

    public int slotBytes() {
        return slotBytes;
    }

    /** Longest frame that a slot takes, in bytes. */
    public int maxFrameBytes() {
        return slotBytes - HEADROOM_BYTES - TAIL_ROOM_BYTES;
    }

    public Frame frame(int slot) {
        return frames[slot];
    }

    /** The frame whose slot contains an offset of the region. */
    public Frame frameAt(long offset) {
        return frames[(int) (offset >>> slotShift)];
    }
}
