package io.headgate.dataplane.memory.sync;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The positions of the two ends of a ring with one producer thread and one consumer thread: total
 * counts of written and read entries (or bytes, depending on the ring). Each end caches the other's
 * position, and reads it again only if the cached value is not enough.
 */
public final class SpscCursor {
    private static final VarHandle COUNTER = MethodHandles.arrayElementVarHandle(long[].class);

    // Shared counters, each on a cache-line pair of its own.
    private static final int TAIL = 16;
    private static final int HEAD = 32;
    private static final int COUNTERS = 48;

    private final long[] counters = new long[COUNTERS];
    private final int capacity;

    // Producer's own: what it has written, and how far it last saw the consumer.
    private long producerTail;
    private long producerSeenHead;

    // Consumer's own: what it has read, and how far it last saw the producer.
    private long consumerHead;
    private long consumerSeenTail;

    /** Positions of an empty ring with {@code capacity} entries. */
    public SpscCursor(int capacity) {
        this.capacity = capacity;
    }

    /** Producer: how much it can write now, up to {@code wanted}. */
    public int producerRoom(int wanted) {
        long room = capacity - (producerTail - producerSeenHead);
        if (room < wanted) {
            producerSeenHead = loadHeadAcquire();
            room = capacity - (producerTail - producerSeenHead);
        }
        return (int) Math.min(room, wanted);
    }

    /** Producer: position of the next write, as a total count. */
    public long producerTail() {
        return producerTail;
    }

    /**
     * Producer: {@code count} more entries are written, invisible until {@link #producerPublish}.
     */
    public void producerAdvance(int count) {
        producerTail += count;
    }

    /** Producer: makes the written entries visible to the consumer. */
    public void producerPublish() {
        storeTailRelease(producerTail);
    }

    /** Consumer: how much can be read now, up to {@code wanted}. */
    public int consumerAvailable(int wanted) {
        long available = consumerSeenTail - consumerHead;
        if (available < wanted) {
            consumerSeenTail = loadTailAcquire();
            available = consumerSeenTail - consumerHead;
        }
        return (int) Math.min(available, wanted);
    }

    /** Consumer: position of the next read, as a total count. */
    public long consumerHead() {
        return consumerHead;
    }

    /**
     * Consumer: {@code count} more entries are read, not overwritten until {@link
     * #consumerRelease}.
     */
    public void consumerAdvance(int count) {
        consumerHead += count;
    }

    /** Consumer: lets the producer overwrite the entries that were read. */
    public void consumerRelease() {
        storeHeadRelease(consumerHead);
    }

    private long loadTailAcquire() {
        return (long) COUNTER.getAcquire(counters, TAIL);
    }

    /** Pairs with {@link #loadTailAcquire}: the consumer sees what is below the tail. */
    private void storeTailRelease(long tail) {
        COUNTER.setRelease(counters, TAIL, tail);
    }

    private long loadHeadAcquire() {
        return (long) COUNTER.getAcquire(counters, HEAD);
    }

    /**
     * Pairs with {@link #loadHeadAcquire}: the consumer's reads are done before they are reused.
     */
    private void storeHeadRelease(long head) {
        COUNTER.setRelease(counters, HEAD, head);
    }
}
