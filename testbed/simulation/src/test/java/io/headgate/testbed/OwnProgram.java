package io.headgate.testbed;

import java.util.ArrayList;
import java.util.List;

/** The program as a process of its own, with the classes and the Java of the tests. */
public final class OwnProgram {
    private static final String OWN_CLASS_PATH = System.getProperty("java.class.path");

    /** Each process is there a second of processor sooner by these; none if they are stale. */
    private static final List<String> BUILT = BuiltProgram.options(OWN_CLASS_PATH);

    private OwnProgram() {}

    /** {@code headgate} with these arguments. */
    public static List<String> command(String... arguments) {
        return command(List.of(), OWN_CLASS_PATH, List.of(arguments));
    }

    /**
     * {@code headgate} with these arguments.
     *
     * @param further options of the JVM in addition to those that all have
     * @param classPath with the classes of the tests, from any directory
     */
    public static List<String> command(
            List<String> further, String classPath, List<String> arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                ProcessHandle.current().info().command().orElseThrow(),
                                "-XX:+UseSerialGC",
                                "-XX:+UseCompactObjectHeaders",
                                // None runs for as long as the optimising compiler wants to pay.
                                "-XX:TieredStopAtLevel=1",
                                "-Xmx512m",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "--add-exports",
                                "java.base/jdk.internal.misc=ALL-UNNAMED"));
        command.addAll(further);
        boolean isBuilt = classPath.equals(OWN_CLASS_PATH) && !BUILT.isEmpty();
        command.addAll(isBuilt ? BUILT : List.of("-cp", classPath));
        command.add("io.headgate.control.cli.Headgate");
        command.addAll(arguments);
        return command;
    }
}
