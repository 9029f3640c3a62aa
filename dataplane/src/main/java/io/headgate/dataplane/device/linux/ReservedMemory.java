package io.headgate.dataplane.device.linux;

import io.headgate.dataplane.memory.SlotMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory that takes up room only page by page, where it is first used (mmap(2)). For slots for the
 * worst case, which few see. For any thread.
 */
public final class ReservedMemory implements SlotMemory {
    // The collector does not know of this memory: unreachable memory would stay while the heap has
    // room. So it is asked to run each time that a heap's worth of memory has been reserved.
    private static final long COLLECT_EVERY_BYTES = Runtime.getRuntime().maxMemory();

    private static final AtomicLong RESERVED_SINCE = new AtomicLong();

    private final int flags;

    private ReservedMemory(int flags) {
        this.flags = Files.MAP_PRIVATE | Files.MAP_ANONYMOUS | flags;
    }

    /**
     * Of which more can be reserved than there is, for many nodes in one process; if more is used,
     * the kernel ends the process.
     */
    public static ReservedMemory beyondWhatThereIs() {
        return new ReservedMemory(Files.MAP_NORESERVE);
    }

    /** Of which the kernel refuses more than it has, as it is set (vm.overcommit_memory). */
    public static ReservedMemory withinWhatThereIs() {
        return new ReservedMemory(0);
    }

    /** Must be called before a number of bytes is mapped that goes with its arena. */
    static void count(long bytes) {
        if (RESERVED_SINCE.addAndGet(bytes) > COLLECT_EVERY_BYTES) {
            RESERVED_SINCE.set(0);
            System.gc();
        }
    }

    /** What was mapped since the collector was asked to run. */
    static long countedBytes() {
        return RESERVED_SINCE.get();
    }

    @Override
    public MemorySegment allocate(long bytes) {
        count(bytes);
        long address = Files.mmap(new Errno(), Files.NO_FILE, 0, bytes, flags);
        if (address < 0) {
            throw new OutOfMemoryError(
                    "cannot reserve " + bytes + " bytes for slots: " + Errno.describe(address));
        }
        // A huge page would take up the room of hundreds of hosts' slots at once. A kernel without
        // huge pages refuses, and needs no advice.
        boolean _ = Files.madvise(address, bytes, Files.MADV_NOHUGEPAGE);
        return MemorySegment.ofAddress(address)
                .reinterpret(
                        bytes, Arena.ofAuto(), memory -> Files.munmap(memory.address(), bytes));
    }
}
