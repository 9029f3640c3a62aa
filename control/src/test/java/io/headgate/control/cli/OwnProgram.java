package io.headgate.control.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program as a process of its own, with the classes and the Java of the tests. */
public final class OwnProgram {
    private static final List<String> CLASSES = classes(System.getProperty("java.class.path"));

    private OwnProgram() {}

    /** Each process is there a second of processor sooner by the jars, unless they are stale. */
    private static List<String> classes(String classPath) {
        List<String> built = BuiltProgram.options(classPath);
        return built.isEmpty() ? List.of("-cp", classPath) : built;
    }

    /** The JVM's options that say where the classes are. */
    static List<String> classes() {
        return CLASSES;
    }

    /** The JVM's options for a copy of the jars and of the archive, if there is one. */
    public static List<String> classes(Path lib, Path archive) {
        return BuiltProgram.options(lib, archive);
    }

    /** {@code headgate} with these arguments. */
    public static List<String> command(String... arguments) {
        return command(List.of(), arguments);
    }

    /**
     * {@code headgate} with these arguments.
     *
     * @param further options of the JVM in addition to those that all have
     */
    public static List<String> command(List<String> further, String... arguments) {
        return command(further, CLASSES, arguments);
    }

    /**
     * {@code headgate} with these arguments.
     *
     * @param further options of the JVM in addition to those that all have
     * @param classes those that say where the classes are
     */
    public static List<String> command(
            List<String> further, List<String> classes, String... arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:+UseCompactObjectHeaders",
                                // None runs long enough for the optimising compiler, or for larger
                                // methods within their callers, to pay.
                                "-XX:TieredStopAtLevel=1",
                                "-XX:C1MaxInlineSize=12",
                                "-Xmx512m",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-Djdk.reflect.useNativeAccessorOnly=true",
                                "--add-exports",
                                "java.base/jdk.internal.misc=ALL-UNNAMED"));
        command.addAll(further);
        command.addAll(classes);
        command.add(Headgate.class.getName());
        command.addAll(List.of(arguments));
        return command;
    }
}
