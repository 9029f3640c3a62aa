package io.headgate.control.cli.bench;

import io.headgate.config.Reason;
import io.headgate.control.report.RunReport;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Mixin of every benchmark's command: refuses wrong options, writes the report, and ends in order.
 */
public final class BenchRun {
    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(20);

    @Option(names = "--json", description = "print the report as JSON, for programs")
    private boolean json;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "also write the report to this directory, as page, text and JSON")
    private @Nullable Path directory;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    private volatile boolean isEnding;

    /** A measurement. */
    @FunctionalInterface
    public interface Benchmark {
        /** Measures to the end; then removes all that it started and made, however it ends. */
        RunReport run() throws BenchException, IOException;
    }

    /**
     * Runs a benchmark to its end, or to ^C, and reports. The exit code is 0 unless something went
     * wrong or is beyond its limit.
     *
     * @param cancel makes the benchmark end soon; runs on ^C
     */
    public int of(Benchmark benchmark, Runnable cancel) {
        int[] code = {1};
        Instant began = Instant.now();
        EndGuard.run(
                () -> code[0] = reported(benchmark, began),
                () -> {
                    isEnding = true; // errors of a cancelled benchmark are not reported
                    cancel.run();
                },
                () -> "ended early: there is no report; removing the network…");
        return code[0];
    }

    private int reported(Benchmark benchmark, Instant began) {
        Path to = directory;
        String attempt = "make the directory " + to;
        try {
            if (to != null) {
                Files.createDirectories(to); // now, so that no long run ends without its report
            }
            attempt = "write a temporary file";
            RunReport report = benchmark.run();
            if (isEnding) {
                return 1;
            }
            report.began(began);
            spec.commandLine()
                    .getOut()
                    .print(
                            json
                                    ? report.toJson() + "\n"
                                    : report.toText() + "\n" + report.conclusion() + "\n");
            spec.commandLine().getOut().flush();
            if (to != null) {
                attempt = "write the report into " + to;
                report.write(to, spec.name());
                say("The report is in " + to + ".");
            }
            return report.passed() ? 0 : 1;
        } catch (BenchException failure) {
            say("headgate bench: " + failure.getMessage());
            return 1;
        } catch (IOException failure) {
            say("headgate bench: cannot " + attempt + ": " + Reason.of(failure));
            return 1;
        }
    }

    /** Ends the programs that this process has started, and those that it will start. */
    public static void endPrograms() {
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    while (true) {
                        ProcessHandle.current().descendants().forEach(ProcessHandle::destroy);
                        LockSupport.parkNanos(AGAIN_NS);
                    }
                });
    }

    /** Directory of the report; null if no report is written. */
    public @Nullable Path directory() {
        return directory;
    }

    /**
     * Sets where the report is written, unless the command line names a place; returns that place.
     */
    public Path directoryOr(Path other) {
        Path to = directory == null ? other : directory;
        directory = to;
        return to;
    }

    /** The whole command line, as it was given. */
    public String line() {
        return ShellWords.given(spec.commandLine());
    }

    /** Prints a line to standard error at once, unless the benchmark is ending. */
    public void say(String line) {
        if (!isEnding) {
            spec.commandLine().getErr().println(line);
            spec.commandLine().getErr().flush();
        }
    }

    /** For programs that print their progress themselves. */
    public PrintStream progress() {
        return new PrintStream(
                new FilterOutputStream(System.err) {
                    @Override
                    public void write(int character) throws IOException {
                        if (!isEnding) {
                            super.write(character);
                        }
                    }
                });
    }

    /**
     * @throws ParameterException with the message and the usage, unless it holds
     */
    public void require(boolean holds, String message) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
