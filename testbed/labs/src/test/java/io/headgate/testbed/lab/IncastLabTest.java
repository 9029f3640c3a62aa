package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.control.report.RunReport;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.figure.FigureCheck;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
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

    /** No test of these compares a rate with what was held. */
    private static final int INCAST_SECONDS = 2;

    /** Its place among the flows of hol. */
    private static final int VICTIM = 2;

    private static final int PAYLOAD_BYTES = 1448;
    private static final double HELD_BYTES = 4_500_000;
    private static final Path DISSECTOR = Path.of("../config/wireshark/headgate.lua");

    @TempDir private Path directory;
    private final String prefix =
            "hgi" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
    private final PrintStream nowhere =
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);

    private LabOptions options(int seconds) {
        Path report = directory.resolve("report");
        return new LabOptions(
                DeviceKind.AFPACKET,
                "auto",
                "backoff",
                RATE_MBPS + "Mbps",
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

    private RunReport incast(Mode mode) throws BedException {
        OwnLabSpec spec = ReadyLabs.incast(mode, RATE_MBPS + "Mbps", INCAST_SECONDS);
        LabOptions options = options(INCAST_SECONDS);
        try (OwnLab lab = new OwnLab(List.of(spec), 1, options, records(), "test", nowhere)) {
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
        ReportColumnsTest.columnsOfFlowControlAreWhatThePortsCounted(report, prefix, isFair);
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
        boolean isFair = Verdicts.isFair(report);
        if (isFair) {
            assertThat(report.toText()).contains("switch, port p4  QUEUE_FULL");
        }
        assertThat(report.problems()).as(report.toText()).isEmpty();
        ReportColumnsTest.columnsOfLossesAreWhatThePortDropped(report, isFair);
    }

    @Test
    void theVictimIsHeldUpWithPausesAndCreditsAndLosesNothing() throws Exception {
        List<String> modes = List.of("none", "pfc", "credits");
        List<OwnLabSpec> runs = ReadyLabs.hol(String.join(",", modes), RATE_MBPS + "Mbps", SECONDS);
        RunReport report;
        List<OwnLab.Ran> seen;
        try (OwnLab lab = new OwnLab(runs, 1, options(SECONDS), records(), "test", nowhere)) {
            report = lab.run();
            seen = lab.ran();
        }
        boolean isFair = Verdicts.isFair(report);
        assertThat(report.problems()).as(report.toText()).isEmpty();
        ReportPage page = ReportPage.of(report);
        columns(page, modes);
        assertThat(seen).extracting(OwnLab.Ran::name).isEqualTo(modes);
        String html = Files.readString(directory.resolve("report/report.html"));
        comeInOrder(
                html,
                "of what the victim asks for, credits",
                "id=\"network-none\"",
                "id=\"network-pfc\"",
                "marker-end=\"url(#stop)\"",
                "id=\"network-credits\"",
                "id=\"measures-1\"",
                "id=\"throughput-none\"");
        assertThat(html)
                .contains(
                        "lost anywhere, pfc",
                        "Time that each host was paused (pfc)",
                        "Time that each host was without credits (credits)");
        // What is in front of it is held to half of what it offers, and the victim with it, if its
        // rivals kept the port busy.
        double free = seen.getFirst().flows().get(VICTIM).receivedBps();
        for (int row = 1; isFair && row < seen.size(); row++) {
            OwnLab.Ran held = seen.get(row);
            assertThat(held.lostFrames()).isZero();
            assertThat(held.flows().get(VICTIM).lostDatagrams()).isZero();
            if (payloadMbps(page, row, "p4") > 0.4 * RATE_MBPS) {
                assertThat(held.flows().get(VICTIM).receivedBps())
                        .as(report.toText())
                        .isLessThan(0.8 * free);
            }
        }
        String twin = LabTwin.of(directory.resolve("report")).toText();
        assertThat(twin).contains("none: 3 flows", "pfc: 3 flows", "credits: 3 flows");
    }

    /** The page has a megabyte, and AssertJ makes a string at each letter of it. */
    private static void comeInOrder(String html, String... parts) {
        int from = 0;
        for (String part : parts) {
            int at = html.indexOf(part, from);
            assertThat(at).as("%s behind what comes before it", part).isNotNegative();
            from = at + part.length();
        }
    }

    /** Marks in captures are those that switch and cards have counted. */
    @Test
    @Tag("long")
    void marksAreThoseOfTheFramesThatThePortsSent() throws Exception {
        List<String> ways = List.of("pfc-red", "credits-red");
        List<OwnLabSpec> runs =
                ReadyLabs.holMarks(String.join(",", ways), RATE_MBPS + "Mbps", SECONDS);
        ReportPage page;
        try (OwnLab lab = new OwnLab(runs, 1, options(SECONDS), records(), "test", nowhere)) {
            page = ReportPage.of(lab.run());
        }
        for (int run = 0; run < ways.size(); run++) {
            Shown marks = page.table(Of.MARKS.section() + " " + ways.get(run));
            assertThat(marks.text(0, "phase")).isEqualTo(ways.get(run));
            assertThat(marks.text(0, "flow")).isEqualTo("h1→h4");
            assertThat(marks.text(2, "flow")).isEqualTo("h1→h3");
            double victim = marks.number(2, "frames");
            double hot = marks.number(0, "frames") + marks.number(1, "frames");
            assertThat(victim)
                    .isBetween(1.0, page.counter(run, "EGRESS", "p3", "frames.transmitted"));
            assertThat(hot).isBetween(1.0, page.counter(run, "EGRESS", "p4", "frames.transmitted"));
            double congested = marks.number(2, "congested");
            assertThat(marks.number(2, "undetermined")).isZero();
            assertThat(Double.parseDouble(marks.text(2, "(%)", 0)))
                    .isCloseTo(100 * congested / victim, within(0.06));
            assertThat(Double.parseDouble(marks.text(2, "(%)", 1))).isZero();
            // Cards mark the victim; the congested port marks as well.
            double came =
                    page.counter(run, "EGRESS", "p4", "red.came.marked.p3")
                            + page.counter(run, "EGRESS", "p4", "red.marked.p3");
            double sent = page.counter(run, "EGRESS", "p4", "frames.transmitted");
            double marked = marks.number(0, "congested") + marks.number(1, "congested");
            assertThat(100 * marked / hot).isBetween(50 * came / sent, 100.0);
        }
        List<String> others = new ArrayList<>(List.of(ofOthers(page, ways)));
        others.add(Of.MEASURES.section());
        page.everyColumnIsHeld(others.toArray(String[]::new));
    }

    /** Sections of runs that other labs' tests hold. */
    private static String[] ofOthers(ReportPage page, List<String> runs) {
        return Stream.concat(
                        Stream.of("Switch " + page.switchName()),
                        runs.stream()
                                .flatMap(run ->
                                        Stream.of(
                                                "UDP " + run,
                                                "Flow control " + run,
                                                "Losses " + run)))
                .toArray(String[]::new);
    }

    /** Compares the measure and the flows with the ports' counters of each run. */
    private void columns(ReportPage page, List<String> modes) throws IOException {
        Shown measures = page.table(Of.MEASURES);
        for (int row = 0; row < modes.size(); row++) {
            String mode = modes.get(row);
            double lost = page.losses("Losses " + mode, row);
            // What left the port was read or counted as lost, but for what came when its reader had
            // ended: what a sender's socket and card had held.
            double lostMbps = (lost * PAYLOAD_BYTES + HELD_BYTES) * 8 / 1e6 / SECONDS;
            Iperf3File victim = Iperf3File.of(directory.resolve("report"), mode + "-h1-h3");
            double toVictim = payloadMbps(page, row, "p3");
            assertThat(mbps(victim)).isBetween(toVictim - lostMbps, toVictim);
            double asks = 0.45 * RATE_MBPS;
            double gets = victim.receivedBps() / 1e6;
            measured(
                    measures,
                    4 * row,
                    "of what the victim asks for, " + mode,
                    "%",
                    100 * gets / asks);
            measured(measures, 4 * row + 1, "victim asks for, " + mode, "Mb/s", asks);
            measured(measures, 4 * row + 2, "victim gets, " + mode, "Mb/s", gets);
            Iperf3File first = Iperf3File.of(directory.resolve("report"), mode + "-h1-h4");
            Iperf3File second = Iperf3File.of(directory.resolve("report"), mode + "-h2-h4");
            double hot = (first.receivedBps() + second.receivedBps()) / 1e6;
            measured(measures, 4 * row + 3, "congested port carries, " + mode, "Mb/s", hot);
            double toHot = payloadMbps(page, row, "p4");
            assertThat(mbps(first) + mbps(second)).isBetween(toHot - lostMbps, toHot);
        }
        page.everyColumnIsHeld(ofOthers(page, modes));
    }

    /** A line of the table; four digits are shown. */
    private static void measured(Shown measures, int row, String name, String unit, double value) {
        assertThat(measures.text(row, "measure")).isEqualTo(name);
        assertThat(measures.text(row, "unit")).isEqualTo(unit);
        assertThat(measures.number(row, "value")).isCloseTo(value, within(1e-3 * value));
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
