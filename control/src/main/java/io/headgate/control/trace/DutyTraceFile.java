package io.headgate.control.trace;

import io.headgate.dataplane.runner.DutyTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Writes the work of switches' workers as trace events: a process per switch, a thread per worker.
 * Used by one thread.
 */
public final class DutyTraceFile implements AutoCloseable {
    /** Maximum number of intervals kept per worker: viewers can open a file of some hundred MB. */
    public static final int MOST_INTERVALS = 1 << 18;

    private static final long PS_PER_NS = 1_000;

    /**
     * The size of what was written.
     *
     * @param durationNs from the file's time 0 to the end of the last recording
     * @param leftOutIntervals older ones that were not kept
     */
    public record Summary(long durationNs, long intervals, long leftOutIntervals) {
        /** The content of a file, in words. */
        public String describe(Path file) {
            return String.format(
                    Locale.ROOT,
                    "%s: %d intervals of %.3f s%s; ui.perfetto.dev opens it",
                    file,
                    intervals,
                    durationNs / 1e9,
                    leftOutIntervals == 0
                            ? ""
                            : ", the last ones: %d earlier ones were not kept"
                                    .formatted(leftOutIntervals));
        }
    }

    private final TraceEventWriter out;
    private final long originNs;
    private int switches;
    private long durationNs;
    private long intervals;
    private long leftOut;

    /**
     * Begins a file; replaces an existing file of trace events.
     *
     * @param originNs the file's time 0, by {@link System#nanoTime}
     * @throws IOException in a sentence, if it cannot be written
     */
    public DutyTraceFile(Path file, long originNs) throws IOException {
        TraceEventWriter.requireReplaceable(file);
        this.out = new TraceEventWriter(file);
        this.originNs = originNs;
    }

    /** Adds a recording that has ended. */
    public void add(String name, DutyTrace trace) {
        int process = ++switches;
        long beganNs = trace.beganNs() - originNs;
        out.nodeName(process, name);
        for (int worker = 0; worker < trace.workers(); worker++) {
            int thread = worker + 1;
            out.threadName(process, thread, "worker " + worker);
            long namesAndIntervals = out.events();
            leftOut +=
                    trace.forEach(
                            worker,
                            (what, startNs, tookNs) ->
                                    out.interval(
                                            process,
                                            thread,
                                            "worker",
                                            what,
                                            (beganNs + startNs) * PS_PER_NS,
                                            tookNs * PS_PER_NS));
            intervals += out.events() - namesAndIntervals;
        }
        durationNs = Math.max(durationNs, beganNs + trace.durationNs());
    }

    public Summary summary() {
        return new Summary(durationNs, intervals, leftOut);
    }

    /**
     * Ends the file.
     *
     * @throws IOException in a sentence, if not all of it was written
     */
    @Override
    public void close() throws IOException {
        out.close();
    }
}
