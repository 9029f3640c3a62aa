package io.headgate.dataplane.flowcontrol;

import org.jspecify.annotations.Nullable;

/**
 * Shared buffer of the accounts of one half, in bytes and in slots, without headroom and reserved
 * room. If ports share a buffer, this pool is the half's limit in it, and the free part of the
 * buffer sets the limit of an account.
 */
public final class SharedPool {
    /** More than there are slots for every alpha, and without overflow. */
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

    /** Called once per burst: reads what other ports have taken. */
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

    /** Free bytes from which thresholds are computed. */
    long leftBytes() {
        return common == null ? freeBytes() : common.freeBytes();
    }

    /**
     * Free slots from which thresholds are computed. In a buffer that ports share only bytes are
     * shared, and any account of a half may use the half's slots.
     */
    long leftSlots() {
        return common == null ? freeSlots() : NO_BOUND;
    }

    /** Changes the size, and the used part, which depends on the accounts' new reserved room. */
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
