package io.headgate.perf.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.cli.Headgate;
import io.headgate.perf.forwarding.OwnJvm;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A benchmark as a process of its own, ended by a signal. */
@Timeout(120)
class BenchEndTest {
    private static final int ON_SIGINT = 130;

    @TempDir private Path directory;

    @Test
    void aReportThatCannotBeWrittenIsToldBeforeAnythingIsMeasured() throws Exception {
        Path report = Files.writeString(directory.resolve("file"), "").resolve("report");
        List<String> java =
                OwnJvm.command(
                        List.of("-Djmh.ignoreLock=true", "-XX:TieredStopAtLevel=1"),
                        Headgate.class,
                        List.of("bench", "engine", "--report", report.toString()));
        Process bench = new ProcessBuilder(java).start();
        try (BufferedReader said = bench.errorReader(UTF_8)) {
            assertThat(said.lines())
                    .containsExactly(
                            "headgate bench: cannot make the directory "
                                    + report
                                    + ": Not a directory");
            assertThat(bench.waitFor()).isEqualTo(1);
        } finally {
            bench.destroyForcibly().waitFor();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "bench engine --memory hot, Warmup Iteration   1",
        // From the second run on the first one's files are there.
        "bench virtual --network incast --ns3 none --rounds 1000 --length 0.01, round 1 of 1000"
    })
    void onControlCItSaysOneSentenceAndLeavesNoProgramAndNoFile(String command, String shows)
            throws Exception {
        // As in a terminal, also where this was started by a shell that ignores Control-C.
        List<String> java = new ArrayList<>(List.of("env", "--default-signal=INT"));
        java.addAll(
                OwnJvm.command(
                        List.of(
                                "-Djava.io.tmpdir=" + directory,
                                "-Djmh.ignoreLock=true",
                                "-XX:TieredStopAtLevel=1"),
                        Headgate.class,
                        List.of(command.split(" "))));
        Process bench = new ProcessBuilder(java).start();
        try (BufferedReader said = bench.errorReader(UTF_8)) {
            for (String line = said.readLine(); !line.contains(shows); line = said.readLine()) {
                assertThat(line).isNotNull();
            }
            List<ProcessHandle> children = bench.descendants().toList();
            new ProcessBuilder("kill", "-INT", Long.toString(bench.pid())).start().waitFor();

            List<String> last = said.lines().toList();
            assertThat(last.stream().filter(line -> line.startsWith("headgate")))
                    .containsExactly(
                            "headgate: ended early: there is no report; removing the network…");
            assertThat(last.getLast()).startsWith("headgate: ended early");
            assertThat(bench.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(bench.exitValue()).isEqualTo(ON_SIGINT);
            assertThat(bench.inputReader(UTF_8).lines()).isEmpty();
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            try (Stream<Path> left = Files.list(directory)) {
                assertThat(left.map(Path::getFileName).map(Path::toString))
                        .allMatch("jmh.lock"::equals); // JMH's own, of no process
            }
        } finally {
            bench.descendants().forEach(ProcessHandle::destroyForcibly);
            bench.destroyForcibly().waitFor();
        }
    }
}
