package io.headgate.testbed.scenario.campaign;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Shows a person the progress of a campaign and the remaining time: on a terminal in one line that
 * is overwritten, elsewhere in new lines at growing intervals. Its own thread prints; any thread
 * may report.
 */
public final class ProgressLine implements AutoCloseable {
    private static final long REDRAW_NS = 200_000_000;
    private static final long LINE_NS = 10_000_000_000L;

    private static final double BYTES_PER_GB = 1e9;

    /** Where lines are written, the next comes after this part of the time so far: a tenth. */
    private static final int PART = 10;

    private final String name;
    private final PrintStream out;
    private final boolean terminal;
    private final double[] fractions;
    private final long startNs = System.nanoTime();
    private final Thread thread;
    private volatile boolean stopping;
    private boolean drawn;

    // The printing thread alone changes it.
    private long mostBytes;

    /**
     * @param cells number of runs
     * @param terminal whether {@code out} is a terminal that can overwrite a line
     */
    public ProgressLine(String name, int cells, PrintStream out, boolean terminal) {
        this.name = name;
        this.out = out;
        this.terminal = terminal;
        this.fractions = new double[cells];
        this.thread = Thread.ofPlatform().daemon().name("headgate-progress").start(this::run);
    }

    /** Reports the progress of a run; 1: it has ended. */
    public void at(int cell, double fraction) {
        synchronized (fractions) {
            fractions[cell] = Math.clamp(fraction, fractions[cell], 1.0);
        }
    }

    /** Prints a line that stays. */
    public void say(String line) {
        synchronized (out) {
            erase();
            out.println(String.format(Locale.ROOT, "[%7.1f s] %s", seconds(), line));
        }
    }

    private double seconds() {
        return (System.nanoTime() - startNs) / 1e9;
    }

    private void run() {
        long lastNs = System.nanoTime();
        while (!stopping) {
            LockSupport.parkNanos(REDRAW_NS);
            long nowNs = System.nanoTime();
            long line = Math.max(LINE_NS, (nowNs - startNs) / PART);
            if (!stopping && (terminal || nowNs - lastNs >= line)) {
                lastNs = nowNs;
                draw();
            }
        }
    }

    private void draw() {
        double sum = 0;
        int done = 0;
        synchronized (fractions) {
            for (double fraction : fractions) {
                sum += fraction;
                done += fraction >= 1 ? 1 : 0;
            }
        }
        String line =
                describe(name, done, fractions.length, sum / fractions.length, seconds())
                        + ", "
                        + memory();
        synchronized (out) {
            if (terminal) {
                out.print("\r\033[K" + line);
                out.flush();
                drawn = true;
            } else {
                out.println(String.format(Locale.ROOT, "[%7.1f s] %s", seconds(), line));
            }
        }
    }

    static String describe(String name, int done, int of, double share, double seconds) {
        String line =
                String.format(
                        Locale.ROOT, "%s: %d of %d runs, %.0f %%", name, done, of, 100 * share);
        // Less than this says nothing about the rest.
        if (share < 0.01 || seconds < 0.5) {
            return line;
        }
        double left = seconds / share - seconds;
        return line + ", about " + duration(left) + " left";
    }

    /** The heap now, its most so far, and what it may have. */
    private String memory() {
        Runtime heap = Runtime.getRuntime();
        long used = heap.totalMemory() - heap.freeMemory();
        mostBytes = Math.max(mostBytes, used);
        return memory(used, mostBytes, heap.maxMemory());
    }

    static String memory(long used, long most, long max) {
        return String.format(
                Locale.ROOT,
                "memory %.1f of %.1f GB, at most %.1f",
                used / BYTES_PER_GB,
                max / BYTES_PER_GB,
                most / BYTES_PER_GB);
    }

    static String duration(double seconds) {
        if (seconds < 90) {
            return Math.round(seconds) + " s";
        }
        return seconds < 5400
                ? Math.round(seconds / 60) + " min"
                : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
    }

    private void erase() {
        if (drawn) {
            out.print("\r\033[K");
            drawn = false;
        }
    }

    @Override
    public void close() {
        stopping = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (out) {
            erase();
            out.flush();
        }
    }
}
