package io.headgate.dataplane.device.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Real-time scheduling (SCHED_FIFO, sched(7)): a thread with it runs before all without, so that
 * what else a machine does holds it up no longer than the kernel itself does. Its share of a core
 * stays below the whole, by the kernel's own limit (sched_rt_runtime_us).
 */
public final class RealTimePriority {
    private static final int SCHED_OTHER = 0;
    private static final int SCHED_FIFO = 1;
    private static final int LOWEST = 1;

    private RealTimePriority() {}

    /**
     * Gives it to the calling thread; threads it starts from now on inherit it.
     *
     * @return whether the kernel allows that, which takes CAP_SYS_NICE
     */
    public static boolean take() {
        return schedule(SCHED_FIFO, LOWEST) >= 0;
    }

    /** Takes it from the calling thread; those that inherited it keep it. */
    public static void giveBack() {
        int result = schedule(SCHED_OTHER, 0);
        if (result < 0) {
            throw new IllegalStateException("sched_setscheduler: " + Errno.describe(result));
        }
    }

    private static int schedule(int policy, int priority) {
        Errno errno = new Errno();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment parameters = arena.allocate(ValueLayout.JAVA_INT);
            parameters.set(ValueLayout.JAVA_INT, 0, priority);
            return Threads.setScheduler(errno, policy, parameters);
        }
    }
}
