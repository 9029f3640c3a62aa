package io.headgate.dataplane.device;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotMemory;
import io.headgate.dataplane.memory.sync.SpscCursor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A bounded ring of byte slots from one thread to another: one direction of a wire. Frames are
 * copied in and out, so neither side ever holds the other's memory. All of it is allocated at
 * construction.
 *
 * <pre>
 *   entry:  length (4) | stored (4) | the frame's stored bytes ...
 * </pre>
 *
 * One thread calls the producer methods, one thread the consumer methods.
 */
final class ByteRing {
    private static final int HEADER_BYTES = 8;

    private final SpscCursor cursor;
    private final MemorySegment entries;
    private final int mask;
    private final long strideBytes;
    private final int maxFrameBytes;

    /**
     * @param capacityFrames entries, rounded up to a power of two; 1 to 65,536
     * @param maxFrameBytes longest frame, in bytes
     * @param memory where the entries are
     */
    ByteRing(int capacityFrames, int maxFrameBytes, SlotMemory memory) {
        if (capacityFrames < 1 || capacityFrames > 1 << 16 || maxFrameBytes < 1) {
            throw new IllegalArgumentException(
                    "a ring of " + capacityFrames + " frames of " + maxFrameBytes + " bytes");
        }
        int capacity = capacityFrames == 1 ? 1 : Integer.highestOneBit(capacityFrames - 1) << 1;
        this.cursor = new SpscCursor(capacity);
        this.mask = capacity - 1;
        this.maxFrameBytes = maxFrameBytes;
        this.strideBytes = (HEADER_BYTES + maxFrameBytes + 63L) & ~63L;
        this.entries = memory.allocate(capacity * strideBytes);
    }

    int maxFrameBytes() {
        return maxFrameBytes;
    }

    /** Number of entries that the producer can write now, up to {@code wanted}. */
    int producerRoom(int wanted) {
        return cursor.producerRoom(wanted);
    }

    /**
     * Writes one entry; there must be room for it. The consumer sees it after {@link
     * #producerPublish}.
     */
    void producerWrite(MemorySegment from, long offset, int lengthBytes, int storedBytes) {
        long entry = (cursor.producerTail() & mask) * strideBytes;
        entries.set(ValueLayout.JAVA_INT, entry, lengthBytes);
        entries.set(ValueLayout.JAVA_INT, entry + 4, storedBytes);
        MemorySegment.copy(from, offset, entries, entry + HEADER_BYTES, storedBytes);
        cursor.producerAdvance(1);
    }

    void producerPublish() {
        cursor.producerPublish();
    }

    /** Number of entries that can be read now, up to {@code wanted}. */
    int consumerAvailable(int wanted) {
        return cursor.consumerAvailable(wanted);
    }

    /** Length without FCS of the first unread frame. */
    int consumerLengthBytes() {
        return entries.get(ValueLayout.JAVA_INT, entry());
    }

    /** Number of stored bytes of the first unread frame. */
    int consumerStoredBytes() {
        return entries.get(ValueLayout.JAVA_INT, entry() + 4);
    }

    /** Copies the first unread frame to the start of a slot. */
    void consumerCopyTo(Frame frame, MemorySegment segment) {
        long entry = entry();
        int stored = entries.get(ValueLayout.JAVA_INT, entry + 4);
        frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.lengthBytes = entries.get(ValueLayout.JAVA_INT, entry);
        frame.storedBytes = stored;
        MemorySegment.copy(entries, entry + HEADER_BYTES, segment, frame.dataOffset, stored);
    }

    /** Copies the stored bytes of the first unread frame into an array of that length. */
    void consumerCopyTo(byte[] into) {
        long entry = entry();
        MemorySegment.copy(
                entries, ValueLayout.JAVA_BYTE, entry + HEADER_BYTES, into, 0, into.length);
    }

    void consumerSkip() {
        cursor.consumerAdvance(1);
    }

    /** Gives the entries that were read back to the producer. */
    void consumerRelease() {
        cursor.consumerRelease();
    }

    /** Where the first unread frame is. */
    private long entry() {
        return (cursor.consumerHead() & mask) * strideBytes;
    }
}
