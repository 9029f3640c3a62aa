package io.headgate.dataplane.device.linux.net;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Frames that an interface itself has dropped in one direction since this was opened, from its
 * counters in sysfs. Only sysfs gives the counters of one interface alone, however many interfaces
 * exist, and without the kernel's rtnl lock, for which a worker could wait for milliseconds. Used
 * by one thread; reading allocates nothing.
 */
public final class InterfaceDrops implements AutoCloseable {
    private static final int LONGEST_NUMBER_BYTES = 32;

    private final Errno errno = new Errno();
    private final MemorySegment buffer = Arena.ofAuto().allocate(LONGEST_NUMBER_BYTES, 8);
    private final long address = buffer.address();
    private final int[] fds;
    private final long[] counts;
    private long atOpening;

    private InterfaceDrops(LinuxInterface link, String... counters) throws DeviceException {
        fds = new int[counters.length];
        counts = new long[counters.length];
        try (Sysfs sysfs = Sysfs.of(link)) {
            for (int counter = 0; counter < counters.length; counter++) {
                fds[counter] = sysfs.open("statistics/" + counters[counter]);
            }
        }
        read();
        atOpening = total();
    }

    /**
     * Counts frames that were received and not passed on, like {@code ip -s link} and
     * /proc/net/dev.
     *
     * @param link an interface of the calling thread's namespace
     */
    public static InterfaceDrops ofReceiving(LinuxInterface link) throws DeviceException {
        return new InterfaceDrops(link, "rx_dropped", "rx_missed_errors");
    }

    /**
     * Counts frames that should have been sent and were not.
     *
     * @param link an interface of the calling thread's namespace
     */
    public static InterfaceDrops ofTransmitting(LinuxInterface link) throws DeviceException {
        return new InterfaceDrops(link, "tx_dropped");
    }

    /** Reads the counters; if the interface no longer exists, they stay as they were. */
    public void read() {
        for (int counter = 0; counter < fds.length; counter++) {
            long length = Files.pread(errno, fds[counter], address, LONGEST_NUMBER_BYTES, 0);
            if (length > 0) {
                counts[counter] = number((int) length);
            }
        }
    }

    private long number(int length) {
        long value = 0;
        for (int at = 0; at < length; at++) {
            int digit = buffer.get(ValueLayout.JAVA_BYTE, at) - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    /** The count as last read. */
    public long count() {
        return total() - atOpening;
    }

    private long total() {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }

    @Override
    public void close() {
        for (int counter = 0; counter < fds.length; counter++) {
            if (fds[counter] >= 0) {
                Files.close(errno, fds[counter]);
                fds[counter] = -1;
            }
        }
    }
}
