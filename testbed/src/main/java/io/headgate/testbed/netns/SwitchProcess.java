package io.headgate.testbed.netns;

import io.headgate.config.Reason;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.cli.Headgate;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A switch as a process of its own: {@code headgate switch run}, started from within ours. */
final class SwitchProcess {
    private static final long READY_NS = 60_000_000_000L;
    private static final long POLL_NS = 20_000_000;

    /** Options of our own JVM that a child must not have: heap, debuggers, archives, logs. */
    private static final List<String> NOT_INHERITED =
            List.of(
                    "-Xm",
                    "-Xlog",
                    "-XX:AOT",
                    "-XX:TieredStopAtLevel",
                    "-agent",
                    "-javaagent",
                    "-D");

    private final String name;
    private final Programs.Running process;
    private final Path runDirectory;

    private SwitchProcess(String name, Programs.Running process, Path runDirectory) {
        this.name = name;
        this.process = process;
        this.runDirectory = runDirectory;
    }

    /**
     * Starts one, which ends with the programs.
     *
     * @param scratch where its configuration is written
     * @param runDirectory where it is to be found while it runs
     * @param warmUp whether it runs itself warm before it begins
     */
    static SwitchProcess start(
            SwitchConfig config, Programs programs, Path scratch, Path runDirectory, boolean warmUp)
            throws BedException {
        Path file = scratch.resolve(config.name() + ".yaml");
        try {
            Files.writeString(file, SwitchConfigs.toYaml(config));
        } catch (IOException e) {
            throw new BedException("cannot write " + file + ": " + Reason.of(e), e);
        }
        Programs.Running process = programs.start(null, command(file, runDirectory, warmUp));
        return new SwitchProcess(config.name(), process, runDirectory);
    }

    /** Waits until it takes requests, a minute at most. */
    void awaitReady() throws BedException {
        long endNs = System.nanoTime() + READY_NS;
        while (!SwitchClient.running(base(runDirectory)).contains(name)) {
            if (!process.isAlive()) {
                throw new BedException(
                        "switch " + name + " did not start: " + process.await(0).lastLine());
            }
            if (System.nanoTime() - endNs > 0) {
                throw new BedException("switch " + name + " is not ready after 60 s");
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    /**
     * A connection to one that runs.
     *
     * @throws BedException if it cannot be reached
     */
    static SwitchClient connect(Path runDirectory, String name) throws BedException {
        try {
            return SwitchClient.connect(base(runDirectory), name);
        } catch (DaemonException e) {
            throw new BedException(e);
        }
    }

    private static Path base(Path directory) {
        return directory.resolve("switches");
    }

    private static List<String> command(Path config, Path runDirectory, boolean warmUp) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (NOT_INHERITED.stream().noneMatch(option::startsWith)) {
                command.add(option);
            }
        }
        command.addAll(
                List.of("-Xms64m", "-Xmx512m", "-D" + RunDirectory.PROPERTY + "=" + runDirectory));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Headgate.class.getName(), "switch", "run"));
        command.addAll(List.of("-c", config.toString()));
        if (!warmUp) {
            command.add("--no-warm-up");
        }
        return command;
    }

    /** Removes a directory with what killed switches left in it. */
    static void removeTree(Path directory) {
        try {
            Files.walkFileTree(
                    directory,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                                throws IOException {
                            Files.delete(file);
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(
                                Path visited, @Nullable IOException e) throws IOException {
                            Files.delete(visited);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            // A few files in the directory for temporary ones.
            return;
        }
    }
}
