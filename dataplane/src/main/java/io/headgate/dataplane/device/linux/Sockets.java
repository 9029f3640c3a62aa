package io.headgate.dataplane.device.linux;

import static io.headgate.dataplane.device.linux.Linkage.INT;
import static io.headgate.dataplane.device.linux.Linkage.LONG;
import static io.headgate.dataplane.device.linux.Linkage.POINTER;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** System calls on sockets. Each returns zero or more, or a negated errno. */
public final class Sockets {
    public static final int AF_UNIX = 1;
    public static final int AF_INET = 2;
    public static final int AF_NETLINK = 16;
    public static final int AF_PACKET = 17;
    public static final int AF_XDP = 44;

    public static final int SOCK_STREAM = 1;
    public static final int SOCK_DGRAM = 2;
    public static final int SOCK_RAW = 3;
    public static final int SOCK_NONBLOCK = 0x800;
    private static final int SOCK_CLOEXEC = 0x80000;

    public static final int SOL_SOCKET = 1;
    public static final int SO_ERROR = 4;
    static final int SO_SNDBUF = 7;
    public static final int SO_PEERCRED = 17;
    public static final int SO_SNDBUFFORCE = 32;
    public static final int SO_RCVBUFFORCE = 33;
    public static final int SOL_PACKET = 263;

    public static final int MSG_DONTWAIT = 0x40;
    public static final int MSG_ERRQUEUE = 0x2000;

    private static final MethodHandle SOCKET = Linkage.call("socket", INT, INT, INT, INT);
    private static final MethodHandle BIND = Linkage.call("bind", INT, INT, POINTER, INT);
    private static final MethodHandle CONNECT = Linkage.call("connect", INT, INT, POINTER, INT);
    private static final MethodHandle LISTEN = Linkage.call("listen", INT, INT, INT);
    private static final MethodHandle SETSOCKOPT =
            Linkage.call("setsockopt", INT, INT, INT, INT, POINTER, INT);
    private static final MethodHandle GETSOCKOPT =
            Linkage.call("getsockopt", INT, INT, INT, INT, POINTER, POINTER);
    private static final MethodHandle SENDTO =
            Linkage.call("sendto", LONG, INT, POINTER, LONG, INT, POINTER, INT);
    private static final MethodHandle RECV = Linkage.call("recv", LONG, INT, POINTER, LONG, INT);

    private static final MethodHandle RECVMMSG =
            Linkage.call("recvmmsg", INT, INT, POINTER, INT, INT, POINTER);
    private static final MethodHandle SENDMMSG =
            Linkage.call("sendmmsg", INT, INT, POINTER, INT, INT);

    private Sockets() {}

    /** Opens a socket that a program started by this process does not inherit. */
    public static int socket(Errno errno, int family, int type, int protocol) {
        return errno.result(() ->
                (int) SOCKET.invokeExact(errno.state(), family, type | SOCK_CLOEXEC, protocol));
    }

    public static int bind(Errno errno, int fd, MemorySegment address, int lengthBytes) {
        return errno.result(() -> (int) BIND.invokeExact(errno.state(), fd, address, lengthBytes));
    }

    public static int connect(Errno errno, int fd, MemorySegment address, int lengthBytes) {
        return errno.result(
                () -> (int) CONNECT.invokeExact(errno.state(), fd, address, lengthBytes));
    }

    public static int listen(Errno errno, int fd, int backlog) {
        return errno.result(() -> (int) LISTEN.invokeExact(errno.state(), fd, backlog));
    }

    public static int setsockopt(Errno errno, int fd, int level, int option, MemorySegment value) {
        int bytes = (int) value.byteSize();
        return errno.result(
                () -> (int) SETSOCKOPT.invokeExact(errno.state(), fd, level, option, value, bytes));
    }

    public static int setsockopt(Errno errno, int fd, int level, int option, int value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(ValueLayout.JAVA_INT);
            segment.set(ValueLayout.JAVA_INT, 0, value);
            return setsockopt(errno, fd, level, option, segment);
        }
    }

    /**
     * Reads an option.
     *
     * @param lengthBytes an int: before the call the size of {@code value}, after it the number of
     *     bytes written
     */
    public static int getsockopt(
            Errno errno,
            int fd,
            int level,
            int option,
            MemorySegment value,
            MemorySegment lengthBytes) {
        try {
            return errno.result(
                    (int)
                            GETSOCKOPT.invokeExact(
                                    errno.state(), fd, level, option, value, lengthBytes));
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    /** Sends without an address; with a NULL buffer, the kick of a mapped transmit ring. */
    public static long send(
            Errno errno, int fd, MemorySegment buffer, long lengthBytes, int flags) {
        return sendto(errno, fd, buffer, lengthBytes, flags, MemorySegment.NULL, 0);
    }

    static long sendto(
            Errno errno,
            int fd,
            MemorySegment buffer,
            long lengthBytes,
            int flags,
            MemorySegment address,
            int addressBytes) {
        try {
            return errno.result(
                    (long)
                            SENDTO.invokeExact(
                                    errno.state(),
                                    fd,
                                    buffer,
                                    lengthBytes,
                                    flags,
                                    address,
                                    addressBytes));
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    static int recvmmsg(Errno errno, int fd, MemorySegment messages, int count, int flags) {
        try {
            return errno.result(
                    (int)
                            RECVMMSG.invokeExact(
                                    errno.state(), fd, messages, count, flags, MemorySegment.NULL));
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    static int sendmmsg(Errno errno, int fd, MemorySegment messages, int count, int flags) {
        try {
            return errno.result(
                    (int) SENDMMSG.invokeExact(errno.state(), fd, messages, count, flags));
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    public static long recv(
            Errno errno, int fd, MemorySegment buffer, long lengthBytes, int flags) {
        try {
            return errno.result(
                    (long) RECV.invokeExact(errno.state(), fd, buffer, lengthBytes, flags));
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }
}
