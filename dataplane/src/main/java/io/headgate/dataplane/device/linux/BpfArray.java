package io.headgate.dataplane.device.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that this process and BPF programs share: the one value of a BPF array map, mapped here.
 * All of it is resident, and zero at first. It is freed with its arena, or at the end of the
 * process.
 */
public final class BpfArray {
    private final MemorySegment memory;
    private final int result;

    /** Creates the map; if the kernel refuses, {@link #result} has the errno. */
    public BpfArray(int bytes, Arena arena) {
        Errno errno = new Errno();
        int fd = Bpf.createMappedValue(errno, bytes);
        if (fd < 0) {
            result = fd;
            memory = MemorySegment.NULL;
            return;
        }
        long address = Files.mmap(errno, fd, 0, bytes, Files.MAP_SHARED);
        if (address < 0) {
            Files.close(errno, fd);
            result = (int) address;
            memory = MemorySegment.NULL;
            return;
        }
        result = fd;
        memory =
                MemorySegment.ofAddress(address)
                        .reinterpret(
                                bytes,
                                arena,
                                gone -> {
                                    boolean _ = Files.munmap(gone.address(), bytes);
                                    Files.close(new Errno(), fd);
                                });
    }

    /** The map's descriptor, for programs that use it; a negated errno if the kernel refused. */
    public int result() {
        return result;
    }

    /** The memory, empty if the kernel refused. */
    public MemorySegment memory() {
        return memory;
    }
}
