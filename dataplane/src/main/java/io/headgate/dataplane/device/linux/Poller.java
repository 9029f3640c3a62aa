package io.headgate.dataplane.device.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Sleeps until one of a fixed set of file descriptors can be read, or time is up: ppoll(2), with
 * its timeout in nanoseconds (see {@link TimerSlack}). Used by one thread; allocates nothing once
 * built.
 */
public final class Poller {
    private static final int POLLIN = 1;

    /** {@code struct pollfd}: int fd, short events, short revents. */
    private static final int POLLFD_BYTES = 8;

    private static final int EVENTS_OFFSET = 4;
    private static final int REVENTS_OFFSET = 6;
    private static final long NS_PER_SECOND = 1_000_000_000;

    private final Errno errno = new Errno();
    private final int count;
    private final MemorySegment fds;
    private final MemorySegment timeout = Arena.ofAuto().allocate(16, 8);

    /**
     * @param descriptors what to wait for; a negative one is never ready
     */
    public Poller(int... descriptors) {
        count = descriptors.length;
        fds = Arena.ofAuto().allocate(Math.max(1, count) * (long) POLLFD_BYTES, 8);
        for (int index = 0; index < count; index++) {
            setFd(index, descriptors[index]);
        }
    }

    /** Replaces a descriptor, e.g. when a device was reopened; -1 to leave its place empty. */
    public void setFd(int index, int fd) {
        long offset = (long) index * POLLFD_BYTES;
        fds.set(ValueLayout.JAVA_INT, offset, fd);
        fds.set(ValueLayout.JAVA_SHORT, offset + EVENTS_OFFSET, (short) POLLIN);
    }

    /**
     * Waits. Returns 0 if a signal interrupted the wait, as if time were up.
     *
     * @param timeoutNs longest wait, in ns; 0 or less: no wait; {@link Long#MAX_VALUE}: no limit
     * @return how many descriptors are ready
     */
    public int await(long timeoutNs) {
        long limit = 0;
        if (timeoutNs != Long.MAX_VALUE) {
            setTimeout(Math.max(0, timeoutNs));
            limit = timeout.address();
        }
        int ready = Threads.ppoll(fds.address(), count, limit);
        if (ready >= 0) {
            return ready;
        }
        // Why is asked only now, by looking once more.
        setTimeout(0);
        ready = Threads.ppoll(errno, fds, count, timeout);
        if (ready >= 0) {
            return ready;
        }
        if (ready != -Errno.EINTR) {
            throw new IllegalStateException("ppoll: " + Errno.describe(ready));
        }
        return 0;
    }

    /** Whether a descriptor was ready when the last wait ended; true where its place is empty. */
    public boolean isReady(int index) {
        long offset = (long) index * POLLFD_BYTES;
        return fds.get(ValueLayout.JAVA_INT, offset) < 0
                || fds.get(ValueLayout.JAVA_SHORT, offset + REVENTS_OFFSET) != 0;
    }

    private void setTimeout(long ns) {
        timeout.set(ValueLayout.JAVA_LONG, 0, ns / NS_PER_SECOND);
        timeout.set(ValueLayout.JAVA_LONG, 8, ns % NS_PER_SECOND);
    }
}
