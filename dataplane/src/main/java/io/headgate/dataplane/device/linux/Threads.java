package io.headgate.dataplane.device.linux;

import static io.headgate.dataplane.device.linux.Linkage.INT;
import static io.headgate.dataplane.device.linux.Linkage.LONG;
import static io.headgate.dataplane.device.linux.Linkage.POINTER;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * System calls that change the calling thread. Each returns zero or more, or a negated errno. A
 * virtual thread has no kernel thread of its own, so it must not call them.
 */
public final class Threads {
    public static final int CLONE_NEWNET = 0x40000000;
    private static final int PRIO_PROCESS = 0;
    static final int PR_SET_TIMERSLACK = 29;
    static final int PR_GET_TIMERSLACK = 30;

    private static final MethodHandle SETNS = Linkage.call("setns", INT, INT, INT);
    private static final MethodHandle UNSHARE = Linkage.call("unshare", INT, INT);
    private static final MethodHandle SETAFFINITY =
            Linkage.call("sched_setaffinity", INT, INT, LONG, POINTER);
    private static final MethodHandle GETAFFINITY =
            Linkage.call("sched_getaffinity", INT, INT, LONG, POINTER);
    private static final MethodHandle SETSCHEDULER =
            Linkage.call("sched_setscheduler", INT, INT, INT, POINTER);
    private static final MethodHandle GETSCHEDULER =
            Linkage.callWithoutErrno("sched_getscheduler", INT, INT);
    private static final MethodHandle PRCTL =
            Linkage.variadic("prctl", 1, INT, INT, LONG, LONG, LONG, LONG);
    private static final MethodHandle SETPRIORITY = Linkage.call("setpriority", INT, INT, INT, INT);
    private static final MethodHandle PPOLL =
            Linkage.call("ppoll", INT, POINTER, LONG, POINTER, POINTER);

    private static final MethodHandle PPOLL_WITHOUT_ERRNO =
            Linkage.callWithoutErrno("ppoll", INT, LONG, LONG, LONG, LONG);

    private Threads() {}

    public static int setns(Errno errno, int fd, int kind) {
        requirePlatformThread();
        return errno.result(() -> (int) SETNS.invokeExact(errno.state(), fd, kind));
    }

    /** Gives the calling thread a namespace of its own. */
    public static int unshare(Errno errno, int kind) {
        requirePlatformThread();
        return errno.result(() -> (int) UNSHARE.invokeExact(errno.state(), kind));
    }

    /** Sets the cores of the calling thread, one bit per core. */
    static int setAffinity(Errno errno, MemorySegment cores) {
        requirePlatformThread();
        return errno.result(
                () -> (int) SETAFFINITY.invokeExact(errno.state(), 0, cores.byteSize(), cores));
    }

    /** Reads the cores of the calling thread, one bit per core. */
    static int getAffinity(Errno errno, MemorySegment cores) {
        requirePlatformThread();
        return errno.result(
                () -> (int) GETAFFINITY.invokeExact(errno.state(), 0, cores.byteSize(), cores));
    }

    /**
     * Sets policy and {@code struct sched_param} of a thread of this process, by its kernel's
     * number; 0: the calling one.
     */
    static int setScheduler(Errno errno, int thread, int policy, MemorySegment parameters) {
        requirePlatformThread();
        return errno.result(
                () -> (int) SETSCHEDULER.invokeExact(errno.state(), thread, policy, parameters));
    }

    /** The policy of the calling thread; needs no permission. */
    static int scheduler() {
        requirePlatformThread();
        try {
            return (int) GETSCHEDULER.invokeExact(0);
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    static int prctl(Errno errno, int option, long argument) {
        requirePlatformThread();
        return errno.result(
                () -> (int) PRCTL.invokeExact(errno.state(), option, argument, 0L, 0L, 0L));
    }

    /**
     * Sets the nice value of a thread of this process, by its kernel's number; 0: the calling one.
     */
    static int setPriority(Errno errno, int thread, int nice) {
        return errno.result(
                () -> (int) SETPRIORITY.invokeExact(errno.state(), PRIO_PROCESS, thread, nice));
    }

    static int ppoll(Errno errno, MemorySegment fds, long count, MemorySegment timeout) {
        try {
            return errno.result(
                    (int)
                            PPOLL.invokeExact(
                                    errno.state(), fds, count, timeout, MemorySegment.NULL));
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    /**
     * As above, for callers that need no errno: −1 if it failed. A timeout at address 0 means no
     * timeout.
     */
    static int ppoll(long fds, long count, long timeout) {
        try {
            return (int) PPOLL_WITHOUT_ERRNO.invokeExact(fds, count, timeout, 0L);
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    private static void requirePlatformThread() {
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("needs a platform thread");
        }
    }
}
