package io.headgate.dataplane.capture;

import io.headgate.dataplane.frame.TcpSegments;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.sync.PublishedWords;
import io.headgate.dataplane.memory.sync.SpscCursor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A ring of captured frames from one half to the capture's writer: bytes up to the snap length, and
 * the half's data about the frame. One thread produces, one consumes. A record without room is left
 * out and counted, and the next record contains how many were left out before it.
 *
 * <pre>
 *    0  int  record bytes, a multiple of 8; negative: skip that many to the ring's start
 *    4  int  captured bytes          8  int  frame length without FCS
 *   12  int  point                  16  int  port
 *   20  int  queue, or -1           24  int  priority
 *   28  int  drop reason, or -1     32  long packet id
 *   40  long time in ns             48  long left out since the record before
 *   56  the captured bytes
 * </pre>
 */
public final class CaptureRing implements Tap {
    /** Values of {@link #point()}. */
    public static final int RECEIVED = 0;

    public static final int TRANSMITTED = 1;
    public static final int DROPPED = 2;

    private static final int HEADER_BYTES = 56;

    // Counts bytes.
    private final SpscCursor cursor;

    // One word: frames left out so far.
    private final PublishedWords leftOutSoFar = new PublishedWords(1);
    private final MemorySegment frames;
    private final MemorySegment records;
    private final int ringBytes;
    private final int snapBytes;

    // Producer's own.
    private long leftOut;
    private long leftOutReported;

    // Consumer's own: the record it is at.
    private long record;
    private int recordBytes;

    /**
     * @param arena holds the ring's memory: it may be closed once no half uses the ring as its tap
     *     and no reader uses it
     * @param region the memory of the frames
     * @param ringBytes size, a power of two from 4,096 to 2^30, at least twice the largest record
     * @param snapBytes maximum number of bytes kept per frame, at least 14
     */
    public CaptureRing(Arena arena, FrameRegion region, int ringBytes, int snapBytes) {
        long largest = HEADER_BYTES + (Math.min(snapBytes, region.slotBytes()) + 7L & ~7L);
        if (Integer.bitCount(ringBytes) != 1
                || ringBytes < 4096
                || ringBytes < 2 * largest
                || snapBytes < 14) {
            throw new IllegalArgumentException(
                    "a capture ring of " + ringBytes + " bytes for " + snapBytes + " of a frame");
        }
        this.frames = region.segment();
        this.records = arena.allocate(ringBytes, 64);
        this.cursor = new SpscCursor(ringBytes);
        this.ringBytes = ringBytes;
        this.snapBytes = snapBytes;
    }

    @Override
    public void received(int port, Frame frame, long cameNs) {
        record(RECEIVED, port, -1, -1, frame, cameNs);
    }

    @Override
    public void transmitted(int port, int queue, Frame frame, long offeredNs) {
        record(TRANSMITTED, port, queue, -1, frame, offeredNs);
    }

    @Override
    public void dropped(int port, DropReason reason, Frame frame, long atNs) {
        record(DROPPED, port, -1, reason.ordinal(), frame, atNs);
    }

    private void record(int point, int port, int queue, int reason, Frame frame, long timeNs) {
        int captured = Math.min(Math.min(frame.storedBytes, frame.lengthBytes), snapBytes);
        int needed = HEADER_BYTES + (captured + 7 & ~7);
        int at = (int) cursor.producerTail() & (ringBytes - 1);
        int toEnd = ringBytes - at;
        int total = needed <= toEnd ? needed : toEnd + needed;
        if (cursor.producerRoom(total) < total) {
            leftOutSoFar.storeOpaque(0, ++leftOut);
            return;
        }
        if (total != needed) {
            records.set(ValueLayout.JAVA_INT, at, -toEnd);
            at = 0;
        }
        records.set(ValueLayout.JAVA_INT, at, needed);
        records.set(ValueLayout.JAVA_INT, at + 4, captured);
        // A frame that stands for several segments is shown as it is.
        int lengthBytes = frame.segmentBytes == 0 ? frame.lengthBytes : frame.storedBytes;
        records.set(ValueLayout.JAVA_INT, at + 8, lengthBytes);
        records.set(ValueLayout.JAVA_INT, at + 12, point);
        records.set(ValueLayout.JAVA_INT, at + 16, port);
        records.set(ValueLayout.JAVA_INT, at + 20, queue);
        records.set(ValueLayout.JAVA_INT, at + 24, frame.priority);
        records.set(ValueLayout.JAVA_INT, at + 28, reason);
        records.set(ValueLayout.JAVA_LONG, at + 32, frame.packetId);
        records.set(ValueLayout.JAVA_LONG, at + 40, timeNs);
        records.set(ValueLayout.JAVA_LONG, at + 48, leftOut - leftOutReported);
        leftOutReported = leftOut;
        MemorySegment.copy(frames, frame.dataOffset, records, at + HEADER_BYTES, captured);
        int checksumAt = frame.transportOffset + TcpSegments.CHECKSUM_OFFSET;
        if (frame.segmentBytes != 0 && captured >= checksumAt + 2) {
            Wire.put16(records, at + HEADER_BYTES + checksumAt, TcpSegments.checksum(frame));
        }
        cursor.producerAdvance(total);
        cursor.producerPublish();
    }

    /**
     * Moves to the oldest record that was not released; the consumer's other methods then read that
     * record.
     *
     * @return whether there is one
     */
    public boolean next() {
        if (cursor.consumerAvailable(1) == 0) {
            return false;
        }
        record = cursor.consumerHead() & (ringBytes - 1);
        recordBytes = records.get(ValueLayout.JAVA_INT, record);
        if (recordBytes < 0) {
            cursor.consumerAdvance(-recordBytes);
            record = 0;
            recordBytes = records.get(ValueLayout.JAVA_INT, record);
        }
        return true;
    }

    public int capturedBytes() {
        return records.get(ValueLayout.JAVA_INT, record + 4);
    }

    /** The frame's length without FCS; {@link #capturedBytes()} of it were kept. */
    public int lengthBytes() {
        return records.get(ValueLayout.JAVA_INT, record + 8);
    }

    /** {@link #RECEIVED}, {@link #TRANSMITTED} or {@link #DROPPED}. */
    public int point() {
        return records.get(ValueLayout.JAVA_INT, record + 12);
    }

    public int port() {
        return records.get(ValueLayout.JAVA_INT, record + 16);
    }

    /** The egress queue, or -1 for none. */
    public int queue() {
        return records.get(ValueLayout.JAVA_INT, record + 20);
    }

    public int priority() {
        return records.get(ValueLayout.JAVA_INT, record + 24);
    }

    /** Ordinal of the {@link DropReason}, or -1. */
    public int dropReason() {
        return records.get(ValueLayout.JAVA_INT, record + 28);
    }

    public long packetId() {
        return records.get(ValueLayout.JAVA_LONG, record + 32);
    }

    /** Time in ns of the engine's clock; never less than that of the record before. */
    public long timeNs() {
        return records.get(ValueLayout.JAVA_LONG, record + 40);
    }

    /** Frames left out between the record before and this one. */
    public long leftOutBefore() {
        return records.get(ValueLayout.JAVA_LONG, record + 48);
    }

    /** Copies the captured bytes to the start of {@code into}, which must have room for them. */
    public void copyTo(byte[] into) {
        MemorySegment.copy(
                records, ValueLayout.JAVA_BYTE, record + HEADER_BYTES, into, 0, capturedBytes());
    }

    /** Frees the record. */
    public void release() {
        cursor.consumerAdvance(recordBytes);
        recordBytes = 0;
        cursor.consumerRelease();
    }

    /**
     * Frames left out since the ring was created; slightly out of date for all threads but the
     * producer.
     */
    public long leftOut() {
        return leftOutSoFar.loadOpaque(0);
    }
}
