package io.headgate.dataplane.device.linux;

import io.headgate.dataplane.memory.SlotMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Memory for one region's slots that BPF programs can read, too, if the kernel allows it; all of it
 * is resident. Otherwise memory of {@link ReservedMemory}.
 */
public final class SharedSlots implements SlotMemory {
    /**
     * Bytes behind the last slot: a program checks only a frame's start against one number, and may
     * then read as many bytes as the longest frame has.
     */
    public static final int BEHIND_BYTES = 4096;

    /** Up to here the kernel's verifier follows an offset into a map's value. */
    private static final long MOST_BYTES = 1 << 29;

    private @Nullable BpfArray array;

    /** The array with the slots; null if programs cannot read them. */
    public @Nullable BpfArray array() {
        return array;
    }

    @Override
    public MemorySegment allocate(long bytes) {
        if (array != null) {
            throw new IllegalStateException("memory of one region");
        }
        if (bytes + BEHIND_BYTES < MOST_BYTES) {
            ReservedMemory.count(bytes);
            BpfArray made = new BpfArray((int) bytes + BEHIND_BYTES, Arena.ofAuto());
            if (made.result() >= 0) {
                array = made;
                return made.memory().asSlice(0, bytes);
            }
        }
        return ReservedMemory.withinWhatThereIs().allocate(bytes);
    }
}
