package io.headgate.dataplane.device;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A bounded ring of byte slots from one thread to another: one direction of a wire. Frames are
 * copied in and out, so neither side ever holds the other's memory. All of it is allocated at
 * construction.
 *
 * <pre>
 *   entry:  length (4) | stored (4) | the frame's stored bytes ...
 * </pre>
 *
 * One thread calls the methods named after the producer, one those named after the consumer.
 */
final class ByteRing {
    private static final VarHandle COUNTER = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int HEADER_BYTES = 8;

    /** The two shared counters lie two cache-line pairs apart, and away from the array's header. */
    private static final int TAIL = 16;

    private static final int HEAD = 32;
    private static final int COUNTERS = 48;

    private final long[] counters = new long[COUNTERS];
    private final MemorySegment entries;
    private final int capacity;
    private final int mask;
    private final long strideBytes;
    private final int maxFrameBytes;

    // Producer's own: what it has written, and how far it last saw the consumer.
    private long producerTail;
    private long producerSeenHead;

    // Consumer's own: what it has read, and how far it last saw the producer.
    private long consumerHead;
    private long consumerSeenTail;

    /**
     * @param capacityFrames entries, rounded up to a power of two; 1 to 65,536
     * @param maxFrameBytes most bytes of one frame
     */
    ByteRing(int capacityFrames, int maxFrameBytes) {
        if (capacityFrames < 1 || capacityFrames > 1 << 16 || maxFrameBytes < 1) {
            throw new IllegalArgumentException(
                    "a ring of " + capacityFrames + " frames of " + maxFrameBytes + " bytes");
        }
        this.capacity = capacityFrames == 1 ? 1 : Integer.highestOneBit(capacityFrames - 1) << 1;
        this.mask = capacity - 1;
        this.maxFrameBytes = maxFrameBytes;
        this.strideBytes = (HEADER_BYTES + maxFrameBytes + 63L) & ~63L;
        this.entries = Arena.ofAuto().allocate(capacity * strideBytes, 64);
    }

    int maxFrameBytes() {
        return maxFrameBytes;
    }

    /** Entries that the producer may write before it must publish or be refused, up to a limit. */
    int producerRoom(int wanted) {
        long room = capacity - (producerTail - producerSeenHead);
        if (room < wanted) {
            producerSeenHead = loadHeadAcquire();
            room = capacity - (producerTail - producerSeenHead);
        }
        return (int) Math.min(room, wanted);
    }

    /** Writes one entry; there must be room for it. Unseen until {@link #producerPublish}. */
    void producerWrite(MemorySegment from, long offset, int lengthBytes, int storedBytes) {
        long entry = (producerTail & mask) * strideBytes;
        entries.set(ValueLayout.JAVA_INT, entry, lengthBytes);
        entries.set(ValueLayout.JAVA_INT, entry + 4, storedBytes);
        MemorySegment.copy(from, offset, entries, entry + HEADER_BYTES, storedBytes);
        producerTail++;
    }

    void producerPublish() {
        storeTailRelease(producerTail);
    }

    /** Entries that are there to read, up to a limit. */
    int consumerAvailable(int wanted) {
        long available = consumerSeenTail - consumerHead;
        if (available < wanted) {
            consumerSeenTail = loadTailAcquire();
            available = consumerSeenTail - consumerHead;
        }
        return (int) Math.min(available, wanted);
    }

    /** Length without FCS of the first unread frame. */
    int consumerLengthBytes() {
        return entries.get(ValueLayout.JAVA_INT, (consumerHead & mask) * strideBytes);
    }

    /** Bytes that are stored of the first unread frame. */
    int consumerStoredBytes() {
        return entries.get(ValueLayout.JAVA_INT, (consumerHead & mask) * strideBytes + 4);
    }

    /** Copies the first unread frame to the start of a slot. */
    void consumerCopyTo(Frame frame, MemorySegment segment) {
        long entry = (consumerHead & mask) * strideBytes;
        int stored = entries.get(ValueLayout.JAVA_INT, entry + 4);
        frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.lengthBytes = entries.get(ValueLayout.JAVA_INT, entry);
        frame.storedBytes = stored;
        MemorySegment.copy(entries, entry + HEADER_BYTES, segment, frame.dataOffset, stored);
    }

    /** Copies the stored bytes of the first unread frame into an array of that length. */
    void consumerCopyTo(byte[] into) {
        long entry = (consumerHead & mask) * strideBytes;
        MemorySegment.copy(
                entries, ValueLayout.JAVA_BYTE, entry + HEADER_BYTES, into, 0, into.length);
    }

    void consumerSkip() {
        consumerHead++;
    }

    /** Gives the entries that were read back to the producer. */
    void consumerRelease() {
        storeHeadRelease(consumerHead);
    }

    private long loadTailAcquire() {
        return (long) COUNTER.getAcquire(counters, TAIL);
    }

    /** Pairs with {@link #loadTailAcquire}: the consumer sees the entries below the tail. */
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
