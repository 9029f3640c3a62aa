package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.control.report.RunReport;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.figure.FigureCheck;
import io.headgate.testbed.lab.HolLab.Comparison;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.ReportPage.Shown;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.twin.LabTwin;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.Programs;
import java.io.IOException;
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
    private static final int RATE_MBPS = 100;
    private static final int SECONDS = 3;
    private static final int PAYLOAD_BYTES = 1448;
    private static final double HELD_BYTES = 4_500_000;
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
                RATE_MBPS + "Mbps",
                SECONDS,
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
        OwnLabSpec spec = ReadyLabs.incast(mode, RATE_MBPS + "Mbps", SECONDS);
        try (OwnLab lab = new OwnLab(spec, options(), records(), "test", nowhere)) {
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
        boolean isFair = Verdicts.isFair(report);
        if (isFair) {
            assertThat(report.toText()).contains("none: not in the switch");
        }
        assertThat(report.problems()).as(report.toText()).isEmpty();
        assertThat(report.toText())
                .contains("Lossless margin", "ok: datagrams out of order: 0 datagrams")
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
        assertThat(pauses).allMatch(line -> line.equals("60\t01:80:c2:00:00:01\t0x0008"));
        // A run that is not fair, or one with few pauses, may have none in the moment of the
        // capture.
        if (pauses.isEmpty()) {
            assertThat(report.toText()).contains("of 0 that the switch sent");
        }
        String twin = LabTwin.of(directory.resolve("report")).toText();
        // However slow this machine is, the port of h4 sent what the hosts had given it.
        assertThat(twin).startsWith("Twin of: test").contains("3 flows, ");
        assertThat(twin).containsPattern("s1/p4 +sent .*frames *\n");
    }

    @Test
    void withCreditsNothingIsLostAnywhereAndAllComesInOrder() throws Exception {
        RunReport report = incast(Mode.CREDITS);
        boolean isFair = Verdicts.isFair(report);
        assertThat(report.problems()).as(report.toText()).isEmpty();
        assertThat(report.toText()).doesNotContain("XOFF");
        assertThat(report.toHtml()).contains("\">credits sent (frames)</th>");
        List<String> credits =
                tshark(
                        directory.resolve("report/capture.pcapng"),
                        "headgate_credits",
                        "headgate.credits.op",
                        "headgate.credits.lane");
        assertThat(credits).allMatch(line -> line.equals("0\t3"));
        assertThat(isFair && credits.isEmpty()).isFalse();
    }

    @Test
    void withoutFlowControlTheSameTrafficIsLostAtTheBottleneck() throws Exception {
        RunReport report = incast(Mode.NONE);
        if (Verdicts.isFair(report)) {
            assertThat(report.toText()).contains("switch, port p4  QUEUE_FULL");
        }
        assertThat(report.problems()).as(report.toText()).isEmpty();
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
        ReportPage page = ReportPage.of(report);
        columns(page, modes);
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
        // What is in front of it is held to half of what it offers, and the victim with it, if its
        // rivals kept the port busy.
        double free = seen.getFirst().victimShare();
        for (int row = 1; isFair && row < seen.size(); row++) {
            Comparison held = seen.get(row);
            assertThat(held.lostFrames()).isZero();
            assertThat(held.victimLost()).isZero();
            if (payloadMbps(page, row, "p4") > 0.4 * RATE_MBPS) {
                assertThat(held.victimShare()).as(report.toText()).isLessThan(0.8 * free);
            }
        }
    }

    /** Marks in captures are those that switch and cards have counted. */
    @Test
    @Tag("long")
    void marksAreThoseOfTheFramesThatThePortsSent() throws Exception {
        List<HolMarks.Way> ways = HolMarks.Way.all(List.of(HolMarks.Detector.RED));
        ReportPage page;
        try (HolLab lab = HolLab.detecting(options(), ways, records(), "test", nowhere)) {
            page = ReportPage.of(lab.run());
        }
        Shown marks = page.table(Of.MARKS);
        for (int row = 0; row < ways.size(); row++) {
            assertThat(marks.text(row, "detector")).isEqualTo("red");
            assertThat(marks.text(row, "flow control"))
                    .isEqualTo(LosslessRun.word(ways.get(row).mode()));
            double victim = marks.number(row, "victim (frames)");
            double hot = marks.number(row, "h4's (frames)");
            assertThat(victim)
                    .isBetween(1.0, page.counter(row, "EGRESS", "p3", "frames.transmitted"));
            assertThat(hot).isBetween(1.0, page.counter(row, "EGRESS", "p4", "frames.transmitted"));
            double congested = marks.number(row, "congested (frames)");
            assertThat(marks.number(row, "undetermined (frames)")).isZero();
            assertThat(Double.parseDouble(marks.text(row, "(%)", 0)))
                    .isCloseTo(100 * congested / victim, within(0.06));
            assertThat(Double.parseDouble(marks.text(row, "(%)", 1))).isZero();
            // Cards mark the victim; the congested port marks as well.
            double came =
                    page.counter(row, "EGRESS", "p4", "red.came.marked.p3")
                            + page.counter(row, "EGRESS", "p4", "red.marked.p3");
            double sent = page.counter(row, "EGRESS", "p4", "frames.transmitted");
            assertThat(marks.number(row, "congested (%)")).isBetween(50 * came / sent, 100.0);
        }
        page.everyColumnIsHeld(
                Of.HOL.section(),
                "Losses red with PFC",
                "Losses red with credits",
                "Switch " + page.switchName());
    }

    /** Compares the table with the ports' counters of each phase. */
    private void columns(ReportPage page, List<Mode> modes) throws IOException {
        List<String> sections =
                List.of("Losses without flow control", "Losses with PFC", "Losses with credits");
        Shown hol = page.table(Of.HOL);
        for (int row = 0; row < modes.size(); row++) {
            assertThat(hol.text(row, "flow control")).isEqualTo(LosslessRun.word(modes.get(row)));
            double asks = hol.number(row, "victim asks (Mb/s)");
            double gets = hol.number(row, "victim gets (Mb/s)");
            assertThat(asks).isCloseTo(0.45 * RATE_MBPS, within(0.05));
            double lost = page.losses(sections.get(row), row);
            assertThat(hol.number(row, "lost in all (frames)")).isEqualTo(lost);
            // What left the port was read or counted as lost, but for what came when its reader had
            // ended: what a sender's socket and card had held.
            double lostMbps = (lost * PAYLOAD_BYTES + HELD_BYTES) * 8 / 1e6 / SECONDS;
            String flow = "victim-" + LosslessRun.word(modes.get(row)) + "-";
            Iperf3File victim = Iperf3File.of(directory.resolve("report"), flow + "h1-h3");
            victim.assertReceived(gets * 1e6);
            double toVictim = payloadMbps(page, row, "p3");
            assertThat(mbps(victim)).isBetween(toVictim - lostMbps, toVictim);
            assertThat(hol.number(row, "of it (%)"))
                    .isCloseTo(100 * gets / asks, within(0.6 + 5 / asks));
            Iperf3File first = Iperf3File.of(directory.resolve("report"), flow + "h1-h4");
            Iperf3File second = Iperf3File.of(directory.resolve("report"), flow + "h2-h4");
            assertThat(hol.number(row, "congested port (Mb/s)"))
                    .isCloseTo((first.receivedBps() + second.receivedBps()) / 1e6, within(0.051));
            double toHot = payloadMbps(page, row, "p4");
            assertThat(mbps(first) + mbps(second)).isBetween(toHot - lostMbps, toHot);
            assertThat(hol.number(row, "victim lost (datagrams)")).isBetween(0.0, lost);
        }
        page.everyColumnIsHeld("Switch " + page.switchName());
    }

    /** What a port sent in a phase, without the headers of UDP, IP and Ethernet. */
    private static double payloadMbps(ReportPage page, int phase, String port) {
        double bytes = page.counter(phase, "EGRESS", port, "bytes.transmitted");
        double frames = page.counter(phase, "EGRESS", port, "frames.transmitted");
        return (bytes - 42 * frames) * 8 / 1e6 / SECONDS;
    }

    private static double mbps(Iperf3File of) {
        return of.receivedBytes() * 8 / 1e6 / SECONDS;
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
