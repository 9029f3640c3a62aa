package io.headgate.dataplane.device.linux.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headgate.dataplane.device.linux.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.ToLongFunction;

/**
 * The kernel's features of one interface, by the names that {@code ethtool -k} lists
 * (linux/ethtool.h: GSSET_INFO and GSTRINGS number the names, GFEATURES and SFEATURES read and
 * change their bits).
 */
public final class FeatureBits {
    private static final int GSSET_INFO = 0x37;
    private static final int GSTRINGS = 0x1b;
    private static final int GFEATURES = 0x3a;
    private static final int SFEATURES = 0x3b;
    private static final int FEATURE_NAMES = 4;
    private static final int NAME_BYTES = 32;

    /** Blocks of GFEATURES: available, requested, active, never changed. */
    private static final int STATE_BYTES = 16;

    private static final int ACTIVE_OFFSET = 8;

    /** Blocks of SFEATURES: valid, requested. */
    private static final int CHANGE_BYTES = 8;

    private static final int HEADER_BYTES = 8;

    private final ToLongFunction<MemorySegment> ioctl;

    /**
     * @param ioctl passes a request to the kernel for this interface
     */
    FeatureBits(ToLongFunction<MemorySegment> ioctl) {
        this.ioctl = ioctl;
    }

    /** Whether a feature is active; false if the kernel does not know its name. */
    boolean isActive(String name) {
        try (Arena arena = Arena.ofConfined()) {
            int count = count(arena);
            int bit = bitOf(arena, count, name);
            if (bit < 0) {
                return false;
            }
            MemorySegment state = request(arena, GFEATURES, count, STATE_BYTES);
            long word = HEADER_BYTES + (bit >>> 5) * (long) STATE_BYTES + ACTIVE_OFFSET;
            return ioctl.applyAsLong(state) >= 0 && (state.get(JAVA_INT, word) & 1 << bit) != 0;
        }
    }

    /** Switches a feature. Returns a negated errno if the kernel refuses. */
    long set(String name, boolean on) {
        try (Arena arena = Arena.ofConfined()) {
            int count = count(arena);
            int bit = bitOf(arena, count, name);
            if (bit < 0) {
                return -Errno.EOPNOTSUPP;
            }
            MemorySegment change = request(arena, SFEATURES, count, CHANGE_BYTES);
            long block = HEADER_BYTES + (bit >>> 5) * (long) CHANGE_BYTES;
            change.set(JAVA_INT, block, 1 << bit);
            change.set(JAVA_INT, block + 4, on ? 1 << bit : 0);
            return ioctl.applyAsLong(change);
        }
    }

    private static MemorySegment request(Arena arena, int command, int count, int blockBytes) {
        int blocks = (count + 31) >>> 5;
        MemorySegment request = arena.allocate(HEADER_BYTES + (long) blocks * blockBytes, 8);
        request.set(JAVA_INT, 0, command);
        request.set(JAVA_INT, 4, blocks);
        return request;
    }

    private int count(Arena arena) {
        MemorySegment request = arena.allocate(24, 8);
        request.set(JAVA_INT, 0, GSSET_INFO);
        request.set(JAVA_LONG, 8, 1L << FEATURE_NAMES);
        return ioctl.applyAsLong(request) < 0 ? 0 : request.get(JAVA_INT, 16);
    }

    private int bitOf(Arena arena, int count, String name) {
        MemorySegment request = arena.allocate(12 + (long) count * NAME_BYTES, 8);
        request.set(JAVA_INT, 0, GSTRINGS);
        request.set(JAVA_INT, 4, FEATURE_NAMES);
        request.set(JAVA_INT, 8, count);
        if (ioctl.applyAsLong(request) < 0) {
            return -1;
        }
        MemorySegment wanted =
                MemorySegment.ofArray(
                        Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), NAME_BYTES));
        for (int bit = 0; bit < count; bit++) {
            MemorySegment candidate = request.asSlice(12 + (long) bit * NAME_BYTES, NAME_BYTES);
            if (candidate.mismatch(wanted) < 0) {
                return bit;
            }
        }
        return -1;
    }
}
