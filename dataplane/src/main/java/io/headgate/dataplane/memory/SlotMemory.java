package io.headgate.dataplane.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Allocates the memory of slots. */
@FunctionalInterface
public interface SlotMemory {
    /** Page size in bytes; a region's memory starts at a page. */
    int PAGE_BYTES = 4096;

    /** Resident from the start, so that no frame waits until the kernel has found a page. */
    SlotMemory RESIDENT = bytes -> Arena.ofAuto().allocate(bytes, PAGE_BYTES);

    /**
     * Allocates zeroed memory that starts at a page; it is released when it is garbage.
     *
     * @param bytes size, at least 1
     * @throws OutOfMemoryError if the machine has less, as far as this is known in advance
     */
    MemorySegment allocate(long bytes);
}
