package io.headgate.dataplane.device.linux;

import static io.headgate.dataplane.device.linux.Linkage.INT;
import static io.headgate.dataplane.device.linux.Linkage.LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The kernel's clock for the time of day (CLOCK_REALTIME), with which it stamps frames. It may be
 * set forwards and backwards. Java's own clocks return an object, or only milliseconds.
 */
public final class TimeOfDay {
    private static final int CLOCK_REALTIME = 0;
    private static final long NS_PER_S = 1_000_000_000;
    private static final MethodHandle CLOCK_GETTIME =
            Linkage.callWithoutErrno("clock_gettime", INT, INT, LONG);

    /** {@code struct timespec}. */
    private final MemorySegment timespec = Arena.ofAuto().allocate(16, 8);

    /** In ns since 1970. */
    public long nowNs() {
        int result;
        try {
            result = (int) CLOCK_GETTIME.invokeExact(CLOCK_REALTIME, timespec.address());
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
        assert result == 0 : "a clock that every Linux has";
        return timespec.get(ValueLayout.JAVA_LONG, 0) * NS_PER_S
                + timespec.get(ValueLayout.JAVA_LONG, Long.BYTES);
    }
}
