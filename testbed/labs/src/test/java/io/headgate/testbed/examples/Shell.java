package io.headgate.testbed.examples;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Runs scripts that call this build's launcher ({@code $HEADGATE}) and JDK ({@code $JAVA_HOME}).
 */
final class Shell {
    private Shell() {}

    /** How a script ended, and all that it said. */
    record Ended(int code, String said) {}

    static Ended bash(Path directory, String script, String... arguments)
            throws IOException, InterruptedException {
        Process process = process(directory, script, arguments);
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), said);
    }

    /** Begins one; what it says, also of errors, is its output. */
    static Process process(Path directory, String script, String... arguments) throws IOException {
        List<String> command =
                Stream.concat(Stream.of("bash", "-euc", script, "bash"), Stream.of(arguments))
                        .toList();
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment()
                .putAll(
                        Map.of(
                                "HEADGATE_NO_BUILD",
                                "1",
                                "JAVA_HOME",
                                System.getProperty("java.home"),
                                "HEADGATE",
                                Path.of("../headgate").toAbsolutePath().normalize().toString()));
        return builder.start();
    }
}
