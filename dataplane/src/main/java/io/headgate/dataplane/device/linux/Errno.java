package io.headgate.dataplane.device.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Memory in which one owner's system calls store their errno. Allocated once per owner, because an
 * allocation per call costs five times the call's own overhead. Used by one thread at a time.
 */
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    public static final int EBADF = 9;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EFAULT = 14;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int ENODEV = 19;
    public static final int EINVAL = 22;
    public static final int ENOSPC = 28;
    public static final int EMSGSIZE = 90;
    public static final int ENOPROTOOPT = 92;
    public static final int EPROTONOSUPPORT = 93;
    public static final int EOPNOTSUPP = 95;
    public static final int EAFNOSUPPORT = 97;
    public static final int EADDRINUSE = 98;
    public static final int ENETDOWN = 100;
    public static final int ENOBUFS = 105;
    public static final int ECONNREFUSED = 111;

    private final MemorySegment state = Arena.ofAuto().allocate(Linker.Option.captureStateLayout());

    /** The segment that a call captures errno in. */
    MemorySegment state() {
        return state;
    }

    /** The result of a call in the kernel's form: the errno is stale unless the call failed. */
    int result(int returned) {
        return returned == -1 ? -state.get(ValueLayout.JAVA_INT, 0) : returned;
    }

    /** Makes a call that is not on a frame's path; returns its result in the kernel's form. */
    int result(Linkage.Call call) {
        try {
            return result(call.make());
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    /** As {@link #result(int)}. */
    long result(long returned) {
        return returned == -1 ? -state.get(ValueLayout.JAVA_INT, 0) : returned;
    }

    /**
     * Name and meaning of a failed call's result.
     *
     * @param result an errno, negated or not
     */
    public static String describe(long result) {
        int number = (int) Math.abs(result);
        return switch (number) {
            case EPERM -> "EPERM, operation not permitted";
            case ENOENT -> "ENOENT, no such file";
            case EINTR -> "EINTR, interrupted";
            case EIO -> "EIO, input/output error";
            case ENXIO -> "ENXIO, no such device or address";
            case EBADF -> "EBADF, bad file descriptor";
            case EAGAIN -> "EAGAIN, try again";
            case ENOMEM -> "ENOMEM, not enough memory";
            case EACCES -> "EACCES, permission denied";
            case EFAULT -> "EFAULT, bad address";
            case EBUSY -> "EBUSY, device or resource busy";
            case EEXIST -> "EEXIST, exists already";
            case ENODEV -> "ENODEV, no such device";
            case EINVAL -> "EINVAL, invalid argument";
            case 23, 24 -> "too many open files (see ulimit -n)";
            case ENOSPC -> "ENOSPC, no space left";
            case EMSGSIZE -> "EMSGSIZE, message too long";
            case ENOPROTOOPT -> "ENOPROTOOPT, option not known to this kernel";
            case EPROTONOSUPPORT -> "EPROTONOSUPPORT, protocol not in this kernel";
            case EOPNOTSUPP -> "EOPNOTSUPP, not supported";
            case EAFNOSUPPORT -> "EAFNOSUPPORT, address family not in this kernel";
            case EADDRINUSE -> "EADDRINUSE, address in use";
            case ENETDOWN -> "ENETDOWN, interface is down";
            case ENOBUFS -> "ENOBUFS, no buffer space";
            case ECONNREFUSED -> "ECONNREFUSED, connection refused";
            default -> "errno " + number;
        };
    }
}
