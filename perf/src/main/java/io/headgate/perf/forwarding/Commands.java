package io.headgate.perf.forwarding;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.config.Reason;
import io.headgate.control.cli.bench.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Programs of the system. */
public final class Commands {
    private static final long TIMEOUT_SECONDS = 20;
    private static final int MOST_SHOWN = 200;
    private static final List<String> DIRECTORIES =
            List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin");

    private Commands() {}

    /** Where a program is, if it is installed. */
    public static Optional<Path> find(String program) {
        return DIRECTORIES.stream()
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The version of a Debian package, or {@code unknown}. */
    public static String packageVersion(String name) {
        try {
            return name + " " + run("dpkg-query", "-W", "-f", "${Version}", name).strip();
        } catch (BenchException noDebian) {
            return name + " of unknown version";
        }
    }

    /**
     * Runs a command; answers what it printed.
     *
     * @throws BenchException if it cannot be started, fails, or takes longer than 20 s
     */
    public static String run(String... command) throws BenchException {
        String line = String.join(" ", command);
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new BenchException("'" + line + "' takes longer than 20 s");
            }
            if (process.exitValue() != 0) {
                throw new BenchException("'" + line + "' failed: " + output.strip());
            }
            return output;
        } catch (IOException failure) {
            throw new BenchException("cannot run '" + line + "': " + Reason.of(failure), failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", interrupted);
        }
    }

    static String run(List<String> command) throws BenchException {
        return run(command.toArray(String[]::new));
    }

    /** The words of a line, none of which has spaces in it. */
    public static List<String> words(String line) {
        return List.of(line.split(" "));
    }

    /**
     * Runs a command that takes a while; answers what it printed.
     *
     * @param log where its output goes as it comes
     * @throws BenchException if it cannot be started, fails, or takes too long
     */
    public static String run(List<String> command, Path log, long timeoutSeconds)
            throws BenchException {
        String name = command.getFirst();
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .redirectInput(Path.of("/dev/null").toFile())
                            .start();
            try {
                if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
                    throw new BenchException(
                            "'" + shown(command) + "' takes longer than " + timeoutSeconds + " s");
                }
            } finally {
                process.destroyForcibly();
            }
            String output = Files.readString(log);
            if (process.exitValue() != 0) {
                List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
                throw new BenchException(
                        "'"
                                + shown(command)
                                + "' failed: "
                                + String.join(
                                        " | ",
                                        lines.subList(
                                                Math.max(0, lines.size() - 4), lines.size())));
            }
            return output;
        } catch (IOException failure) {
            throw new BenchException("cannot run '" + name + "': " + Reason.of(failure), failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", interrupted);
        }
    }

    /** A class path alone may have thousands of characters. */
    private static String shown(List<String> command) {
        String line = String.join(" ", command);
        return line.length() <= MOST_SHOWN ? line : line.substring(0, MOST_SHOWN) + "…";
    }

    /** A command inside a network namespace, free to use these cores. */
    static List<String> inside(String netns, String cores, List<String> command) {
        List<String> words =
                new ArrayList<>(List.of("ip", "netns", "exec", netns, "taskset", "-c", cores));
        words.addAll(command);
        return words;
    }

    static void pause(long milliseconds) throws BenchException {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", interrupted);
        }
    }
}
