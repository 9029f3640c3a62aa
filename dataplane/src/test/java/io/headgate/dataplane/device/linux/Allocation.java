package io.headgate.dataplane.device.linux;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the calling thread allocates once the compiler is done with its code. */
public final class Allocation {
    private static final int MOST_ROUNDS = 100;
    private static final int QUIET_ROUNDS = 5;

    /** Compilers that get no core on a busy machine are waited for. */
    private static final long LEAST_NS = 180_000_000_000L;

    private Allocation() {}

    /**
     * Runs work until several rounds in a row allocated nothing.
     *
     * @return 0, or what the last round allocated if that never came about
     */
    public static long whenWarm(Runnable round) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = 0;
        int quiet = 0;
        long beginNs = System.nanoTime();
        for (int count = 0;
                quiet < QUIET_ROUNDS
                        && (count < MOST_ROUNDS || System.nanoTime() - beginNs < LEAST_NS);
                count++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            round.run();
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
            quiet = allocated == 0 ? quiet + 1 : 0;
        }
        return quiet == QUIET_ROUNDS ? 0 : Math.max(1, allocated);
    }
}
