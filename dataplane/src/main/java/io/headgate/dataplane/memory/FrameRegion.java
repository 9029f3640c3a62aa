package io.headgate.dataplane.memory;

import io.headgate.config.MemoryConfig;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

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
 * The headroom is that of the kernel's AF_XDP (XDP_PACKET_HEADROOM), used for every kind of device
 * so that frames have the same layout everywhere; tags need 64 bytes of it.
 *
 * <p>Frames are addressed by their memory address, within {@link #MEMORY}. This segment is a
 * constant, so that the JIT knows its class, scope and size: with a segment per region the engine
 * took a quarter longer per frame. So the segment does not keep an access inside its slot; the
 * frame's own lengths do, which the ingress half compares with the slot on receipt ({@link #holds})
 * and every view checks in {@code isValid}.
 */
public final class FrameRegion {
    /** Number of bits for counts of a region's frames or slots. */
    public static final int COUNT_BITS = 24;

    /** Maximum number of slots per region. */
    public static final int MAX_SLOTS = (1 << COUNT_BITS) - 1;

    /** Bytes before a received frame: the kernel's XDP_PACKET_HEADROOM. */
    public static final int HEADROOM_BYTES = 256;

    /** Bytes kept free behind the largest frame, for trailers. */
    public static final int TAIL_ROOM_BYTES = 64;

    /** The largest slot for single frames. */
    public static final int LARGEST_SINGLE_BYTES = 16_384;

    /** All memory; offsets into it are addresses. */
    public static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final int CACHE_LINE_BYTES = 64;

    /** What an egress half may put before a frame: an 802.1Q tag. */
    private static final int TAG_BYTES = 4;

    private final int slotBytes;
    private final int slotShift;
    private final int strideBytes;
    private final SlotMemory memory;
    private final MemorySegment allocation;
    private final long baseAddress;
    private final boolean late;
    private final @Nullable Frame[] frames;
    private int made;

    /** Allocates a region of resident memory, with slots at multiples of their size. */
    public FrameRegion(int slots, int slotBytes) {
        this(slots, slotBytes, true, SlotMemory.RESIDENT);
    }

    /**
     * Allocates a region; its memory is released when the region is garbage. If links pass memory
     * on (virtual time), frames of other regions contain data of this one: a reference to one
     * region keeps all regions of its run.
     *
     * @param slots number of slots, 1 to {@link #MAX_SLOTS}
     * @param slotBytes size of each: a power of two from 512 to 16,384 (below 2,048 only for frames
     *     with elided payload), or 68 KiB for frames of several TCP segments, not adjacent
     * @param adjacent whether slots are at multiples of their size, as an AF_XDP UMEM requires.
     *     Otherwise a cache line is left between them: at multiples of a power of two, the first
     *     lines of all frames fall into the same few sets of a cache, which cost 13 of 75 ns per
     *     frame
     * @param memory the source of the slots' memory
     */
    public FrameRegion(int slots, int slotBytes, boolean adjacent, SlotMemory memory) {
        this(slots, slotBytes, adjacent, memory, false);
    }

    /**
     * The same, with a choice of when the slots' {@link Frame}s are created.
     *
     * @param late true: each at its first use, by one thread only; false: all now
     */
    public FrameRegion(
            int slots, int slotBytes, boolean adjacent, SlotMemory memory, boolean late) {
        if (slots < 1
                || slots > MAX_SLOTS
                || !(isPowerOfTwo(slotBytes)
                        || (slotBytes == MemoryConfig.WHOLE_SLOT_BYTES && !adjacent))) {
            throw new IllegalArgumentException(slots + " slots of " + slotBytes + " bytes");
        }
        this.slotBytes = slotBytes;
        this.slotShift = Integer.numberOfTrailingZeros(slotBytes);
        this.strideBytes = adjacent ? slotBytes : slotBytes + CACHE_LINE_BYTES;
        this.memory = memory;
        this.allocation = memory.allocate((long) slots * strideBytes);
        this.baseAddress = allocation.address();
        this.frames = new Frame[slots];
        this.late = late;
        for (int slot = 0; slot < slots && !late; slot++) {
            make(slot);
        }
    }

    private Frame make(int slot) {
        Frame frame = new Frame(this, slot, baseAddress + (long) slot * strideBytes);
        frames[slot] = frame;
        made++;
        return frame;
    }

    private static boolean isPowerOfTwo(int slotBytes) {
        return Integer.bitCount(slotBytes) == 1
                && slotBytes >= 512
                && slotBytes <= LARGEST_SINGLE_BYTES;
    }

    /** The segment for {@link Frame#dataOffset}: {@link #MEMORY}. */
    public MemorySegment segment() {
        return MEMORY;
    }

    /** The region's own memory, exactly all its slots, for code that maps it elsewhere. */
    public MemorySegment allocation() {
        return allocation;
    }

    /** The source of that memory. */
    public SlotMemory memory() {
        return memory;
    }

    /** Address of the first slot. */
    public long baseAddress() {
        return baseAddress;
    }

    public int slots() {
        return frames.length;
    }

    /** Whether slots are at multiples of their size. */
    public boolean isAdjacent() {
        return strideBytes == slotBytes;
    }

    public int slotBytes() {
        return slotBytes;
    }

    /** Longest frame that a slot can hold, in bytes. */
    public int maxFrameBytes() {
        return slotBytes - HEADROOM_BYTES - TAIL_ROOM_BYTES;
    }

    /** Whether frames are created at their first use. */
    public boolean isLate() {
        return late;
    }

    public Frame frame(int slot) {
        Frame frame = frames[slot];
        return frame == null ? make(slot) : frame;
    }

    /** A slot's frame, or null if it is created late and was never used: such a slot is free. */
    public @Nullable Frame made(int slot) {
        return frames[slot];
    }

    /** Number of slots whose frame has been created; none is ever removed. */
    public int madeFrames() {
        return made;
    }

    /**
     * Whether a frame lies within its slot, with room for a tag before it, and stores no more than
     * its length. One comparison, because it is done for every received frame.
     */
    public boolean holds(Frame frame) {
        long before = frame.dataOffset - frame.slotOffset;
        long stored = frame.storedBytes;
        return ((before - TAG_BYTES)
                        | (slotBytes - before - stored)
                        | stored
                        | (frame.lengthBytes - stored))
                >= 0;
    }

    /** The frame of the slot that contains an address of the region; slots must be adjacent. */
    public Frame frameAt(long address) {
        return frame((int) ((address - baseAddress) >>> slotShift));
    }
}
