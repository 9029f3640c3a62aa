package io.headgate.dataplane.device.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Makes the handles of C functions. None is {@code critical}: a kick of a socket may run the peer's
 * whole receive path inside the call, which would delay every safepoint.
 */
public final class Linkage {
    /** C types on every 64-bit Linux. */
    static final MemoryLayout INT = JAVA_INT;

    static final MemoryLayout LONG = JAVA_LONG;
    static final MemoryLayout POINTER = ADDRESS;

    private static final Linker LINKER = Linker.nativeLinker();

    private Linkage() {}

    static MethodHandle call(String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                address(name),
                FunctionDescriptor.of(result, arguments),
                Linker.Option.captureCallState("errno"));
    }

    /**
     * As {@link #call}, but without errno: a failure shows only in the result. Capturing errno
     * costs 40 bytes of heap per call until the call is fully compiled, which never happens to a
     * call that is made a few times a second, for example when a worker goes to sleep.
     */
    static MethodHandle callWithoutErrno(
            String name, MemoryLayout result, MemoryLayout... arguments) {
        return callWithoutErrno(address(name), result, arguments);
    }

    /**
     * As {@link #callWithoutErrno(String, MemoryLayout, MemoryLayout...)}, for a function at an
     * address.
     */
    static MethodHandle callWithoutErrno(
            MemorySegment function, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(function, FunctionDescriptor.of(result, arguments));
    }

    /** As {@link #call}, for a function whose arguments from {@code first} on are variadic. */
    static MethodHandle variadic(
            String name, int first, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                address(name),
                FunctionDescriptor.of(result, arguments),
                Linker.Option.captureCallState("errno"),
                Linker.Option.firstVariadicArg(first));
    }

    /** A call as a lambda; not for a frame's path, because of the lambda's cost. */
    @FunctionalInterface
    interface Call {
        int make() throws Throwable;
    }

    /**
     * The error that the {@code catch} of a downcall throws: handles declare Throwable, but C
     * throws nothing.
     */
    static AssertionError impossible(Throwable thrown) {
        return new AssertionError("downcall failed", thrown);
    }

    private static MemorySegment address(String name) {
        return LINKER.defaultLookup()
                .find(name)
                .orElseThrow(
                        () -> new IllegalStateException("the C library has no function " + name));
    }
}
