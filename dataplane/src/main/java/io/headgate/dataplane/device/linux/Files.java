package io.headgate.dataplane.device.linux;

import static io.headgate.dataplane.device.linux.Linkage.INT;
import static io.headgate.dataplane.device.linux.Linkage.LONG;
import static io.headgate.dataplane.device.linux.Linkage.POINTER;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * System calls on files and memory. Each returns zero or more, or a negated errno. Where memory is
 * passed by its address, the caller keeps it reachable during the call.
 */
public final class Files {
    public static final int O_RDONLY = 0;
    public static final int O_RDWR = 2;
    public static final int O_NONBLOCK = 0x800;
    static final int O_CLOEXEC = 0x80000;

    private static final int EPOLLIN = 1;
    private static final int EPOLL_ADD = 1;

    /** Of {@code struct epoll_event}, which is packed on x86 alone. */
    private static final int EPOLL_DATA_OFFSET =
            "amd64".equals(System.getProperty("os.arch")) ? 4 : 8;

    /** Size of {@code struct epoll_event}. */
    public static final int EPOLL_EVENT_BYTES = EPOLL_DATA_OFFSET + Long.BYTES;

    static final int PROT_READ = 1;
    static final int PROT_WRITE = 2;
    public static final int MAP_SHARED = 1;
    static final int MAP_PRIVATE = 2;
    static final int MAP_ANONYMOUS = 0x20;
    static final int MAP_NORESERVE = 0x4000;
    public static final int MAP_POPULATE = 0x8000;

    static final int NO_FILE = -1;
    static final int MADV_NOHUGEPAGE = 15;

    private static final MethodHandle OPEN = Linkage.variadic("open", 2, INT, POINTER, INT, INT);
    private static final MethodHandle CLOSE = Linkage.call("close", INT, INT);
    private static final MethodHandle READ = Linkage.call("read", LONG, INT, LONG, LONG);
    private static final MethodHandle READ_WITHOUT_ERRNO =
            Linkage.callWithoutErrno("read", LONG, INT, LONG, LONG);
    private static final MethodHandle WRITE_WITHOUT_ERRNO =
            Linkage.callWithoutErrno("write", LONG, INT, LONG, LONG);
    private static final MethodHandle PREAD = Linkage.call("pread", LONG, INT, LONG, LONG, LONG);
    private static final MethodHandle WRITE = Linkage.call("write", LONG, INT, LONG, LONG);
    private static final MethodHandle IOCTL = Linkage.variadic("ioctl", 2, INT, INT, LONG, POINTER);
    private static final MethodHandle FCNTL = Linkage.variadic("fcntl", 2, INT, INT, INT, POINTER);
    private static final MethodHandle MMAP =
            Linkage.call("mmap", LONG, LONG, LONG, INT, INT, INT, LONG);
    private static final MethodHandle MUNMAP = Linkage.callWithoutErrno("munmap", INT, LONG, LONG);
    private static final MethodHandle MADVISE_WITHOUT_ERRNO =
            Linkage.callWithoutErrno("madvise", INT, LONG, LONG, INT);
    private static final MethodHandle EVENTFD = Linkage.call("eventfd", INT, INT, INT);
    private static final MethodHandle EPOLL_CREATE = Linkage.call("epoll_create1", INT, INT);
    private static final MethodHandle EPOLL_CTL =
            Linkage.call("epoll_ctl", INT, INT, INT, INT, POINTER);
    private static final MethodHandle EPOLL_WAIT =
            Linkage.call("epoll_wait", INT, INT, LONG, INT, INT);
    private static final MethodHandle SYSCALL_WITHOUT_ERRNO =
            Linkage.callWithoutErrno("syscall", LONG, LONG, LONG, LONG, LONG);
    private static final MethodHandle SYSCALL =
            Linkage.variadic("syscall", 1, LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    private static final MethodHandle OPENAT =
            Linkage.variadic("openat", 3, INT, INT, POINTER, INT, INT);

    private Files() {}

    public static int open(Errno errno, String path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(path);
            return errno.result(
                    () -> (int) OPEN.invokeExact(errno.state(), text, flags | O_CLOEXEC, 0));
        }
    }

    /** As {@link #open}, for a path relative to an open directory. */
    public static int openat(Errno errno, int directoryFd, String path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(path);
            return errno.result(() ->
                    (int)
                            OPENAT.invokeExact(
                                    errno.state(), directoryFd, text, flags | O_CLOEXEC, 0));
        }
    }

    public static int close(Errno errno, int fd) {
        return errno.result(() -> (int) CLOSE.invokeExact(errno.state(), fd));
    }

    public static long read(Errno errno, int fd, long address, long lengthBytes) {
        try {
            return errno.result((long) READ.invokeExact(errno.state(), fd, address, lengthBytes));
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    public static long pread(Errno errno, int fd, long address, long lengthBytes, long offset) {
        try {
            return errno.result(
                    (long) PREAD.invokeExact(errno.state(), fd, address, lengthBytes, offset));
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    public static long write(Errno errno, int fd, long address, long lengthBytes) {
        try {
            return errno.result((long) WRITE.invokeExact(errno.state(), fd, address, lengthBytes));
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    public static int ioctl(Errno errno, int fd, long request, MemorySegment argument) {
        try {
            return errno.result((int) IOCTL.invokeExact(errno.state(), fd, request, argument));
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    static int fcntl(Errno errno, int fd, int command, MemorySegment argument) {
        return errno.result(() -> (int) FCNTL.invokeExact(errno.state(), fd, command, argument));
    }

    /**
     * Maps part of a file, or memory, for reading and writing.
     *
     * @param fd {@link #NO_FILE} with {@link #MAP_ANONYMOUS}
     * @return address of the mapping, or a negated errno (from -4095 to -1)
     */
    public static long mmap(Errno errno, int fd, long offset, long lengthBytes, int flags) {
        try {
            return errno.result(
                    (long)
                            MMAP.invokeExact(
                                    errno.state(),
                                    0L,
                                    lengthBytes,
                                    PROT_READ | PROT_WRITE,
                                    flags,
                                    fd,
                                    offset));
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    /** Unmaps memory; returns whether that succeeded. Allocates nothing. */
    public static boolean munmap(long address, long lengthBytes) {
        try {
            return (int) MUNMAP.invokeExact(address, lengthBytes) == 0;
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    /** Returns whether the kernel accepts the advice. */
    static boolean madvise(long address, long lengthBytes, int advice) {
        try {
            return (int) MADVISE_WITHOUT_ERRNO.invokeExact(address, lengthBytes, advice) == 0;
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    static int eventfd(Errno errno, int initial, int flags) {
        return errno.result(() -> (int) EVENTFD.invokeExact(errno.state(), initial, flags));
    }

    /**
     * Makes a descriptor that is readable while one of the others is: epoll(7), level-triggered.
     *
     * @return the descriptor, or a negated errno
     */
    public static int anyOf(Errno errno, int... others) {
        int fd = errno.result(() -> (int) EPOLL_CREATE.invokeExact(errno.state(), O_CLOEXEC));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(EPOLL_EVENT_BYTES, 8);
            event.set(ValueLayout.JAVA_INT, 0, EPOLLIN);
            for (int i = 0; i < others.length && fd >= 0; i++) {
                event.set(ValueLayout.JAVA_INT, EPOLL_DATA_OFFSET, i);
                int epoll = fd;
                int other = others[i];
                int added =
                        errno.result(() ->
                                (int)
                                        EPOLL_CTL.invokeExact(
                                                errno.state(), epoll, EPOLL_ADD, other, event));
                if (added < 0) {
                    close(errno, fd);
                    fd = added;
                }
            }
        }
        return fd;
    }

    /**
     * Finds the descriptors of {@link #anyOf} that can be read now, without waiting; {@link
     * #readable} returns each.
     *
     * @param events memory of {@code most} times {@link #EPOLL_EVENT_BYTES}
     * @return their number, or a negated errno
     */
    public static int readable(Errno errno, int anyOf, MemorySegment events, int most) {
        try {
            return errno.result(
                    (int) EPOLL_WAIT.invokeExact(errno.state(), anyOf, events.address(), most, 0));
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    /** Index, in the arguments of {@link #anyOf}, of a readable descriptor. */
    public static int readable(MemorySegment events, int at) {
        return events.get(
                ValueLayout.JAVA_INT_UNALIGNED, (long) at * EPOLL_EVENT_BYTES + EPOLL_DATA_OFFSET);
    }

    /** A system call that the C library does not wrap; its arguments are numbers or addresses. */
    public static long syscall(
            Errno errno,
            long number,
            long first,
            long second,
            long third,
            long fourth,
            long fifth) {
        try {
            return errno.result(
                    (long)
                            SYSCALL.invokeExact(
                                    errno.state(), number, first, second, third, fourth, fifth));
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    /** The same, with three arguments, for callers that need no errno: −1 if it failed. */
    static long syscall(long number, long first, long second, long third) {
        try {
            return (long) SYSCALL_WITHOUT_ERRNO.invokeExact(number, first, second, third);
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    /** As {@link #read}, for callers that need no errno: −1 if it failed. */
    public static long read(int fd, long address, long lengthBytes) {
        try {
            return (long) READ_WITHOUT_ERRNO.invokeExact(fd, address, lengthBytes);
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    /** As {@link #write}, for callers that need no errno: −1 if it failed. */
    public static long write(int fd, long address, long lengthBytes) {
        try {
            return (long) WRITE_WITHOUT_ERRNO.invokeExact(fd, address, lengthBytes);
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }
}
