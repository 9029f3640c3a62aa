package io.headgate.hostagent.rdma;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Memory for the messages of all connections of a host, allocated and filled before the card
 * starts: its worker must obey pauses, and has no time for that. Parts are given out first fit.
 * Owned by the card's worker.
 */
final class MessageMemory {
    private static final int ALIGNMENT_BYTES = 64;

    private record Free(long at, long bytes) {}

    private final MemorySegment all;

    // By place, no two of them adjacent.
    private final List<Free> free = new ArrayList<>();

    /**
     * Allocates the memory.
     *
     * @param bytes 1 or more
     */
    MessageMemory(long bytes) {
        long whole = aligned(bytes);
        all = Arena.ofAuto().allocate(whole, ALIGNMENT_BYTES);
        fill(all);
        free.add(new Free(0, whole));
    }

    /** Size of a part for that many bytes, with alignment. */
    static long aligned(long bytes) {
        return Math.ceilDiv(bytes, ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
    }

    /** Fills the memory with varying bytes, so that data in a wrong place are detected. */
    private static void fill(MemorySegment memory) {
        long filled = Math.min(4_096, memory.byteSize());
        for (long at = 0; at < filled; at++) {
            memory.set(ValueLayout.JAVA_BYTE, at, (byte) ((at * 31) >>> 3));
        }
        while (filled < memory.byteSize()) {
            long part = Math.min(filled, memory.byteSize() - filled);
            MemorySegment.copy(memory, 0, memory, filled, part);
            filled += part;
        }
    }

    /** A part of {@code bytes} bytes; null if no free part is large enough. */
    @Nullable MemorySegment take(long bytes) {
        long wanted = aligned(bytes);
        for (int i = 0; i < free.size(); i++) {
            Free part = free.get(i);
            if (part.bytes >= wanted) {
                if (part.bytes == wanted) {
                    free.remove(i);
                } else {
                    free.set(i, new Free(part.at + wanted, part.bytes - wanted));
                }
                return all.asSlice(part.at, bytes);
            }
        }
        return null;
    }

    /** Takes back a part that is no longer used. */
    void give(MemorySegment part) {
        long at = part.address() - all.address();
        long bytes = aligned(part.byteSize());
        int i = 0;
        while (i < free.size() && free.get(i).at < at) {
            i++;
        }
        if (i < free.size() && at + bytes == free.get(i).at) {
            bytes += free.remove(i).bytes;
        }
        if (i > 0 && free.get(i - 1).at + free.get(i - 1).bytes == at) {
            Free before = free.remove(--i);
            at = before.at;
            bytes += before.bytes;
        }
        free.add(i, new Free(at, bytes));
    }
}
