package io.headgate.perf.forwarding;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command that starts a program of ours in a JVM of its own, with the options of this one
 * except for the heap.
 */
public final class OwnJvm {
    private static final List<String> NOT_INHERITED =
            List.of(
                    "-Xm",
                    "-Xlog",
                    "-XX:AOT",
                    "-XX:TieredStopAtLevel",
                    "-agent",
                    "-javaagent",
                    "-ea");

    private OwnJvm() {}

    /**
     * The command.
     *
     * @param options of the JVM in addition to our own, such as its heap
     */
    public static List<String> command(
            List<String> options, Class<?> main, List<String> arguments) {
        return command(options, System.getProperty("java.class.path"), main, arguments);
    }

    static List<String> command(
            List<String> options, String classPath, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (NOT_INHERITED.stream().noneMatch(option::startsWith)) {
                command.add(option);
            }
        }
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(arguments);
        return command;
    }
}
