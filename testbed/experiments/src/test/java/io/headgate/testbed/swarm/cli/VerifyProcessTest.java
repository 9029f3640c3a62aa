package io.headgate.testbed.swarm.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.cli.OwnProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The swarm as a process of its own, which gets a signal to end. */
@Timeout(300)
final class VerifyProcessTest {
    private static final int ON_SIGINT = 130;

    @TempDir private Path directory;

    private static boolean examines(Process process) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", process.pid() + "", "task"))) {
            return threads.anyMatch(thread -> name(thread).equals("headgate-swarm-"));
        }
    }

    /** The name of a thread, of which the kernel keeps 15 characters; "" if it has ended. */
    private static String name(Path thread) {
        try {
            return Files.readString(thread.resolve("comm")).strip();
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void onASignalItWaitsForTheSeedsThatRunAndSaysWhatWasExaminedAndWhatIsLeft() throws Exception {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        // As in a terminal, also where this was started by a shell that ignores Control-C.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.addAll(OwnProgram.command("verify", "--seeds", "1..100000", "--jobs", "2"));
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
        try {
            while (!examines(process)) {
                assertThat(process.isAlive()).as(Files.readString(err, UTF_8)).isTrue();
                Thread.sleep(20);
            }
            new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
            assertThat(process.waitFor()).isEqualTo(ON_SIGINT);
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(err).content().contains("headgate: ended early; waiting for the running seeds…");
        assertThat(out)
                .content()
                .containsPattern("(?m)^[0-9]+ of 100000 seeds examined in .*, 0 failed$")
                .containsPattern("Remaining seeds: headgate verify --seeds [0-9]+\\.\\.100000\n$");
    }
}
