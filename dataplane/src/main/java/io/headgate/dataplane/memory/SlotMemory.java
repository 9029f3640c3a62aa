package io.headgate.dataplane.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Where the memory of slots comes from. */
@FunctionalInterface
public interface SlotMemory {
    /** Bytes of a page, at whose beginning slots lie. */
    int PAGE_BYTES = 4096;

    /** There from the start, so that no frame waits until the kernel has found a page. */
    SlotMemory RESIDENT = bytes -> Arena.ofAuto().allocate(bytes, PAGE_BYTES);

    /**
     * Memory of zeros that starts at a page, released when it is garbage.
     *
     * @param bytes size, at least 1
     * @throws OutOfMemoryError if the machine has less, as far as that can be known in advance
     */
    MemorySegment allocate(long bytes);
}
