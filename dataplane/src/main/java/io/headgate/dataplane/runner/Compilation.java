package io.headgate.dataplane.runner;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Finds which compilers the JVM has, and so how many warm-up rounds code needs. */
public final class Compilation {
    /** Part of the JVM's description of itself with {@code -XX:TieredStopAtLevel=1}. */
    private static final String QUICK_ONE_ALONE = "emulated-client";

    /**
     * The quick compiler waits for 200 calls of a method, or 2,000 rounds of its loops; the
     * optimising one for 5,000 calls of the quick one's code, and for its profile.
     */
    private static final int SOONER = 8;

    static final long STILL_NS = 20_000_000;
    static final long MOST_NS = 300_000_000;
    private static final long LOOK_NS = 1_000_000;

    private Compilation() {}

    /**
     * Number of rounds that make code warm.
     *
     * @param optimised number with an optimising compiler
     */
    public static int rounds(int optimised) {
        return isQuick() ? optimised / SOONER : optimised;
    }

    /**
     * Waits until the quick compiler has finished its work from these few rounds: on a busy machine
     * it may not have had a core yet. Takes 20 ms if it has finished, and at most 300 ms; with an
     * optimising compiler it does not wait, because its rounds take long enough.
     */
    public static void await() {
        CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
        if (isQuick()
                && compilation != null
                && compilation.isCompilationTimeMonitoringSupported()) {
            await(compilation::getTotalCompilationTime);
        }
    }

    /** Waits until a compilation time no longer grows. */
    static void await(LongSupplier compiledMs) {
        long startNs = System.nanoTime();
        long nowNs = startNs;
        long movedNs = startNs;
        long lastMs = compiledMs.getAsLong();
        while (nowNs - movedNs < STILL_NS && nowNs - startNs < MOST_NS) {
            LockSupport.parkNanos(LOOK_NS);
            nowNs = System.nanoTime();
            long ms = compiledMs.getAsLong();
            if (ms != lastMs) {
                lastMs = ms;
                movedNs = nowNs;
            }
        }
    }

    private static boolean isQuick() {
        return System.getProperty("java.vm.info", "").contains(QUICK_ONE_ALONE);
    }
}
