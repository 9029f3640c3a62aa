package io.headgate.dataplane.device.linux;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.headgate.dataplane.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Frames that an interface itself dropped, since this was opened: columns of {@code net/dev} in
 * proc(5). Read there because it is the one place that gives them without the kernel's rtnl lock,
 * behind which a worker could wait for milliseconds. One thread's; reading allocates nothing.
 *
 * <pre>
 *   p1: bytes packets errs drop fifo frame compressed multicast | bytes packets errs drop ...
 *       0     1       2    3    4    5     6          7           8     9       10   11
 * </pre>
 */
final class InterfaceDrops implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int RECEIVE_DROP_COLUMN = 3;
    private static final int TRANSMIT_DROP_COLUMN = 11;

    private final Errno errno = new Errno();
    private final MemorySegment buffer = Arena.ofAuto().allocate(BUFFER_BYTES, 8);
    private final long address = buffer.address();
    private final byte[] name;
    private int fd;
    private long receiveDrops;
    private long transmitDrops;
    private long receiveDropsAtOpening;
    private long transmitDropsAtOpening;

    /** Opens the statistics of the calling thread's namespace, and counts from now on. */
    InterfaceDrops(String interfaceName) throws DeviceException {
        name = interfaceName.getBytes(US_ASCII);
        fd = Files.open(errno, "/proc/thread-self/net/dev", Files.O_RDONLY);
        if (fd < 0) {
            throw new DeviceException(
                    "cannot read the statistics of '"
                            + interfaceName
                            + "' in /proc/net/dev: "
                            + Errno.describe(fd));
        }
        read();
        receiveDropsAtOpening = receiveDrops;
        transmitDropsAtOpening = transmitDrops;
    }

    /** Reads the counters; where the interface is no more, they stay as they were. */
    void read() {
        long offset = 0;
        while (fd >= 0) {
            // The kernel hands out whole lines, at least one a call.
            long length = Files.pread(errno, fd, address, BUFFER_BYTES, offset);
            if (length <= 0 || scan((int) length)) {
                return;
            }
            offset += length;
        }
    }

    long receiveDrops() {
        return receiveDrops - receiveDropsAtOpening;
    }

    long transmitDrops() {
        return transmitDrops - transmitDropsAtOpening;
    }

    private boolean scan(int length) {
        int at = 0;
        while (at < length) {
            while (at < length && byteAt(at) == ' ') {
                at++;
            }
            if (isName(at, length)) {
                parse(at + name.length + 1, length);
                return true;
            }
            while (at < length && byteAt(at) != '\n') {
                at++;
            }
            at++;
        }
        return false;
    }

    private boolean isName(int at, int length) {
        if (at + name.length >= length || byteAt(at + name.length) != ':') {
            return false;
        }
        for (int index = 0; index < name.length; index++) {
            if (byteAt(at + index) != name[index]) {
                return false;
            }
        }
        return true;
    }

    private void parse(int from, int length) {
        int at = from;
        for (int column = 0; column <= TRANSMIT_DROP_COLUMN; column++) {
            while (at < length && byteAt(at) == ' ') {
                at++;
            }
            long value = 0;
            while (at < length && byteAt(at) >= '0' && byteAt(at) <= '9') {
                value = value * 10 + (byteAt(at) - '0');
                at++;
            }
            if (column == RECEIVE_DROP_COLUMN) {
                receiveDrops = value;
            } else if (column == TRANSMIT_DROP_COLUMN) {
                transmitDrops = value;
            }
        }
    }

    private byte byteAt(int index) {
        return buffer.get(ValueLayout.JAVA_BYTE, index);
    }

    @Override
    public void close() {
        if (fd >= 0) {
            Files.close(errno, fd);
            fd = -1;
        }
    }
}
