package io.headgate.testbed.scenario.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.control.cli.OwnProgram;
import io.headgate.testbed.scenario.report.ResultDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A run as a process of its own, which others may end. */
@Timeout(600)
class ReproduceProcessTest {
    @TempDir private Path out;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endThem() throws Exception {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    /** Starts a run of minutes, and waits until it has come to its first frames. */
    private Process start() throws Exception {
        Process process =
                new ProcessBuilder(
                                OwnProgram.command(
                                        "reproduce",
                                        "incast",
                                        "--set",
                                        "duration=1s",
                                        "--set",
                                        "senders=100",
                                        "--trace",
                                        "--out",
                                        out.toString()))
                        .redirectErrorStream(true)
                        .start();
        started.add(process);
        while (files().noneMatch(file -> file.endsWith("run-0000-virtual.hgtrace"))) {
            assertThat(process.isAlive()).isTrue();
            Thread.sleep(20);
        }
        return process;
    }

    private Stream<Path> files() throws IOException {
        try (Stream<Path> found = Files.walk(out)) {
            return found.filter(Files::isRegularFile).toList().stream();
        }
    }

    private static int reproduce(Object... arguments) {
        return new CommandLine(new ReproduceCommand())
                .execute(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
    }

    @Test
    void aRunThatIsEndedOrKilledLeavesTheEarlierResultAndIsInNobodysWay() throws Exception {
        assertThat(reproduce("incast", "--set", "duration=100us", "--out", out)).isZero();
        Path json = out.resolve("result.json");
        String earlier = Files.readString(json);
        List<Path> before = files().toList();

        Process ended = start();
        assertThat(json).hasContent(earlier);
        assertThatThrownBy(() -> ResultDirectory.open(out))
                .hasMessageStartingWith(
                        "another run is writing its result into "
                                + out
                                + " (process "
                                + ended.pid()
                                + ", since ");
        ended.toHandle().destroy();
        String said = new String(ended.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said)
                .contains("There is a result in " + out + ".")
                .contains("ended early; no result is written, and the one in " + out + " stays.");
        assertThat(files()).containsExactlyElementsOf(before);

        Process killed = start();
        killed.destroyForcibly().waitFor();
        assertThat(files()).containsAll(before).hasSizeGreaterThan(before.size());
        assertThat(json).hasContent(earlier);
        assertThat(reproduce("incast", "--set", "duration=200us", "--out", out)).isZero();
        assertThat(files()).containsExactlyInAnyOrderElementsOf(before);
        assertThat(Files.readString(json)).contains("200us").isNotEqualTo(earlier);
    }
}
