package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.random.NamedRandom;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A digest of all frames on all links of a run: the times, link, length and bytes of each, in the
 * order of each direction. Two runs with the same digest sent the same frames. Words are little
 * endian on every machine.
 */
public final class FrameDigest {
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final long EVEN = 0x9E37_79B9_7F4A_7C15L;
    private static final long ODD = 0xC2B2_AE3D_27D4_EB4FL;

    private long[] values = {};

    FrameDigest() {}

    /** Makes room for directions with numbers below {@code directions}. */
    void grow(int directions) {
        values = Arrays.copyOf(values, directions);
    }

    /** The digest so far. */
    public long value() {
        long value = 0;
        for (int direction = 0; direction < values.length; direction++) {
            if (values[direction] != 0) {
                value = NamedRandom.mix(value ^ values[direction] ^ ((long) direction << 40));
            }
        }
        return value;
    }

    void add(
            int direction,
            long startPs,
            long arrivePs,
            int lengthBytes,
            long address,
            int storedBytes) {
        // The frame by itself in two lanes, then one step of the chain: a chain through every word
        // would wait for each multiplication.
        long a = startPs;
        long b = arrivePs ^ ((long) lengthBytes << 44) ^ storedBytes;
        int at = 0;
        for (; at + 16 <= storedBytes; at += 16) {
            a = Long.rotateLeft((a ^ MEMORY.get(LONG, address + at)) * EVEN, 29);
            b = Long.rotateLeft((b ^ MEMORY.get(LONG, address + at + 8)) * ODD, 31);
        }
        for (; at < storedBytes; at++) {
            a = (a ^ (MEMORY.get(ValueLayout.JAVA_BYTE, address + at) & 0xFF)) * EVEN;
        }
        long before = values[direction];
        values[direction] =
                NamedRandom.mix(before + NamedRandom.mix(a) + Long.rotateLeft(b * ODD, 17));
    }
}
