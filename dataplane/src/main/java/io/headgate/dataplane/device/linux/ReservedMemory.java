package io.headgate.dataplane.device.linux;

import io.headgate.dataplane.memory.SlotMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory that occupies RAM page by page, when each page is first used (mmap(2)). For slots that are
 * sized for the worst case, which is rarely reached. For any thread.
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
     * Memory of which more can be reserved than the machine has, for many nodes in one process; if
     * more is used, the kernel ends the process.
     */
    public static ReservedMemory beyondWhatThereIs() {
        return new ReservedMemory(Files.MAP_NORESERVE);
    }

    /** Memory of which the kernel refuses more than it has, depending on vm.overcommit_memory. */
    public static ReservedMemory withinWhatThereIs() {
        return new ReservedMemory(0);
    }

    /**
     * Must be called before memory is mapped that is freed with its arena; starts the collector now
     * and then.
     */
    static void count(long bytes) {
        if (RESERVED_SINCE.addAndGet(bytes) > COLLECT_EVERY_BYTES) {
            RESERVED_SINCE.set(0);
            System.gc();
        }
    }

    /** Bytes mapped since the collector was last asked to run. */
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
