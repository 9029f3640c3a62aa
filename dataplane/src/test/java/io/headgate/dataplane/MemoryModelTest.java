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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jcstress.annotations.JCStressTest;

/**
 * Runs what threads share, two calls at a time and millions of times, in processes of its own
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
     * nothing. All else, which is the start of a process for each of the tests, waits for C2 as it
     * does everywhere.
     */
    private static final String JVM_OPTIONS =
            "--enable-native-access=ALL-UNNAMED"
                    + " --add-exports java.base/jdk.internal.misc=ALL-UNNAMED"
                    + " -XX:+UseSerialGC -XX:+UseCompactObjectHeaders"
                    + " -XX:CompileCommand=quiet"
                    + " -XX:CompileCommand=CompileThresholdScaling,io.headgate*::*,0.02"
                    + " -XX:+UnlockDiagnosticVMOptions -XX:+StressLCM -XX:+StressGCM";

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

    private void stress(int forks, int millis, int mostMinutes)
            throws IOException, InterruptedException {
        String classPath = generateRunners() + File.pathSeparator + classPath();
        Path output = directory.resolve("output");
        Process process =
                new ProcessBuilder(
                                java(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Djava.io.tmpdir=" + directory,
                                "-Djna.tmpdir=" + directory,
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                classPath,
                                "org.openjdk.jcstress.Main",
                                "-f",
                                Integer.toString(forks),
                                "-fsm",
                                "1",
                                "-iters",
                                "1",
                                "-time",
                                Integer.toString(millis),
                                "-sc",
                                "false",
                                "-af",
                                "NONE",
                                "-strideSize",
                                "256",
                                "-strideCount",
                                "20",
                                "-hs",
                                "256",
                                "-jvmArgs",
                                JVM_OPTIONS)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(mostMinutes, TimeUnit.MINUTES))
                    .as("jcstress ends within %d minutes", mostMinutes)
                    .isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        int runs = tests() * forks;
        assertThat(Files.readString(output))
                .contains(
                        "Results: %d planned; %d passed, 0 failed, 0 soft errs, 0 hard errs"
                                .formatted(runs, runs));
        assertThat(process.exitValue()).isZero();
    }

    private static int tests() {
        return (int)
                STRESSED.stream()
                        .flatMap(stressed -> Arrays.stream(stressed.getDeclaredClasses()))
                        .filter(test -> test.isAnnotationPresent(JCStressTest.class))
                        .count();
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
