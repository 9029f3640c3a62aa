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
 * The headroom is what the kernel's AF_XDP reserves (XDP_PACKET_HEADROOM), kept for every kind of
 * device so that a frame lies the same wherever it came from; tags need 64 bytes of it.
 *
 * <p>Frames are addressed by their memory address, within {@link #MEMORY}. That one segment is a
 * constant, so that the compiler knows its class, scope and size: with a segment per region the
 * engine took a quarter longer a frame. What keeps an access inside its slot is therefore not the
 * segment but the frame's own lengths, which the ingress half holds against the slot on receipt
 * ({@link #holds}) and every view checks in {@code isValid}.
 */
public final class FrameRegion {
    /** Width in bits of counts of a region's frames or slots. */
    public static final int COUNT_BITS = 24;

    /** Most slots of a region. */
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

    /** Allocates a region of resident memory whose slots lie at multiples of their size. */
    public FrameRegion(int slots, int slotBytes) {
        this(slots, slotBytes, true, SlotMemory.RESIDENT);
    }

    /**
     * Allocates a region; its memory is released when the region is garbage. If links hand memory
     * on (virtual time), data of one region is in other regions' frames: a reference to one region
     * keeps all of its run.
     *
     * @param slots number of slots, 1 to {@link #MAX_SLOTS}
     * @param slotBytes size of each: a power of two from 512 to 16,384 (below 2,048 only for frames
     *     with elided payload), or 68 KiB for frames of several TCP segments, not adjacent
     * @param adjacent whether slots lie at multiples of their size, as an AF_XDP UMEM demands.
     *     Otherwise a cache line is left between them: at a power of two the first lines of all
     *     frames fall into the same few sets of a cache, which cost 13 of 75 ns a frame
     * @param memory the source of the slots' memory
     */
    public FrameRegion(int slots, int slotBytes, boolean adjacent, SlotMemory memory) {
        this(slots, slotBytes, adjacent, memory, false);
    }

    /**
     * As the other, with the choice of when the slots' {@link Frame}s are made.
     *
     * @param late each when it is first asked for, which one thread alone may do; otherwise all now
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
        Frame made = new Frame(this, slot, baseAddress + (long) slot * strideBytes);
        frames[slot] = made;
        return made;
    }

    private static boolean isPowerOfTwo(int slotBytes) {
        return Integer.bitCount(slotBytes) == 1
                && slotBytes >= 512
                && slotBytes <= LARGEST_SINGLE_BYTES;
    }

    /** What {@link Frame#dataOffset} is an offset into: {@link #MEMORY}. */
    public MemorySegment segment() {
        return MEMORY;
    }

    /** The region's own memory, all slots and nothing else, for whom maps it elsewhere. */
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

    /** Whether slots lie at multiples of their size. */
    public boolean isAdjacent() {
        return strideBytes == slotBytes;
    }

    public int slotBytes() {
        return slotBytes;
    }

    /** Longest frame that a slot takes, in bytes. */
    public int maxFrameBytes() {
        return slotBytes - HEADROOM_BYTES - TAIL_ROOM_BYTES;
    }

    /** Whether frames are made when they are first asked for. */
    public boolean isLate() {
        return late;
    }

    public Frame frame(int slot) {
        Frame made = frames[slot];
        return made == null ? make(slot) : made;
    }

    /** A slot's frame, or null if it is made late and was never asked for: such a slot is free. */
    public @Nullable Frame made(int slot) {
        return frames[slot];
    }

    /**
     * Whether a frame lies within its slot, with room for a tag before it, and stores no more than
     * its length. One comparison, as every received frame is asked.
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

    /** The frame whose slot contains an address of the region, whose slots must be adjacent. */
    public Frame frameAt(long address) {
        return frame((int) ((address - baseAddress) >>> slotShift));
    }
}
