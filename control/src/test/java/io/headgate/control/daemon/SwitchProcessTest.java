package io.headgate.control.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.control.TestConfigs;
import io.headgate.control.cli.OwnProgram;
import io.headgate.control.run.SwitchOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A switch as a process of its own, and the signals that people send it. */
@Timeout(120)
class SwitchProcessTest {
    private static final int ON_SIGTERM = 143;
    private static final String YAML =
            "name: s1\nports: [{name: p1, device: {memory: m}}, {name: p2, device: {memory: m}}]\n";

    @TempDir private Path directory;
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endThem() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    private Process start(String yaml, String... options) throws IOException {
        return start(List.of(), yaml, options);
    }

    private Process start(List<String> ofJvm, String yaml, String... options) throws IOException {
        Files.writeString(file(), yaml);
        // A JVM that is started where hang-ups are ignored (nohup) goes on ignoring them.
        List<String> words = new ArrayList<>(List.of("env", "--default-signal=HUP"));
        words.addAll(OwnProgram.command(ofJvm, "switch", "run", "-c", file().toString()));
        words.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("HEADGATE_RUN_DIR", runDirectory().toString());
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private Path file() {
        return directory.resolve("s1.yaml");
    }

    private Path runDirectory() {
        return directory.resolve("run");
    }

    private Path switchDirectory() {
        return runDirectory().resolve("switches").resolve("s1");
    }

    /** The first line that holds a text; fails if the output ends before. */
    private static String awaitLine(BufferedReader said, String text) throws IOException {
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.contains(text)) {
                return line;
            }
        }
        throw new AssertionError("it ended without '" + text + "'");
    }

    private static void hangUp(Process process) throws Exception {
        new ProcessBuilder("kill", "-HUP", Long.toString(process.pid())).start().waitFor();
    }

    @Test
    @Timeout(60)
    void aHangUpHasItReadItsFileAgainAllOfItOrNothing() throws Exception {
        Process process = start(YAML, "--no-warm-up");
        try (BufferedReader said = process.inputReader(UTF_8)) {
            awaitLine(said, "running as process");

            Files.writeString(file(), YAML.replace("m}}]", "m}, rate: 2Gbps}]"));
            hangUp(process);
            assertThat(awaitLine(said, "read again")).endsWith("read again, 1 key changed");
            assertThat(said.readLine()).isEqualTo("  p2.rate: 1Gbps -> 2Gbps");

            Files.writeString(file(), YAML.replace("m}}]", "m}, rate: fast}]"));
            hangUp(process);
            assertThat(awaitLine(said, "read again"))
                    .contains("nothing changed", "s1.yaml:2:", "found \"fast\"");
            assertThat(process.isAlive()).isTrue();
        }
    }

    @Test
    void onesThatStartAndStopTakeNothingFromOthersAndATermThatWasObeyedIsNoFailure()
            throws Exception {
        Path base = runDirectory().resolve("switches");
        try (SwitchDaemon _ = daemon("a1", base);
                SwitchDaemon _ = daemon("a2", base)) {
            Process process = start(YAML, "--no-warm-up");
            try (BufferedReader said = process.inputReader(UTF_8)) {
                awaitLine(said, "running as process");
                assertThat(SwitchClient.running(List.of(base)))
                        .extracting(SwitchClient.Running::name)
                        .containsExactly("a1", "a2", "s1");
                process.toHandle().destroy();
                awaitLine(said, "s1: stopped, nothing left behind");
            }
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(SwitchClient.running(List.of(base)))
                    .extracting(SwitchClient.Running::name)
                    .containsExactly("a1", "a2");
            for (String name : List.of("a1", "a2")) {
                try (SwitchClient client = SwitchClient.connect(base, name)) {
                    assertThat(client.ask("ports", Map.of()).size()).isEqualTo(2);
                }
                assertThatThrownBy(() -> daemon(name, base))
                        .hasMessageContaining("a switch named " + name + " already runs");
            }
            assertThat(RunDirectory.leftOvers(base, false)).isEmpty();
        }
    }

    private static SwitchDaemon daemon(String name, Path base) throws Exception {
        return SwitchDaemon.start(
                TestConfigs.memory(name, "a", "b"),
                base,
                new SwitchOptions(false, true, null, line -> {}));
    }

    @Test
    @Timeout(60)
    void anAddressFamilyThatIsOffIsToldInWords() throws Exception {
        List<String> withoutIpv6 = List.of("-Djava.net.preferIPv4Stack=true");
        Process process = start(withoutIpv6, YAML, "--no-warm-up", "--metrics", "[::1]:9400");
        try (BufferedReader said = process.inputReader(UTF_8)) {
            assertThat(awaitLine(said, "cannot serve metrics"))
                    .contains("addresses of this family cannot be used here; IPv6 may be");
        }
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isNotZero();
    }

    @Test
    void toldToEndDuringItsWarmUpItLeavesNothing() throws Exception {
        // With the optimising compiler it lasts long enough for a busy machine.
        Process process = start(List.of("-XX:TieredStopAtLevel=4"), YAML);
        while (Files.notExists(switchDirectory().resolve("pid"))) {
            assertThat(process.isAlive()).isTrue();
            Thread.sleep(1);
        }
        process.toHandle().destroy();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(ON_SIGTERM);
        assertThat(said).doesNotContain("running as process", "Exception");
        assertThat(switchDirectory()).doesNotExist();
    }
}
