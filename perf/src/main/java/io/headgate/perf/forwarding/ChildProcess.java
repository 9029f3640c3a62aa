package io.headgate.perf.forwarding;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.config.Reason;
import io.headgate.control.cli.bench.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program that we started, with its output in a file. It is ended by its id, at the latest with
 * this process.
 */
final class ChildProcess implements AutoCloseable {
    private static final long END_SECONDS = 5;
    private static final long POLL_MS = 50;

    private final String what;
    private final Path log;
    private final Process process;

    /**
     * Starts it. Its standard input stays open until it is ended.
     *
     * @param what a name for messages
     */
    ChildProcess(String what, List<String> command, Map<String, String> environment, Path log)
            throws BenchException {
        this.what = what;
        this.log = log;
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()));
        builder.environment().putAll(environment);
        try {
            process = builder.start();
        } catch (IOException failure) {
            throw new BenchException("cannot start " + what + ": " + Reason.of(failure), failure);
        }
    }

    void await(String text, long seconds) throws BenchException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!output().contains(text)) {
            checkAlive();
            if (System.nanoTime() - endNs > 0) {
                throw new BenchException(
                        what + " is not ready after " + seconds + " s: " + lastLines());
            }
            Commands.pause(POLL_MS);
        }
    }

    private void checkAlive() throws BenchException {
        if (!process.isAlive()) {
            throw new BenchException(
                    what + " ended with code " + process.exitValue() + ": " + lastLines());
        }
    }

    private String lastLines() {
        return Commands.lastLines(output());
    }

    String output() {
        try {
            return new String(Files.readAllBytes(log), UTF_8);
        } catch (IOException gone) {
            return "";
        }
    }

    /** Lets the process run on, or stops it. */
    void run(boolean running) throws BenchException {
        checkAlive();
        Commands.run("kill", running ? "-CONT" : "-STOP", Long.toString(process.pid()));
    }

    /** Ends it: asks, then insists. */
    @Override
    public void close() {
        try {
            if (process.isAlive()) {
                Commands.run("kill", "-CONT", Long.toString(process.pid()));
            }
            process.getOutputStream().close();
            process.destroy();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (BenchException | IOException failure) {
            process.destroyForcibly();
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
