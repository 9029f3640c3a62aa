package io.headgate.dataplane.device.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Wakes a thread that sleeps in a {@link Poller}. Any thread may {@link #signal}; only the sleeper
 * calls {@link #drain}. Signals coalesce.
 */
public final class Eventfd implements AutoCloseable {
    private static final int EFD_NONBLOCK = 0x800;
    private static final int EFD_CLOEXEC = 0x80000;

    private final Errno errno = new Errno();
    private final MemorySegment one = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
    private final MemorySegment drained = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
    private final int fd;
    private boolean closed;

    public Eventfd() {
        fd = Files.eventfd(errno, 0, EFD_NONBLOCK | EFD_CLOEXEC);
        if (fd < 0) {
            throw new IllegalStateException("no eventfd: " + Errno.describe(fd));
        }
        one.set(ValueLayout.JAVA_LONG, 0, 1);
    }

    public int fd() {
        return fd;
    }

    /**
     * Wakes the sleeper, now or when it next goes to sleep. Several threads may call it at once.
     * The only possible failure is a counter at its limit, that is, a signal that is already
     * pending.
     */
    public void signal() {
        Files.write(fd, one.address(), Long.BYTES);
    }

    /** Clears all signals. Returns whether there was one. */
    public boolean drain() {
        return Files.read(fd, drained.address(), Long.BYTES) == Long.BYTES;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Files.close(errno, fd);
        }
    }
}
