package io.headgate.testbed.scenario.cli;

import java.util.ArrayList;
import java.util.List;

/** The program as a process of its own, with the classes and the Java of the tests. */
final class OwnProgram {
    private OwnProgram() {}

    /** {@code headgate reproduce} with these arguments. */
    static List<String> reproduce(List<String> arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                ProcessHandle.current().info().command().orElseThrow(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "--add-exports",
                                "java.base/jdk.internal.misc=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "io.headgate.control.cli.Headgate",
                                "reproduce"));
        command.addAll(arguments);
        return command;
    }
}
