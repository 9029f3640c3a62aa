package io.headgate.dataplane.device.afxdp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Sockets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The kernel's counters of an AF_XDP socket (struct xdp_statistics), for one side of the device and
 * its thread. Reading allocates nothing.
 */
public final class XskCounters {
    private static final int XDP_STATISTICS = 7;
    private static final int STATISTICS_BYTES = 48;

    private final int socketFd;
    private final Errno errno = new Errno();
    private final MemorySegment statistics = Arena.ofAuto().allocate(STATISTICS_BYTES, 8);
    private final MemorySegment length = Arena.ofAuto().allocate(JAVA_INT);

    XskCounters(int socketFd) {
        this.socketFd = socketFd;
    }

    /** Reads the counters; after a failure they stay as they were. */
    void read() {
        length.set(JAVA_INT, 0, STATISTICS_BYTES);
        Sockets.getsockopt(errno, socketFd, XskSocket.SOL_XDP, XDP_STATISTICS, statistics, length);
    }

    /** Frames for which there was no slot, or that were too long for one. */
    long dropped() {
        return statistics.get(JAVA_LONG, 0);
    }

    /** Entries of the fill ring that are not valid slots. */
    long receiveInvalid() {
        return statistics.get(JAVA_LONG, 8);
    }

    /** Frames that found the receive ring full. */
    long ringFull() {
        return statistics.get(JAVA_LONG, 24);
    }

    /** How often the fill ring was empty when a slot was needed. */
    long fillEmpty() {
        return statistics.get(JAVA_LONG, 32);
    }
}
