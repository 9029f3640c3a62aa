package io.headgate.dataplane.device;

import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.random.NamedRandom;
import java.lang.foreign.ValueLayout;

/** Simulates bit errors of a link that a frame's FCS does not detect. */
public final class BitErrors {
    private static final int MOST_FLIPPED_BITS = 3;

    private BitErrors() {}

    /** Flips one to three bits of a frame's stored bytes. */
    public static void flip(NamedRandom random, long address, int storedBytes) {
        if (storedBytes == 0) {
            return;
        }
        int flips = 1 + random.nextInt(MOST_FLIPPED_BITS);
        for (int i = 0; i < flips; i++) {
            long bit = random.nextLong(8L * storedBytes);
            long at = address + (bit >>> 3);
            byte old = FrameRegion.MEMORY.get(ValueLayout.JAVA_BYTE, at);
            FrameRegion.MEMORY.set(ValueLayout.JAVA_BYTE, at, (byte) (old ^ (1 << (bit & 7))));
        }
    }
}
