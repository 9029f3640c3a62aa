package io.headgate.dataplane.flowcontrol;

import org.jspecify.annotations.Nullable;

/**
 * Room that the accounts of one half share, in bytes and in slots; headroom and what is reserved
 * lie outside of it. Where ports share a buffer, this is how much of that the half may hold, and
 * what is left of the buffer says how much of it an account may.
 */
public final class SharedPool {
    /** Whatever alpha makes of it, more than there are slots, and no overflow. */
    private static final long NO_BOUND = 1L << 40;

    private long sizeBytes;
    private int sizeSlots;
    long usedBytes;
    int usedSlots;

    // Null: the half has a pool of its own.
    private final BufferPool.@Nullable Share common;

    public SharedPool(long sizeBytes, int sizeSlots, BufferPool.@Nullable Share common) {
        this.sizeBytes = sizeBytes;
        this.sizeSlots = sizeSlots;
        this.common = common;
    }

    /** Once a burst. */
    void look() {
        if (common != null) {
            common.look();
        }
    }

    private void moved(long bytes) {
        if (common != null && bytes != 0) {
            common.take(bytes);
        }
    }

    /** By which thresholds go, in bytes. */
    long leftBytes() {
        return common == null ? freeBytes() : common.freeBytes();
    }

    /**
     * By which thresholds go, in slots; of a buffer that ports share bytes alone are shared, and a
     * half's slots are there for whichever account needs them.
     */
    long leftSlots() {
        return common == null ? freeSlots() : NO_BOUND;
    }

    /** Another size, and what of it is taken by accounts that have other shares for themselves. */
    void resize(long newSizeBytes, int newSizeSlots, long newUsedBytes, int newUsedSlots) {
        sizeBytes = newSizeBytes;
        sizeSlots = newSizeSlots;
        moved(newUsedBytes - usedBytes);
        usedBytes = newUsedBytes;
        usedSlots = newUsedSlots;
    }

    void take(long bytes, int slots) {
        moved(bytes);
        usedBytes += bytes;
        usedSlots += slots;
    }

    void give(long bytes, int slots) {
        moved(-bytes);
        usedBytes -= bytes;
        usedSlots -= slots;
    }

    public long freeBytes() {
        return sizeBytes - usedBytes;
    }

    public int freeSlots() {
        return sizeSlots - usedSlots;
    }
}
