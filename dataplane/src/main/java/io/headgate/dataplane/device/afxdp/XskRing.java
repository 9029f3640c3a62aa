package io.headgate.dataplane.device.afxdp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * One of the four rings that an AF_XDP socket shares with the kernel, seen from our side: we
 * produce into the fill and transmit rings and consume from the receive and completion rings. One
 * thread owns a ring; the kernel is at its other end.
 *
 * <pre>
 *   producer  u32   written by the side that fills the ring, only increases (wraps at 2^32)
 *   consumer  u32   written by the side that empties it, never passes the producer
 *   flags     u32   bit 0: the kernel wants a system call to go on (fill and transmit rings)
 *   entries   power of two; u64 addresses (fill, completion), or descriptors (receive, transmit):
 *             u64 address, u32 length, u32 options
 * </pre>
 *
 * <p>The two indices are on different cache lines, so reading the far one costs a miss each time it
 * has moved: both sides keep the value that they last saw, and read again only if that value shows
 * too few entries.
 */
public final class XskRing {
    /** Bytes of an entry of the fill and completion rings. */
    static final int ADDRESS_BYTES = 8;

    /** Bytes of an entry of the receive and transmit rings (struct xdp_desc). */
    static final int DESCRIPTOR_BYTES = 16;

    private static final int DESCRIPTOR_LENGTH_OFFSET = 8;
    private static final int DESCRIPTOR_OPTIONS_OFFSET = 12;
    private static final int NEED_WAKEUP = 1;
    private static final VarHandle INDEX = JAVA_INT.varHandle();

    private final MemorySegment memory;
    private final long producerOffset;
    private final long consumerOffset;
    private final long flagsOffset;
    private final long entriesOffset;
    private final int size;
    private final int mask;

    /** Producing: the next entry to be published. Consuming: the producer as last seen. */
    private int producer;

    /** Consuming: the next entry to be taken. Producing: the consumer as last seen. */
    private int consumer;

    /**
     * @param memory the ring as mapped from the socket
     * @param offsets offsets of its parts: producer, consumer, entries, flags, in the order of
     *     struct xdp_ring_offset
     * @param size entries, a power of two
     */
    XskRing(MemorySegment memory, long[] offsets, int size) {
        this.memory = memory;
        this.producerOffset = offsets[0];
        this.consumerOffset = offsets[1];
        this.entriesOffset = offsets[2];
        this.flagsOffset = offsets[3];
        this.size = size;
        this.mask = size - 1;
        this.producer = loadAcquire(producerOffset);
        this.consumer = loadAcquire(consumerOffset);
    }

    int size() {
        return size;
    }

    /**
     * Producing: entries that can be written now; reads the kernel's index only if fewer than
     * wanted.
     */
    int free(int wanted) {
        int free = size - (producer - consumer);
        if (free < wanted) {
            // Acquire: pairs with the kernel's release of the consumer, so that it has read what
            // we are about to overwrite.
            consumer = loadAcquire(consumerOffset);
            free = size - (producer - consumer);
        }
        return free;
    }

    /** Producing: writes the address of the {@code ahead}-th entry not yet published. */
    void putAddress(int ahead, long address) {
        memory.set(JAVA_LONG, entryOffset(producer + ahead, ADDRESS_BYTES), address);
    }

    /** Producing: writes the {@code ahead}-th descriptor not yet published. */
    void putDescriptor(int ahead, long address, int lengthBytes) {
        long entry = entryOffset(producer + ahead, DESCRIPTOR_BYTES);
        memory.set(JAVA_LONG, entry, address);
        memory.set(JAVA_INT, entry + DESCRIPTOR_LENGTH_OFFSET, lengthBytes);
        memory.set(JAVA_INT, entry + DESCRIPTOR_OPTIONS_OFFSET, 0);
    }

    /** Producing: the address in the {@code ahead}-th descriptor not yet published. */
    long unpublishedAddress(int ahead) {
        return memory.get(JAVA_LONG, entryOffset(producer + ahead, DESCRIPTOR_BYTES));
    }

    /** Producing: the length in the {@code ahead}-th descriptor not yet published, in bytes. */
    int unpublishedLengthBytes(int ahead) {
        return memory.get(
                JAVA_INT,
                entryOffset(producer + ahead, DESCRIPTOR_BYTES) + DESCRIPTOR_LENGTH_OFFSET);
    }

    /** Producing: hands {@code count} written entries to the kernel. */
    void publish(int count) {
        producer += count;
        // Release: pairs with the kernel's acquire of the producer; the entries are seen first.
        INDEX.setRelease(memory, producerOffset, producer);
    }

    /** Producing: the address published {@code ago} entries before, at most {@link #size}. */
    long publishedAddress(int ago) {
        return memory.get(JAVA_LONG, entryOffset(producer - ago, ADDRESS_BYTES));
    }

    /** Producing: entries that the kernel has not taken yet; reads the kernel's index. */
    int untaken() {
        consumer = loadAcquire(consumerOffset);
        return producer - consumer;
    }

    /** Consuming: entries that can be read; reads the kernel's index only if fewer than wanted. */
    int available(int wanted) {
        int available = producer - consumer;
        if (available < wanted) {
            // Acquire: pairs with the kernel's release of the producer; the entries come with it.
            producer = loadAcquire(producerOffset);
            available = producer - consumer;
        }
        return available;
    }

    /**
     * Consuming: prefetches the next descriptor, published or not; the returned value has no
     * meaning.
     */
    long fetchNext() {
        return memory.get(JAVA_LONG, entryOffset(consumer, DESCRIPTOR_BYTES));
    }

    /** Consuming: the address in the {@code ahead}-th entry not yet released. */
    long address(int ahead) {
        return memory.get(JAVA_LONG, entryOffset(consumer + ahead, ADDRESS_BYTES));
    }

    /** Consuming: the address in the {@code ahead}-th descriptor not yet released. */
    long descriptorAddress(int ahead) {
        return memory.get(JAVA_LONG, entryOffset(consumer + ahead, DESCRIPTOR_BYTES));
    }

    /** Consuming: the length in the {@code ahead}-th descriptor not yet released, in bytes. */
    int descriptorLengthBytes(int ahead) {
        return memory.get(
                JAVA_INT,
                entryOffset(consumer + ahead, DESCRIPTOR_BYTES) + DESCRIPTOR_LENGTH_OFFSET);
    }

    /** Consuming: gives {@code count} read entries back to the kernel. */
    void release(int count) {
        consumer += count;
        // Release: pairs with the kernel's acquire of the consumer; it overwrites only afterwards.
        INDEX.setRelease(memory, consumerOffset, consumer);
    }

    /** Whether the kernel sleeps until a system call tells it to look at the ring. */
    boolean needsWakeup() {
        return ((int) INDEX.getOpaque(memory, flagsOffset) & NEED_WAKEUP) != 0;
    }

    private long entryOffset(int index, int entryBytes) {
        return entriesOffset + (long) (index & mask) * entryBytes;
    }

    private int loadAcquire(long offset) {
        return (int) INDEX.getAcquire(memory, offset);
    }
}
