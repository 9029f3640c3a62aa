package io.headgate.testbed.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every lab, and the bed of namespaces, by users without an entry in passwd who may write only
 * their results: each in its shortest form, by the launcher, which makes their namespaces. Whether
 * it passes is the other tests' matter: without real-time priority much depends on what else runs.
 */
@Tag("netns")
@Tag("programs")
@Timeout(600)
final class OrdinaryUserTest {
    private static final int FIRST_UID = 61_000;
    private static final int SECOND_UID = 61_001;

    @TempDir private static Path directory;

    private static Installed installed;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    @BeforeAll
    static void install() throws IOException {
        installed = Installed.withArchive(directory);
    }

    private static Path results() throws IOException {
        return Files.createDirectory(directory.resolve("results-" + NUMBER.incrementAndGet()));
    }

    private static String run(ProcessBuilder builder) throws Exception {
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return said;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void requireVerdict(String said) {
        List<String> lines = said.strip().lines().toList();
        if (!said.contains(": this machine has too much else to do")) {
            assertThat(
                            lines.stream()
                                    .filter(line ->
                                            line.matches("(PASS|FAIL|INVALID|MEASURED): .*"))
                                    .toList())
                    .as(said)
                    .hasSize(1);
        }
        assertThat(said)
                .doesNotContain("Exception", "\tat ", "ermission", "EPERM", "EACCES", "run as root")
                .doesNotContain("Read-only file system");
    }

    private static void lab(int uid, String lab) throws Exception {
        Path results = results();
        String line = "lab " + lab + " --duration 1s --report report";
        String said = run(installed.as(uid, results, line.split(" ")));
        requireVerdict(said);
        if (said.contains("report.html: ")) {
            assertThat(results.resolve("report/report.html")).isNotEmptyFile();
            // Marks of the victim are of --detect alone, and the others' shares of their flow
            // control.
            int missing = lab.startsWith("hol") ? 4 : 0;
            String sheet = Files.readString(results.resolve("report/sheet.md"));
            assertThat(sheet.split("not in this run", -1)).hasSize(1 + missing);
        }
        try (Stream<Path> files = Files.list(results)) {
            assertThat(files.map(file -> file.getFileName() + "")).containsExactly("report");
        }
    }

    /** Labs one after the other; the first failure, or null. */
    private static CompletableFuture<@Nullable Throwable> labs(int uid, String... labs) {
        return CompletableFuture.supplyAsync(() -> {
            for (String lab : labs) {
                try {
                    lab(uid, lab);
                } catch (Exception | AssertionError e) {
                    return new AssertionError(lab + ": " + e.getMessage(), e);
                }
            }
            return null;
        });
    }

    /**
     * One form of each, the least time that they take; some 30 s of each user where nothing else
     * runs. Most of it is not traffic but networks, warm-up, reading captures and drawing pages.
     */
    @Test
    void everyLabOfEitherUserEndsWithAVerdictAndAPage() {
        CompletableFuture<@Nullable Throwable> first =
                labs(FIRST_UID, "hol --rate 50Mbps --flow-control pfc", "policy");
        CompletableFuture<@Nullable Throwable> second =
                labs(
                        SECOND_UID,
                        "deadlock --rate 50Mbps --stand 1",
                        "incast --rate 50Mbps",
                        "four-port --rate 20Mbps --device tap");
        assertThat(first.join()).isNull();
        assertThat(second.join()).isNull();
    }

    /** It spreads flows by a program that the kernel takes from root of the machine alone. */
    @Test
    void roccSaysAtOnceWhatItNeeds() throws Exception {
        String setting = Files.readString(Path.of("/proc/sys/kernel/unprivileged_bpf_disabled"));
        String[] line = "lab rocc --demand uniform --duration 1s --report report".split(" ");
        String said = run(installed.as(FIRST_UID, results(), line));
        if (setting.strip().equals("0")) {
            requireVerdict(said);
        } else {
            assertThat(said)
                    .hasLineCount(1)
                    .contains("takes no BPF program", "sysctl kernel.unprivileged_bpf_disabled");
        }
    }

    @Test
    void labsOfOnesOwnAndScenariosOnRealFramesDoToo() throws Exception {
        Path results = results();
        Files.writeString(
                results.resolve("own.yaml"),
                """
                topology: {name: t, builder: {single-switch: {hosts: 2, link: {rate: 50Mbps}}}}
                duration: 1s
                traffic: [{from: h1, to: h2}]
                commands: [{at: h2, run: ping -c 1 h1}]
                """);
        String[] own = "lab own.yaml --workers auto --report report".split(" ");
        String said = run(installed.as(FIRST_UID, results, own));
        requireVerdict(said);
        assertThat(said.replaceAll("\\s+", " "))
                .contains("inside a user namespace", "2 of 2 pairs")
                // On a machine without a core for it the lab works too, and says that it shows
                // nothing.
                .containsPattern("PASS: |INVALID: .*1 worker wants [0-9]+ cores?");
        assertThat(results.resolve("report/report.html")).isNotEmptyFile();

        Files.writeString(
                results.resolve("tiny.yaml"),
                """
                name: tiny
                beds: [virtual, netns]
                duration: 100us
                topology:
                  name: star
                  link: {rate: 10Gbps, delay: 1us}
                  builder: {single-switch: {hosts: 3}}
                traffic: [{name: t, from: [h1, h2], to: h3}]
                """);
        requireVerdict(
                run(
                        installed.as(
                                SECOND_UID,
                                results,
                                "reproduce",
                                "tiny.yaml",
                                "--bed",
                                "both",
                                "--out",
                                "result")));
        assertThat(results.resolve("result/report.html")).isNotEmptyFile();
    }
}
