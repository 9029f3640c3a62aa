package io.headgate.dataplane.runner;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Which compilers the JVM has. That decides how much must run before what comes next is fast. */
public final class Compilation {
    /** In the JVM's description of itself with {@code -XX:TieredStopAtLevel=1}. */
    private static final String QUICK_ONE_ALONE = "emulated-client";

    /**
     * The quick compiler waits for 200 calls of a method, or 2,000 rounds of its loops; the
     * optimising one for 5,000 calls of what the quick one made, and for what it saw of them.
     */
    private static final int SOONER = 8;

    static final long STILL_NS = 20_000_000;
    static final long MOST_NS = 300_000_000;
    private static final long LOOK_NS = 1_000_000;

    private Compilation() {}

    /**
     * How many rounds make code warm.
     *
     * @param optimised how many where there is an optimising compiler
     */
    public static int rounds(int optimised) {
        return isQuick() ? optimised / SOONER : optimised;
    }

    /**
     * After so few rounds, waits until the quick compiler has done what they gave it to do: on a
     * busy machine it may not have had a core yet. Takes 20 ms where it has, never more than 300
     * ms; nothing where there is an optimising compiler, whose rounds take long enough.
     */
    public static void await() {
        CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
        if (isQuick()
                && compilation != null
                && compilation.isCompilationTimeMonitoringSupported()) {
            await(compilation::getTotalCompilationTime);
        }
    }

    /** Waits until a time of compilation stands still. */
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
