package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.report.RunReport;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.netns.LabRecords;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every lab with one thing broken fails, by the check that is meant. It is broken by what users
 * have too: {@code headgate set} at a switch that runs, a key of a file, a command in a host.
 */
@Tag("netns")
@Tag("long")
class BrokenLabsTest {
    private final String prefix = "hgb" + ProcessHandle.current().pid() + "-";

    @TempDir private Path directory;

    /** What breaks a lab; once. */
    private interface Breaking {
        void run() throws Exception;
    }

    private final class Lines extends OutputStream {
        private final StringBuilder line = new StringBuilder();
        private final AtomicBoolean done = new AtomicBoolean();
        private final String trigger;
        private final Breaking breaking;

        Lines(String trigger, Breaking breaking) {
            this.trigger = trigger;
            this.breaking = breaking;
        }

        @Override
        public synchronized void write(int one) {
            if (one != '\n') {
                line.append((char) one);
                return;
            }
            boolean isTime = line.indexOf(trigger) >= 0;
            line.setLength(0);
            if (isTime && done.compareAndSet(false, true)) {
                Thread.ofPlatform().start(this::go);
            }
        }

        private void go() {
            try {
                // Senders begin when the line is written.
                Thread.sleep(200);
                breaking.run();
            } catch (Exception e) {
                failure = e;
            }
        }
    }

    private volatile @Nullable Exception failure;

    private PrintStream lines(String trigger, Breaking breaking) {
        return new PrintStream(new Lines(trigger, breaking), true, StandardCharsets.UTF_8);
    }

    private LabOptions options(String rate, int seconds) {
        Path report = directory.resolve("report");
        return new LabOptions(
                DeviceKind.AFPACKET,
                "auto",
                "backoff",
                rate,
                seconds,
                1500,
                false,
                false,
                report,
                report,
                prefix,
                7,
                false);
    }

    private LabRecords records() {
        return new LabRecords(directory.resolve("labs"));
    }

    private void set(String node, String... assignments) throws Exception {
        try (SwitchClient client = SwitchClient.connect(RunDirectory.base(), prefix + node)) {
            client.ask("set", Map.of("assignments", List.of(assignments)));
        }
    }

    private void inHost(String host, String... command) throws Exception {
        List<String> whole = new ArrayList<>(List.of("ip", "netns", "exec", prefix + host));
        whole.addAll(List.of(command));
        Process process = new ProcessBuilder(whole).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    private void fails(OwnLab lab, String check) throws Exception {
        try (lab) {
            RunReport report = lab.run();
            assertThat(failure).isNull();
            assertThat(report.problems()).as(report.toText()).anyMatch(one -> one.contains(check));
            // On a machine that had no time for the run there may be doubts of other things too.
            assertThat(report.verdict()).isEqualTo(report.doubts().isEmpty() ? "FAIL" : "INVALID");
        }
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(NetworkNamespace.names()).noneMatch(name -> name.startsWith(prefix));
    }

    /**
     * Removes the switch's headroom, so that it has no room for frames until its pauses are obeyed.
     */
    private Breaking headroomGone() {
        return () ->
                set(
                        "s1",
                        "p1.buffers.headroom=0B",
                        "p2.buffers.headroom=0B",
                        "p3.buffers.headroom=0B");
    }

    @Test
    void fourPortWithAHostThatHasNoAddress() throws Exception {
        PrintStream out =
                lines("Warming", () -> inHost("h4", "ip", "addr", "flush", "dev", "eth0"));
        fails(
                new OwnLab(
                        List.of(ReadyLabs.fourPort("200Mbps", 1)),
                        1,
                        options("200Mbps", 1),
                        records(),
                        "test",
                        out),
                "does not reach h4 by ping");
    }

    @Test
    void incastWithoutHeadroom() throws Exception {
        fails(
                new OwnLab(
                        List.of(ReadyLabs.incast(Mode.PFC, "100Mbps", 3)),
                        1,
                        options("100Mbps", 3),
                        records(),
                        "test",
                        lines("Traffic: ", headroomGone())),
                "lost");
    }

    @Test
    void holWithoutHeadroom() throws Exception {
        fails(
                new OwnLab(
                        ReadyLabs.hol("pfc", "100Mbps", 3),
                        1,
                        options("100Mbps", 3),
                        records(),
                        "test",
                        lines("pfc: h1", headroomGone())),
                "lost");
    }

    @Test
    void roccThatIsTurnedOff() throws Exception {
        PrintStream out =
                lines("uniform rocc: h1", () -> set("s1", "p4.congestion.rocc.enabled=false"));
        fails(
                new OwnLab(
                        ReadyLabs.rocc("uniform", "100Mbps", 4),
                        1,
                        options("100Mbps", 4),
                        records(),
                        "test",
                        out),
                "fair rate");
    }

    @Test
    void aPolicyThatAnotherTakesThePlaceOf() throws Exception {
        PrintStream out = lines("lqd: h1", () -> set("s1", "p4.queues.policy.file=tail-drop.oq"));
        fails(
                new OwnLab(
                        List.of(ReadyLabs.policy(false, "20Mbps", 5)),
                        1,
                        options("20Mbps", 5),
                        records(),
                        "test",
                        out),
                "lqd: share lost in queues");
    }

    /** Without a remedy the deadlock must last; with longer buffers pauses end, and it does not. */
    @Test
    void aDeadlockThatIsResolvedThoughNothingWasTurnedOn() throws Exception {
        Breaking longer =
                () -> {
                    set("s1", "p3.buffers.xoff=400kB", "p3.buffers.xon=390kB");
                    set("s2", "p2.buffers.xoff=400kB", "p2.buffers.xon=390kB");
                    set("s3", "p2.buffers.xoff=400kB", "p2.buffers.xon=390kB");
                };
        PrintStream out = lines("headgate explain pause", longer);
        LabOptions options = options("100Mbps", 3);
        fails(
                new OwnLab(
                        ReadyLabs.deadlock("none", "100Mbps", 1, 3, "1,2"),
                        1,
                        options,
                        records(),
                        "test",
                        out),
                "all three were above xon at the end");
    }

    @Test
    void ownLabWithoutHeadroom() throws Exception {
        String text =
                Files.readString(Path.of("examples/labs/lossless-leaf-spine.yaml"))
                        .replace("xoff: 100kB", "xoff: 100kB, headroom: 0B")
                        .replace("duration: 5s", "duration: 3s");
        PrintStream nowhere = lines("never", () -> {});
        fails(
                new OwnLab(
                        List.of(OwnLabReader.read(text, "broken.yaml")),
                        1,
                        options("50Mbps", 3),
                        records(),
                        "test",
                        nowhere),
                "headroom");
    }
}
