package io.headgate.dataplane.device.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;

/** Which cores the calling thread may run on (sched_setaffinity(2)). */
public final class Affinity {
    /** Room for 8,192 cores, the most that kernels are built for. */
    private static final int MASK_BYTES = 1024;

    private Affinity() {}

    /** The cores that the calling thread may run on, in ascending order. */
    public static int[] allowedCores() {
        Errno errno = new Errno();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MASK_BYTES, 8);
            int result = Threads.getAffinity(errno, mask);
            if (result < 0) {
                throw new IllegalStateException("sched_getaffinity: " + Errno.describe(result));
            }
            return BitSet.valueOf(mask.toArray(ValueLayout.JAVA_BYTE)).stream().toArray();
        }
    }

    /**
     * Binds the calling thread to cores; threads it starts later inherit them.
     *
     * @throws IllegalArgumentException with a sentence for the user, if none of them exists
     */
    public static void pin(int... cores) {
        BitSet wanted = new BitSet();
        for (int core : cores) {
            if (core < 0 || core >= MASK_BYTES * Byte.SIZE) {
                throw new IllegalArgumentException(
                        "core " + core + " does not exist: 0 to " + (MASK_BYTES * Byte.SIZE - 1));
            }
            wanted.set(core);
        }
        Errno errno = new Errno();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MASK_BYTES, 8);
            byte[] bits = wanted.toByteArray();
            MemorySegment.copy(bits, 0, mask, ValueLayout.JAVA_BYTE, 0, bits.length);
            int result = Threads.setAffinity(errno, mask);
            if (result < 0) {
                throw new IllegalArgumentException(
                        "cannot run on core %s: %s; this process may use %s"
                                .formatted(
                                        wanted,
                                        Errno.describe(result),
                                        Arrays.toString(allowedCores())));
            }
        }
    }
}
