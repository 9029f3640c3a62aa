package io.headgate.testbed.netns;

import io.headgate.config.Reason;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Starts programs, in a namespace if one is named, and waits for them. {@link #close} kills
 * programs that still run; if we are killed ourselves, the kernel kills them (PR_SET_PDEATHSIG,
 * which watches the thread that started them: start them from a thread that stays).
 */
public final class Programs implements AutoCloseable {
    private static final long GRACE_MS = 500;

    private final Path scratch;
    private final List<Process> started = new ArrayList<>();
    private int number;
    private int nicer;
    private boolean arePrompt;
    private boolean closed;

    /**
     * @param scratch an existing directory for the programs' output
     */
    public Programs(Path scratch) {
        this.scratch = scratch;
    }

    Path scratch() {
        return scratch;
    }

    /**
     * Has programs started from now on take less of a contended core than we do.
     *
     * @param by what is added to our own niceness (nice(1))
     */
    public synchronized void runNicer(int by) {
        nicer = by;
    }

    /**
     * Has receivers started from now on go before all that has no real-time priority (sched(7)):
     * what waits in a socket is lost where its reader gets no core, as it is in a switch.
     */
    public synchronized void promptReceivers() {
        arePrompt = true;
    }

    /**
     * The result of a program that has ended.
     *
     * @param output both its standard streams
     * @param overdue whether we killed it, since its time was over
     */
    public record Result(int exitCode, String output, boolean overdue) {
        private static final int KILLED = 128;
        private static final Map<Integer, String> SIGNALS =
                Map.of(1, "HUP", 2, "INT", 6, "ABRT", 9, "KILL", 11, "SEGV", 15, "TERM");

        public Result(int exitCode, String output) {
            this(exitCode, output, false);
        }

        public boolean ok() {
            return exitCode == 0;
        }

        /** Whether a signal ended it that was not ours. */
        public boolean wasKilled() {
            return !overdue && exitCode > KILLED;
        }

        /** How it ended where that says more than its last line; empty: by itself. */
        public String killed() {
            if (overdue) {
                return "it did not end in its time, and was killed";
            }
            if (!wasKilled()) {
                return "";
            }
            int signal = exitCode - KILLED;
            String name = SIGNALS.get(signal);
            return "it was killed (signal " + signal + (name == null ? ")" : ", SIG" + name + ")");
        }

        /**
         * Why it failed, for a sentence: how it was killed, or the last line that says something.
         */
        public String lastLine() {
            List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
            if (!lines.isEmpty() && !wasKilled()) {
                return lines.getLast().strip();
            }
            return killed().isEmpty() ? "exit code " + exitCode : killed();
        }
    }

    /** A running program. */
    public static final class Running {
        private final Process process;
        private final Path output;

        private Running(Process process, Path output) {
            this.process = process;
            this.output = output;
        }

        public long pid() {
            return process.pid();
        }

        public boolean isAlive() {
            return process.isAlive();
        }

        /** Asks it and what it has started to end, and kills what does not. */
        public Result end() {
            List<ProcessHandle> started = process.descendants().toList();
            process.destroy();
            started.forEach(ProcessHandle::destroy);
            Result result = await(GRACE_MS);
            started.forEach(ProcessHandle::destroyForcibly);
            return result;
        }

        /** Waits for the end, and kills it when the time is over: exit code 137 then. */
        public Result await(long timeoutMs) {
            boolean interrupted = false;
            boolean overdue = false;
            try {
                if (!process.waitFor(timeoutMs, TimeUnit.MILLISECONDS)) {
                    overdue = true;
                    process.destroyForcibly().waitFor();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                interrupted = true;
            }
            String text;
            try {
                text = Files.readString(output);
                Files.deleteIfExists(output);
            } catch (IOException e) {
                text = "";
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
                return new Result(137, text, true);
            }
            return new Result(process.exitValue(), text, overdue);
        }
    }

    /**
     * Starts a program.
     *
     * @param netns the namespace, or null for our own
     * @throws BedException if it cannot be started
     */
    public Running start(@Nullable String netns, List<String> command) throws BedException {
        return start(netns, command, false);
    }

    /**
     * Starts a program that must receive packets without delay.
     *
     * @throws BedException if it cannot be started
     */
    public Running startReceiver(@Nullable String netns, List<String> command) throws BedException {
        return start(netns, command, true);
    }

    private Running start(@Nullable String netns, List<String> command, boolean isReceiver)
            throws BedException {
        List<String> bound = new ArrayList<>(List.of("setpriv", "--pdeathsig", "KILL", "--"));
        synchronized (this) {
            if (isReceiver && arePrompt) {
                bound.addAll(List.of("chrt", "--fifo", "1"));
            } else if (nicer != 0) {
                bound.addAll(List.of("nice", "-n", Integer.toString(nicer)));
            }
            bound.addAll(command);
            if (closed) {
                throw new BedException("the test bed is being removed");
            }
            started.removeIf(process -> !process.isAlive());
            Path output = scratch.resolve("program-" + ++number + ".out");
            ProcessBuilder builder =
                    new ProcessBuilder(bound)
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .redirectInput(
                                    ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
            // The output that we parse must not depend on the caller's language.
            builder.environment().putAll(Map.of("LC_ALL", "C", "TZ", "UTC"));
            // iperf3 has its data in a file; whether /tmp may be written is another's matter.
            builder.environment().put("TMPDIR", scratch.toString());
            try {
                // A child is born in the namespace of the thread that makes it.
                Process process = NetworkNamespace.call(netns, () -> launch(builder));
                started.add(process);
                return new Running(process, output);
            } catch (DeviceException | UncheckedIOException e) {
                throw new BedException(
                        "cannot start " + String.join(" ", command) + ": " + Reason.of(e), e);
            }
        }
    }

    private static Process launch(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a program to its end. */
    public Result run(@Nullable String netns, long timeoutMs, List<String> command)
            throws BedException {
        return start(netns, command).await(timeoutMs);
    }

    /** Whether nothing can be started any more. */
    public synchronized boolean isClosed() {
        return closed;
    }

    /** Kills whatever still runs. Idempotent; nothing can be started afterwards. */
    @Override
    public synchronized void close() {
        closed = true;
        for (Process process : started) {
            process.destroy();
        }
        for (Process process : started) {
            try {
                if (!process.waitFor(GRACE_MS, TimeUnit.MILLISECONDS)) {
                    process.destroyForcibly().waitFor(GRACE_MS, TimeUnit.MILLISECONDS);
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
        started.clear();
    }
}
