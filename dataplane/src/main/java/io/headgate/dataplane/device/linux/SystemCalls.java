package io.headgate.dataplane.device.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Warms up the system calls that a worker makes only now and then: its sleep, the link's state, the
 * kernel's drops. At twenty or fifty calls a second, the JVM would need minutes to compile them,
 * and until then each call allocates a short-lived object (see this package's description).
 */
public final class SystemCalls {
    private static final long LIMIT_NS = 1_000_000_000L;
    private static final int NON_BLOCKING = 0x800;
    private static final long FIONREAD = 0x541B;

    private static boolean isWarm;

    private SystemCalls() {}

    /**
     * Makes the calls on its own descriptors, once per process. 20,000 of each take about a tenth
     * of a second; on a busy machine, where each may wait for a core, never more than one second.
     * Returns whether it did so now.
     */
    public static synchronized boolean warmUp(int calls) {
        if (isWarm) {
            return false;
        }
        warmUp(calls, LIMIT_NS);
        isWarm = true;
        return true;
    }

    /** Returns how often each was made. */
    static int warmUp(int calls, long mostNs) {
        long startNs = System.nanoTime();
        Errno errno = new Errno();
        int made = 0;
        int event = Files.eventfd(errno, 0, NON_BLOCKING);
        int zero = Files.open(errno, "/dev/zero", Files.O_RDONLY);
        int socket = Sockets.socket(errno, Sockets.AF_UNIX, Sockets.SOCK_DGRAM, 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(Long.BYTES, Long.BYTES);
            MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment noTime = arena.allocate(16, 8);
            long address = buffer.address();
            while (made < calls && System.nanoTime() - startNs < mostNs) {
                made++;
                buffer.set(ValueLayout.JAVA_LONG, 0, 1);
                Files.write(errno, event, address, Long.BYTES);
                Files.read(errno, event, address, Long.BYTES);
                Files.read(errno, event, address, Long.BYTES); // fails: nothing there any more
                Files.pread(errno, zero, address, Long.BYTES, 0);
                Files.ioctl(errno, socket, FIONREAD, buffer);
                length.set(ValueLayout.JAVA_INT, 0, Integer.BYTES);
                Sockets.getsockopt(
                        errno, socket, Sockets.SOL_SOCKET, Sockets.SO_ERROR, buffer, length);
                Threads.ppoll(errno, MemorySegment.NULL, 0, noTime);
            }
        }
        for (int fd : new int[] {event, zero, socket}) {
            Files.close(errno, fd);
        }
        return made;
    }
}
