package io.headgate.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.capture.CaptureRingStress;
import io.headgate.dataplane.credit.CreditRegisterStress;
import io.headgate.dataplane.device.ByteRingStress;
import io.headgate.dataplane.engine.OrdersStress;
import io.headgate.dataplane.forwarding.ForwardingDatabaseStress;
import io.headgate.dataplane.forwarding.NeighbourTableStress;
import io.headgate.dataplane.memory.sync.PortBoardStress;
import io.headgate.dataplane.memory.sync.WordRingStress;
import io.headgate.dataplane.pause.PauseRegisterStress;
import io.headgate.dataplane.runner.WakeUpStress;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;

/**
 * Runs what threads share, two calls at a time and millions of times, in a process of its own
 * (jcstress): what a compiler or a processor reorders shows as a combination of answers that is
 * forbidden. On x86 these are what HotSpot's compilers move and a store that a later load
 * overtakes; the rest of what release and acquire are for, other processors would show. For the
 * order of steps see {@link Interleavings}.
 *
 * <p>jcstress makes its runners from the annotations of the classes below. That is done here and
 * not in the build, where the generated source would have to please every check that ours does.
 */
public final class MemoryModelTest {
    /**
     * How often one of two threads tries before it gives up, so that it sees what the other does
     * when it has just been done.
     */
    public static final int TRIES = 32;

    private static final List<Class<?>> STRESSED =
            List.of(
                    ByteRingStress.class,
                    CaptureRingStress.class,
                    CreditRegisterStress.class,
                    ForwardingDatabaseStress.class,
                    OrdersStress.class,
                    PortBoardStress.class,
                    WordRingStress.class,
                    NeighbourTableStress.class,
                    PauseRegisterStress.class,
                    WakeUpStress.class);

    /**
     * What is stressed is compiled by C2 after some hundred calls, with its choices of order made
     * at random: otherwise most of so short a run would be the interpreter's, which reorders
     * nothing. All else waits for C2 as it does everywhere. What jcstress pads against false
     * sharing is padded.
     */
    private static final List<String> JVM_OPTIONS =
            List.of(
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "--add-exports",
                    "java.base/jdk.internal.misc=ALL-UNNAMED",
                    "-XX:+UseSerialGC",
                    "-XX:+UseCompactObjectHeaders",
                    "-Xmx512m",
                    "-XX:CompileCommand=quiet",
                    "-XX:CompileCommand=CompileThresholdScaling,io.headgate*::*,0.02",
                    "-XX:+UnlockDiagnosticVMOptions",
                    "-XX:-RestrictContended",
                    "-XX:+StressLCM",
                    "-XX:+StressGCM");

    /** As jcstress's own: what is stressed is inlined into its loop, which is compiled alone. */
    private static final String DIRECTIVES =
            """
            [
              {match: ["org.openjdk.jcstress.infra.runners.VoidThread::*",
                       "org.openjdk.jcstress.infra.runners.LongThread::*",
                       "org.openjdk.jcstress.infra.runners.CounterThread::*"],
               inline: "-*::*"},
              {match: ["*::jcstress_iteration_*", "*::jcstress_sanityCheck_*"],
               inline: ["-*::jcstress_stride_*", "-*::jcstress_check_*",
                        "+*::jcstress_consume_*", "-*::jcstress_ni_consume_*",
                        "+org.openjdk.jcstress.infra.runners.WorkerSync::*",
                        "+java.util.concurrent.atomic.*::*"],
               BackgroundCompilation: false},
              {match: "org.openjdk.jcstress.infra.runners.WorkerSync::*",
               inline: "+*::*", BackgroundCompilation: false},
              {match: ["*::jcstress_stride_*", "*::jcstress_check_*"],
               inline: ["+*::jcstress_consume_*", "-*::jcstress_ni_consume_*", ACTORS],
               BackgroundCompilation: false}
            ]
            """;

    @TempDir Path directory;

    @Test
    void nothingForbiddenIsSeenInAShortRun() throws IOException, InterruptedException {
        stress(1, 150, 10);
    }

    @Test
    @Tag("long")
    void nothingForbiddenIsSeenInALongRun() throws IOException, InterruptedException {
        stress(10, 2_000, 60);
    }

    private void stress(int processes, int millis, int mostMinutes)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(JVM_OPTIONS);
        command.add("-XX:CompilerDirectivesFile=" + directives());
        command.add("-Djava.io.tmpdir=" + directory);
        String classPath = generateRunners() + File.pathSeparator + classPath();
        command.addAll(List.of("-cp", classPath, StressRuns.class.getName(), millis + ""));
        Path output = directory.resolve("output");
        for (int i = 0; i < processes; i++) {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .start();
            try {
                assertThat(process.waitFor(mostMinutes, TimeUnit.MINUTES))
                        .as("ends within %d minutes", mostMinutes)
                        .isTrue();
            } finally {
                process.destroyForcibly().waitFor();
            }
            assertThat(Files.readString(output))
                    .endsWith("%n%d passed, 0 failed%n".formatted(tests().size()));
            assertThat(process.exitValue()).isZero();
        }
    }

    private static List<Class<?>> tests() {
        return STRESSED.stream()
                .<Class<?>>flatMap(stressed -> Arrays.stream(stressed.getDeclaredClasses()))
                .filter(test -> test.isAnnotationPresent(JCStressTest.class))
                .toList();
    }

    private Path directives() throws IOException {
        String inlined =
                tests().stream()
                        .flatMap(test -> Arrays.stream(test.getDeclaredMethods()))
                        .filter(method -> method.isAnnotationPresent(Actor.class))
                        .map(actor ->
                                "\"+%s::%s\""
                                        .formatted(
                                                actor.getDeclaringClass().getName(),
                                                actor.getName()))
                        .collect(Collectors.joining(", "));
        return Files.writeString(
                directory.resolve("directives"), DIRECTIVES.replace("ACTORS", inlined));
    }

    private Path generateRunners() throws IOException {
        Path runners = Files.createDirectory(directory.resolve("runners"));
        List<String> options =
                List.of(
                        "-processor",
                        "org.openjdk.jcstress.infra.processors.JCStressTestProcessor",
                        "-nowarn",
                        "-cp",
                        classPath(),
                        "-d",
                        runners.toString());
        List<String> names = STRESSED.stream().map(Class::getName).toList();
        StringWriter messages = new StringWriter();
        boolean made =
                ToolProvider.getSystemJavaCompiler()
                        .getTask(messages, null, null, options, names, null)
                        .call();
        assertThat(made).as(messages.toString()).isTrue();
        return runners;
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
