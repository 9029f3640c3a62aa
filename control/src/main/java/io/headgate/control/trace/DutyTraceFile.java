package io.headgate.control.trace;

import io.headgate.dataplane.runner.DutyTrace;
import java.io.IOException;
import java.nio.file.Path;

/** Writes what the workers of a switch did as trace events: a process, a thread for each worker. */
public final class DutyTraceFile {
    private static final int PROCESS = 1;
    private static final long PS_PER_NS = 1_000;

    /**
     * What was written.
     *
     * @param leftOutIntervals older ones that were not kept
     */
    public record Summary(long durationNs, long intervals, long leftOutIntervals) {}

    private DutyTraceFile() {}

    /**
     * Writes a recording that has ended; a file of trace events that is there is replaced.
     *
     * @param name of the switch
     * @throws IOException in a sentence, if it cannot be written
     */
    public static Summary write(Path file, String name, DutyTrace trace) throws IOException {
        TraceEventWriter.requireReplaceable(file);
        long leftOut = 0;
        long names = 1L + trace.workers();
        try (TraceEventWriter out = new TraceEventWriter(file)) {
            out.nodeName(PROCESS, name);
            for (int worker = 0; worker < trace.workers(); worker++) {
                int thread = worker + 1;
                out.threadName(PROCESS, thread, "worker " + worker);
                leftOut +=
                        trace.forEach(
                                worker,
                                (what, startNs, durationNs) ->
                                        out.interval(
                                                PROCESS,
                                                thread,
                                                "worker",
                                                what,
                                                startNs * PS_PER_NS,
                                                durationNs * PS_PER_NS));
            }
            return new Summary(trace.durationNs(), out.events() - names, leftOut);
        }
    }
}
