package io.headgate.perf.forwarding;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.config.Reason;
import io.headgate.control.cli.bench.BenchException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs programs of the system. */
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
        return run(List.of(command));
    }

    static String run(List<String> command) throws BenchException {
        return run(command, Redirect.PIPE, TIMEOUT_SECONDS);
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
        return run(command, Redirect.to(log.toFile()), timeoutSeconds);
    }

    private static String run(List<String> command, Redirect to, long timeoutSeconds)
            throws BenchException {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(to)
                            .redirectInput(Path.of("/dev/null").toFile())
                            .start();
            try {
                // All that comes of a pipe, and nothing of a file.
                String output = new String(process.getInputStream().readAllBytes(), UTF_8);
                if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
                    throw new BenchException(
                            "'" + shown(command) + "' takes longer than " + timeoutSeconds + " s");
                }
                output = to.file() == null ? output : Files.readString(to.file().toPath());
                if (process.exitValue() != 0) {
                    throw new BenchException(
                            "'" + shown(command) + "' failed: " + lastLines(output));
                }
                return output;
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException failure) {
            throw new BenchException(
                    "cannot run '" + shown(command) + "': " + Reason.of(failure), failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", interrupted);
        }
    }

    /** What a program said last, in one line. */
    static String lastLines(String output) {
        List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
        return String.join(" | ", lines.subList(Math.max(0, lines.size() - 4), lines.size()));
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
