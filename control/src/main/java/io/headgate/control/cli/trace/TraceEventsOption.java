package io.headgate.control.cli.trace;

import io.headgate.config.Reason;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.trace.DutyTraceFile;
import io.headgate.control.trace.TraceEventWriter;
import io.headgate.dataplane.runner.DutyTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The option {@code --trace-events} of commands that run switches on real frames. Switches that ran
 * one after the other are processes of one file; the first begins at time 0. Any thread may call
 * it.
 */
public final class TraceEventsOption {
    private record Traced(String name, DutyTrace trace) {}

    @Option(
            names = "--trace-events",
            paramLabel = "FILE",
            description =
                    "Writes a trace of each call of the workers of its switches, like 'headgate"
                            + " trace': JSON for Perfetto (ui.perfetto.dev). The last 262143"
                            + " intervals of each worker are kept.")
    private @Nullable Path file;

    private final List<Traced> traced = new ArrayList<>();
    private @Nullable DutyTraceFile out;

    /**
     * The file to write; null: the option is not given.
     *
     * @throws DaemonException in a sentence, if there is a file of another kind
     */
    public @Nullable Path file() throws DaemonException {
        Path path = file;
        if (path != null) {
            try {
                TraceEventWriter.requireReplaceable(path);
            } catch (IOException e) {
                throw new DaemonException("--trace-events " + Reason.of(e), e);
            }
        }
        return path;
    }

    /**
     * Begins to trace switches if the option is given; returns the action that ends it.
     *
     * @throws DaemonException if the file cannot be written, or they are being traced
     */
    public synchronized Runnable start(List<RunningSwitch> switches) throws DaemonException {
        Path path = file;
        if (path == null) {
            return () -> {};
        }
        try {
            if (out == null) {
                out = new DutyTraceFile(path, System.nanoTime());
            }
            write(out);
            for (RunningSwitch one : switches) {
                DutyTrace trace = one.realTime().trace(DutyTraceFile.MOST_INTERVALS);
                traced.add(new Traced(one.config().name(), trace));
            }
        } catch (IOException | IllegalStateException e) {
            throw new DaemonException("--trace-events: " + Reason.of(e), e);
        }
        return this::stop;
    }

    private synchronized void stop() {
        traced.forEach(one -> one.trace.close());
    }

    /** Writes the traces of the switches that were started last, and forgets them. */
    private void write(DutyTraceFile to) {
        traced.forEach(one -> to.add(one.name, one.trace));
        traced.clear();
    }

    /**
     * Ends the file; returns where it is and what is in it, or why it could not be written; empty
     * if no trace was begun.
     */
    public synchronized String end() {
        DutyTraceFile begun = out;
        Path path = file;
        if (begun == null || path == null) {
            return "";
        }
        out = null;
        stop();
        try (begun) {
            write(begun);
        } catch (IOException e) {
            return "--trace-events: " + Reason.of(e);
        }
        return "trace events: " + begun.summary().describe(path);
    }
}
