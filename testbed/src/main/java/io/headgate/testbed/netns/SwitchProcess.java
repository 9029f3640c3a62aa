package io.headgate.testbed.netns;

import io.headgate.control.cli.Headgate;
import io.headgate.control.daemon.RunDirectory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How {@code headgate switch run} is started as a process of its own, from within ours. */
final class SwitchProcess {
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

    private SwitchProcess() {}

    /**
     * The command.
     *
     * @param config the switch's configuration file
     * @param runDirectory where it is to be found while it runs
     */
    static List<String> command(Path config, Path runDirectory, boolean warmUp) {
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
