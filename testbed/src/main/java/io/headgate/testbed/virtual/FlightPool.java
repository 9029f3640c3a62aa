package io.headgate.testbed.virtual;

import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory for frames in flight, shared by all links of a run: cells of a few sizes, the one given
 * back last is taken first, so that it is still in cache however many links there are. Grows by
 * whole chunks to what a run has in flight at most, and never shrinks.
 *
 * <pre>
 *   0        8          16        20        24       28       32
 *   +--------+----------+---------+---------+--------+--------+------------- ...
 *   | next   | arrive   | length  | stored  | class  | unused | stored bytes
 *   +--------+----------+---------+---------+--------+--------+------------- ...
 * </pre>
 */
final class FlightPool {
    /** No cell. */
    static final long NONE = 0;

    private static final int ARRIVE_OFFSET = 8;
    private static final int LENGTH_OFFSET = 16;
    private static final int STORED_OFFSET = 20;
    private static final int CLASS_OFFSET = 24;
    static final int DATA_OFFSET = 32;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private static final int SMALLEST_SHIFT = 7;
    private static final int LARGEST_SHIFT = 15;
    private static final int CHUNK_BYTES = 1 << 18;
    private static final int CACHE_LINE_BYTES = 64;

    // What fits the smallest cell in whole steps of 32.
    private static final int COPY_BY_WORD_BYTES = 96;

    private final Arena arena;
    private final long[] freeByClass = new long[LARGEST_SHIFT + 1];
    private final List<MemorySegment> chunks = new ArrayList<>();
    private int used;

    FlightPool(Arena arena) {
        this.arena = arena;
    }

    /** Takes a cell for a frame, its lengths set; 8 bytes at a time may be written to it. */
    long take(int lengthBytes, int storedBytes) {
        int needed = DATA_OFFSET + storedBytes - 1;
        int shift = Math.max(SMALLEST_SHIFT, Integer.SIZE - Integer.numberOfLeadingZeros(needed));
        long cell = freeByClass[shift];
        if (cell == NONE) {
            cell = grow(shift);
        }
        freeByClass[shift] = MEMORY.get(LONG, cell);
        MEMORY.set(LONG, cell, NONE);
        MEMORY.set(INT, cell + LENGTH_OFFSET, lengthBytes);
        MEMORY.set(INT, cell + STORED_OFFSET, storedBytes);
        MEMORY.set(INT, cell + CLASS_OFFSET, shift);
        used++;
        return cell;
    }

    void give(long cell) {
        int shift = MEMORY.get(INT, cell + CLASS_OFFSET);
        MEMORY.set(LONG, cell, freeByClass[shift]);
        freeByClass[shift] = cell;
        used--;
    }

    /** Cells in use. */
    int used() {
        return used;
    }

    /** Bytes that the pool has grown to. */
    long bytes() {
        return chunks.stream().mapToLong(MemorySegment::byteSize).sum();
    }

    private long grow(int shift) {
        if (shift > LARGEST_SHIFT) {
            throw new IllegalArgumentException("a frame of more than " + (1 << LARGEST_SHIFT));
        }
        MemorySegment chunk = arena.allocate(CHUNK_BYTES, CACHE_LINE_BYTES);
        chunks.add(chunk);
        long cell = NONE;
        for (long at = CHUNK_BYTES - (1L << shift); at >= 0; at -= 1L << shift) {
            MEMORY.set(LONG, chunk.address() + at, cell);
            cell = chunk.address() + at;
        }
        return cell;
    }

    static long next(long cell) {
        return MEMORY.get(LONG, cell);
    }

    static void next(long cell, long following) {
        MEMORY.set(LONG, cell, following);
    }

    static long arrivePs(long cell) {
        return MEMORY.get(LONG, cell + ARRIVE_OFFSET);
    }

    static void arrivePs(long cell, long ps) {
        MEMORY.set(LONG, cell + ARRIVE_OFFSET, ps);
    }

    static int lengthBytes(long cell) {
        return MEMORY.get(INT, cell + LENGTH_OFFSET);
    }

    static int storedBytes(long cell) {
        return MEMORY.get(INT, cell + STORED_OFFSET);
    }

    /**
     * Copies a frame's stored bytes, 32 at a time: up to 31 more than asked for are read and
     * written, which a slot's tail room and a cell's rounding allow for. A few words are copied in
     * less time than a call to the general routine takes.
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
        long a = MEMORY.get(WORD, from);
        long b = MEMORY.get(WORD, from + 8);
        long c = MEMORY.get(WORD, from + 16);
        long d = MEMORY.get(WORD, from + 24);
        MEMORY.set(WORD, to, a);
        MEMORY.set(WORD, to + 8, b);
        MEMORY.set(WORD, to + 16, c);
        MEMORY.set(WORD, to + 24, d);
    }
}
