package io.headgate.testbed.submit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A directory for services and for what tests start; all of it is ended by its pid. */
final class Scratch implements AutoCloseable {
    private static final long END_WITHIN_S = 15;

    /** In the environment of all that is started here, and of all that these start. */
    private static final String MARK = "HEADGATE_TEST_SCRATCH";

    private final Path directory;
    private final Map<String, String> environment = new HashMap<>();
    private final List<Process> started = new ArrayList<>();

    Scratch(Path directory) throws IOException {
        this.directory = directory;
        environment.put("HEADGATE_NO_BUILD", "1");
        environment.put(MARK, directory.toString());
        // Services look whether others could have put something into their place.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    Path path(String name) {
        return directory.resolve(name);
    }

    Path directory(String name) throws IOException {
        return Files.createDirectories(path(name));
    }

    Path write(String name, String text) throws IOException {
        return Files.writeString(path(name), text);
    }

    void set(String variable, String value) {
        environment.put(variable, value);
    }

    /** The launcher; the build that these tests are part of has made what it runs. */
    static String launcher() {
        return Path.of("../headgate").toAbsolutePath().normalize().toString();
    }

    /** Starts a program; what it says goes into a file of that name. */
    Process start(String log, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(path(log).toFile());
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().putAll(environment);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    /** Runs a program to its end, for what it says. */
    String run(String... command) throws IOException, InterruptedException {
        Process process = start("run.out", command);
        process.waitFor(END_WITHIN_S, TimeUnit.SECONDS);
        String text = Files.readString(path("run.out"));
        if (process.isAlive() || process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + text);
        }
        return text;
    }

    /** Waits until something is so. */
    static void await(String what, Duration atMost, Callable<Boolean> so) throws Exception {
        long endNs = System.nanoTime() + atMost.toNanos();
        while (!so.call()) {
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError("still not so: " + what);
            }
            Thread.sleep(50);
        }
    }

    String said(String log) throws IOException {
        return Files.readString(path(log), StandardCharsets.UTF_8);
    }

    /** A process of this environment whose command and variables hold these texts; null if none. */
    static @Nullable ProcessHandle find(List<String> inCommand, List<String> inEnvironment) {
        return ProcessHandle.allProcesses()
                .filter(process ->
                        holds(process, "cmdline", inCommand)
                                && holds(process, "environ", inEnvironment))
                .findAny()
                .orElse(null);
    }

    private static boolean holds(ProcessHandle process, String file, List<String> texts) {
        try {
            Path path = Path.of("/proc", Long.toString(process.pid()), file);
            String all = "\0" + Files.readString(path, StandardCharsets.ISO_8859_1);
            return texts.stream().allMatch(text -> all.contains("\0" + text + "\0"));
        } catch (IOException gone) {
            return false;
        }
    }

    static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(END_WITHIN_S, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Stops a process, to be looked at while nothing of it changes; it is killed as it is then. */
    static void hold(ProcessHandle process) throws IOException, InterruptedException {
        signal(process, "STOP");
        Path state = Path.of("/proc", Long.toString(process.pid()), "stat");
        while (process.isAlive() && !Files.readString(state).contains(") T ")) {
            Thread.sleep(1);
        }
    }

    static void signal(ProcessHandle process, String name)
            throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    }

    /** Ends also what services have started, and would outlive them. */
    @Override
    public void close() {
        // Services first, which would start others; sshd writes over the mark in its environment.
        started.stream().filter(Process::isAlive).toList().reversed().forEach(Scratch::end);
        String mark = MARK + "=" + directory;
        for (ProcessHandle task = find(List.of(), List.of(mark));
                task != null;
                task = find(List.of(), List.of(mark))) {
            task.destroyForcibly();
        }
    }
}
