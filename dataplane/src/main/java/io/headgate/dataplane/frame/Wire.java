package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Reads and writes unaligned fields in network order. Unsigned values narrower than {@code int} or
 * {@code long} are zero-extended; a written value is cut to the field's width.
 */
public final class Wire {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /**
     * No offset is as large as this. Of what is within it the compiler knows that it is within the
     * segment of all memory, by which frames are read: it has no access look at that.
     */
    private static final long IN_RANGE = Long.MAX_VALUE >>> 1;

    private Wire() {}

    public static int u8(MemorySegment segment, long offset) {
        return segment.get(BYTE, offset & IN_RANGE) & 0xFF;
    }

    public static int u16(MemorySegment segment, long offset) {
        return segment.get(SHORT, offset & IN_RANGE) & 0xFFFF;
    }

    public static int u24(MemorySegment segment, long offset) {
        return (u16(segment, offset) << 8) | u8(segment, offset + 2);
    }

    /** All 32 bits as an int, which may be negative, for example for an address. */
    public static int i32(MemorySegment segment, long offset) {
        return segment.get(INT, offset & IN_RANGE);
    }

    public static long u32(MemorySegment segment, long offset) {
        return segment.get(INT, offset & IN_RANGE) & 0xFFFF_FFFFL;
    }

    public static long u48(MemorySegment segment, long offset) {
        return ((long) u16(segment, offset) << 32) | u32(segment, offset + 2);
    }

    /** All 64 bits as a long. */
    public static long i64(MemorySegment segment, long offset) {
        return segment.get(LONG, offset & IN_RANGE);
    }

    public static void put8(MemorySegment segment, long offset, int value) {
        segment.set(BYTE, offset & IN_RANGE, (byte) value);
    }

    public static void put16(MemorySegment segment, long offset, int value) {
        segment.set(SHORT, offset & IN_RANGE, (short) value);
    }

    public static void put24(MemorySegment segment, long offset, int value) {
        put16(segment, offset, value >>> 8);
        put8(segment, offset + 2, value);
    }

    public static void put32(MemorySegment segment, long offset, int value) {
        segment.set(INT, offset & IN_RANGE, value);
    }

    public static void put48(MemorySegment segment, long offset, long value) {
        put16(segment, offset, (int) (value >>> 32));
        put32(segment, offset + 2, (int) value);
    }

    public static void put64(MemorySegment segment, long offset, long value) {
        segment.set(LONG, offset & IN_RANGE, value);
    }
}
