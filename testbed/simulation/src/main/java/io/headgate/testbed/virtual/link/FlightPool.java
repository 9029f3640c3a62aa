package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Memory blocks that links give a sender in exchange for the slot memory of a frame in flight. All
 * blocks have the size of the sending nodes' slots, however little is stored of a frame. The block
 * given back last is taken first, so that few are in use however many links there are. Grows in
 * whole chunks to the largest number of frames in flight, and never shrinks.
 */
public final class FlightPool {
    private static final int CHUNK_BLOCKS = 256;
    private static final int CACHE_LINE_BYTES = 64;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    // What a frame with elided payload has stored, and hardly more.
    private static final int COPY_BY_WORD_BYTES = 96;

    private static final byte NOBODYS = (byte) 0xEE;

    private final int slotBytes;
    private final int blockBytes;
    private final boolean overwrites;
    private final Arena arena = Arena.ofAuto();
    private final List<MemorySegment> chunks = new ArrayList<>();
    private long[] free = new long[CHUNK_BLOCKS];
    private int size;

    /**
     * @param slotBytes size of a block, as of a slot of a {@link FrameRegion}
     * @param overwrites whether blocks are overwritten when they are given back, so that a run has
     *     other results if a node still reads one, or sends bytes that it has not written
     */
    FlightPool(int slotBytes, boolean overwrites) {
        this.slotBytes = slotBytes;
        this.overwrites = overwrites;
        // As between slots: at a power of two all would fall into the same few sets of a cache.
        this.blockBytes = slotBytes + CACHE_LINE_BYTES;
    }

    long take() {
        if (size == 0) {
            grow();
        }
        return free[--size];
    }

    /** Gives back a block, or a slot's memory for which one was taken. */
    void give(long block) {
        if (overwrites) {
            MEMORY.asSlice(block, slotBytes).fill(NOBODYS);
        }
        if (size == free.length) {
            free = Arrays.copyOf(free, 2 * size);
        }
        free[size++] = block;
    }

    /** Gives the other pool half of the free blocks that this one has more, if that is many. */
    void share(FlightPool other) {
        if (size - other.size > 2 * CHUNK_BLOCKS) {
            for (int more = (size - other.size) / 2; more > 0; more--) {
                other.give(take());
            }
        }
    }

    /** Number of blocks in flight: all blocks of the pool that are not free. */
    public int taken() {
        return chunks.size() * CHUNK_BLOCKS - size;
    }

    private void grow() {
        MemorySegment chunk = arena.allocate((long) CHUNK_BLOCKS * blockBytes, CACHE_LINE_BYTES);
        chunks.add(chunk);
        for (int block = CHUNK_BLOCKS - 1; block >= 0; block--) {
            give(chunk.address() + (long) block * blockBytes);
        }
    }

    /**
     * Copies a frame's stored bytes, 32 at a time: up to 31 more than asked for are read and
     * written, which a slot's tail room allows for. A few words are copied in less time than a call
     * to the general routine takes.
     */
    static void copy(long from, long to, int bytes) {
        if (bytes > COPY_BY_WORD_BYTES) {
            MemorySegment.copy(MEMORY, from, MEMORY, to, bytes);
            return;
        }
        copy32(from, to);
        if (bytes > 32) {
            copy32(from + 32, to + 32);
            if (bytes > 64) {
                copy32(from + 64, to + 64);
            }
        }
    }

    private static void copy32(long from, long to) {
        long a = MEMORY.get(LONG, from);
        long b = MEMORY.get(LONG, from + 8);
        long c = MEMORY.get(LONG, from + 16);
        long d = MEMORY.get(LONG, from + 24);
        MEMORY.set(LONG, to, a);
        MEMORY.set(LONG, to + 8, b);
        MEMORY.set(LONG, to + 16, c);
        MEMORY.set(LONG, to + 24, d);
    }
}
