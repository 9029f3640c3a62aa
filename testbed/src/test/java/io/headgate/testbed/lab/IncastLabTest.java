package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.control.report.RunReport;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.figure.FigureCheck;
import io.headgate.testbed.lab.HolLab.Comparison;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.Programs;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Labs with host agents: unmodified iperf3 over TAPs, and nothing lost where that is promised. */
@Tag("netns")
class IncastLabTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final long TIMEOUT_MS = 60_000;
    private static final Path DISSECTOR = Path.of("../config/wireshark/headgate.lua");

    @TempDir private Path directory;
    private final String prefix =
            "hgi" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
    private final PrintStream nowhere =
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);

    private LabOptions options() {
        Path report = directory.resolve("report");
        return new LabOptions(
                DeviceKind.AFPACKET,
                "auto",
                "backoff",
                "100Mbps",
                0,
                3,
                1500,
                false,
                false,
                report,
                report,
                prefix,
                7);
    }

    private LabRecords records() {
        return new LabRecords(directory.resolve("labs"));
    }

    private RunReport incast(Mode mode) throws BedException {
        try (IncastLab lab = new IncastLab(options(), mode, records(), "test", nowhere)) {
            return lab.run();
        }
    }

    @AfterEach
    void nothingIsLeft() throws BedException {
        assertThat(NetworkNamespace.names().stream().filter(name -> name.startsWith(prefix)))
                .isEmpty();
        assertThat(records().all()).isEmpty();
    }

    @Test
    void withPausesNothingIsLostAnywhereAndAllComesInOrder() throws Exception {
        RunReport report = incast(Mode.PFC);
        if (Verdicts.isFair(report)) {
            assertThat(report.toText()).contains("none: not in the switch");
        }
        assertThat(report.problems()).as(report.toText()).isEmpty();
        assertThat(report.toText())
                .contains("Lossless margin", "Bottleneck")
                .doesNotContain("credits")
                .contains("class vector 0x0008 and 65535 or 0 quanta");
        assertThat(directory.resolve("report/report.html")).content().contains("\">XOFF sent</th>");
        assertThat(FigureCheck.mistakesIn(directory.resolve("report"))).isEmpty();
        assertThat(directory.resolve("report/stopped.svg")).content().contains("share of time");
        // Class vector: priority 3 alone; from the port's own address, 60 bytes.
        List<String> pauses =
                tshark(
                        directory.resolve("report/capture.pcapng"),
                        "macc.opcode == 0x0101",
                        "frame.len",
                        "eth.dst",
                        "macc.cbfc.enbv");
        assertThat(pauses)
                .isNotEmpty()
                .allMatch(line -> line.equals("60\t01:80:c2:00:00:01\t0x0008"));
    }

    @Test
    void withCreditsNothingIsLostAnywhereAndAllComesInOrder() throws Exception {
        RunReport report = incast(Mode.CREDITS);
        Verdicts.isFair(report);
        assertThat(report.problems()).as(report.toText()).isEmpty();
        assertThat(report.toText()).doesNotContain("XOFF");
        assertThat(report.toHtml()).contains("\">credits sent (frames)</th>");
        List<String> credits =
                tshark(
                        directory.resolve("report/capture.pcapng"),
                        "headgate_credits",
                        "headgate.credits.op",
                        "headgate.credits.lane");
        assertThat(credits).isNotEmpty().allMatch(line -> line.equals("0\t3"));
    }

    @Test
    void withoutFlowControlTheSameTrafficIsLostAtTheBottleneck() throws Exception {
        RunReport report = incast(Mode.NONE);
        assertThat(report.problems()).as(report.toText()).isEmpty();
        assertThat(report.toText()).contains("switch, port p4  QUEUE_FULL");
    }

    @Test
    void theVictimIsHeldUpWithPausesAndCreditsAndLosesNothing() throws Exception {
        List<Mode> modes = List.of(Mode.NONE, Mode.PFC, Mode.CREDITS);
        RunReport report;
        List<Comparison> seen;
        try (HolLab lab = new HolLab(options(), modes, records(), "test", nowhere)) {
            report = lab.run();
            seen = lab.trials().stream().map(HolLab.Trial::comparison).toList();
        }
        boolean isFair = Verdicts.isFair(report);
        assertThat(report.problems()).as(report.toText()).isEmpty();
        assertThat(report.toText()).contains("none  ", "pfc  ", "credits  ");
        assertThat(report.toHtml()).contains("\">victim gets (Mb/s)</th>");
        assertThat(seen).extracting(Comparison::mode).isEqualTo(modes);
        assertThat(directory.resolve("report/report.html"))
                .content()
                .containsSubsequence(
                        "of what the victim asks for, with credits",
                        "id=\"victim\"",
                        "id=\"network-victim-none\"",
                        "id=\"network-victim-pfc\"",
                        "marker-end=\"url(#stop)\"",
                        "id=\"network-victim-credits\"",
                        "id=\"throughput-none\"");
        // What is in front of it is held to half of what it offers, and the victim with it.
        double free = seen.getFirst().victimShare();
        for (Comparison held : isFair ? seen.subList(1, 3) : List.<Comparison>of()) {
            assertThat(held.lostFrames()).isZero();
            assertThat(held.victimLost()).isZero();
            assertThat(held.victimShare()).as(report.toText()).isLessThan(0.8 * free);
        }
    }

    private List<String> tshark(Path capture, String filter, String... fields) throws BedException {
        try (Programs programs = new Programs(directory)) {
            List<String> command =
                    new ArrayList<>(
                            List.of(
                                    "env",
                                    "WIRESHARK_CONFIG_DIR=/nonexistent",
                                    "HOME=/nonexistent",
                                    "tshark",
                                    "-n",
                                    "-X",
                                    "lua_script:" + DISSECTOR.toAbsolutePath(),
                                    "-r",
                                    capture.toString(),
                                    "-Y",
                                    filter,
                                    "-T",
                                    "fields"));
            for (String field : fields) {
                command.addAll(List.of("-e", field));
            }
            return programs.run(null, TIMEOUT_MS, command)
                    .output()
                    .lines()
                    .filter(line -> line.contains("\t"))
                    .toList();
        }
    }
}
