package io.headgate.dataplane.device.linux.net;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.Sockets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Keeps two switches off one interface: a listening Unix socket whose abstract name holds the
 * interface's index. Abstract names belong to a network namespace, as indices do, and the kernel
 * takes them back when the process ends, however it ends.
 */
public final class DeviceClaim implements AutoCloseable {
    private static final int SOCKADDR_UN_BYTES = 110;
    private static final int PATH_OFFSET = 2;
    private static final int UCRED_BYTES = 12;

    /**
     * Connections are never accepted: a refused switch connects only to learn which process it
     * reached.
     */
    private static final int BACKLOG = 64;

    private static final int TYPE = Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK;

    private final Errno errno = new Errno();
    private int fd;

    private DeviceClaim(int fd) {
        this.fd = fd;
    }

    /**
     * Claims an interface of the calling thread's namespace.
     *
     * @throws DeviceException if another process holds it, with that process's id if it can be seen
     */
    public static DeviceClaim take(int interfaceIndex, String where) throws DeviceException {
        Errno errno = new Errno();
        int fd = Sockets.socket(errno, Sockets.AF_UNIX, TYPE, 0);
        if (fd < 0) {
            throw new DeviceException("cannot claim " + where + ": " + Errno.describe(fd));
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(SOCKADDR_UN_BYTES, 8);
            byte[] name = ("headgate/device/" + interfaceIndex).getBytes(US_ASCII);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) Sockets.AF_UNIX);
            // A path that begins with a zero byte is abstract.
            MemorySegment.copy(
                    name, 0, address, ValueLayout.JAVA_BYTE, PATH_OFFSET + 1, name.length);
            int lengthBytes = PATH_OFFSET + 1 + name.length;
            int bound = Sockets.bind(errno, fd, address, lengthBytes);
            if (bound == 0) {
                bound = Sockets.listen(errno, fd, BACKLOG);
            }
            if (bound == 0) {
                return new DeviceClaim(fd);
            }
            String holder = holder(arena, errno, fd, address, lengthBytes);
            Files.close(errno, fd);
            if (bound == -Errno.EADDRINUSE) {
                throw new DeviceException(
                        ("%s is used by another Headgate%s; stop it, or give this port another"
                                        + " interface")
                                .formatted(where, holder));
            }
            throw new DeviceException("cannot claim " + where + ": " + Errno.describe(bound));
        }
    }

    private static String holder(
            Arena arena, Errno errno, int fd, MemorySegment address, int lengthBytes) {
        MemorySegment credentials = arena.allocate(UCRED_BYTES, 8);
        MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
        length.set(ValueLayout.JAVA_INT, 0, UCRED_BYTES);
        if (Sockets.connect(errno, fd, address, lengthBytes) < 0
                || Sockets.getsockopt(
                                errno,
                                fd,
                                Sockets.SOL_SOCKET,
                                Sockets.SO_PEERCRED,
                                credentials,
                                length)
                        < 0) {
            return "";
        }
        return " (process " + credentials.get(ValueLayout.JAVA_INT, 0) + ")";
    }

    @Override
    public void close() {
        if (fd >= 0) {
            Files.close(errno, fd);
            fd = -1;
        }
    }
}
