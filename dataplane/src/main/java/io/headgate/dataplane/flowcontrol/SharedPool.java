package io.headgate.dataplane.flowcontrol;

/**
 * Room that several accounts share, in bytes and in slots; headroom and what is reserved lie
 * outside of it. One owner: accounts of different owners have pools of their own.
 */
public final class SharedPool {
    private final long sizeBytes;
    private final int sizeSlots;
    private long usedBytes;
    private int usedSlots;

    public SharedPool(long sizeBytes, int sizeSlots) {
        this.sizeBytes = sizeBytes;
        this.sizeSlots = sizeSlots;
    }

    void take(long bytes, int slots) {
        usedBytes += bytes;
        usedSlots += slots;
    }

    void give(long bytes, int slots) {
        usedBytes -= bytes;
        usedSlots -= slots;
    }

    public long freeBytes() {
        return sizeBytes - usedBytes;
    }

    public int freeSlots() {
        return sizeSlots - usedSlots;
    }

    public long usedBytes() {
        return usedBytes;
    }

    public int usedSlots() {
        return usedSlots;
    }
}
