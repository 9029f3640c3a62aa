package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.report.RunReport;
import io.headgate.dataplane.counter.PriorityCounter.Egress;
import io.headgate.dataplane.counter.PriorityCounter.Ingress;
import io.headgate.dataplane.counter.WorkerCounter;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.ReportPage.Shown;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.own.LabDerived;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.netns.LabRecords;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares columns of the labs' reports with the ports' own counters: no fact has two numbers, and
 * each number says what it counts and from which time.
 */
class ReportColumnsTest {
    private static final int PAYLOAD_BYTES = 1448;

    @TempDir private Path directory;

    private LabOptions options(int seconds) {
        Path report = directory.resolve("report");
        return new LabOptions(
                DeviceKind.AFPACKET,
                "single",
                "backoff",
                "100Mbps",
                seconds,
                1500,
                false,
                false,
                report,
                report,
                "hgcol" + ProcessHandle.current().pid() + "-",
                7,
                false);
    }

    /** As {@code headgate set}. */
    private void set(String assignment) {
        try (SwitchClient client =
                SwitchClient.connect(RunDirectory.base(), options(1).prefix() + "s1")) {
            client.ask("set", Map.of("assignments", List.of(assignment)));
        } catch (DaemonException e) {
            throw new IllegalStateException(e);
        }
    }

    private LabRecords records() {
        return new LabRecords(directory.resolve("labs"));
    }

    @Test
    void everyColumnOfEveryLabSaysWhatItIsInASentenceOfItsOwn() {
        Set<String> seen = new HashSet<>();
        int numbers = 0;
        for (LabColumn column : LabColumn.values()) {
            numbers += column.heading().startsWith(">") ? 1 : 0;
            assertThat(column.says()).as(column.name()).isNotBlank().doesNotEndWith(".");
            assertThat(seen.add(column.name() + column.of())).isTrue();
        }
        // Numbers of the ring and of rate controls are measures, which their files name.
        for (OwnLabSpec lab :
                List.of(
                        ReadyLabs.deadlock("escape", "100Mbps", 1, 1, "1").getFirst(),
                        ReadyLabs.control("dcqcn", "", "", "100Mbps", 1).getFirst())) {
            for (LabDerived measure : lab.derived()) {
                numbers++;
                // Yes and no have none.
                assertThat(measure.unit().isBlank())
                        .as(measure.name())
                        .isEqualTo(measure.headline() == LabDerived.Headline.COUNT);
                assertThat(seen.add(measure.name())).as(measure.name()).isTrue();
            }
        }
        assertThat(numbers).isGreaterThanOrEqualTo(60);
        for (LabColumn.Of of : LabColumn.Of.values()) {
            assertThat(LabColumn.table(of).says()).as(of.section()).isNotEmpty();
        }
    }

    @Test
    void everyTableOfEveryLabIsReadByATestOfColumns() throws IOException {
        StringBuilder tests = new StringBuilder();
        try (Stream<Path> files =
                Files.list(Path.of("labs/src/test/java/io/headgate/testbed/lab"))) {
            for (Path file : files.filter(one -> one.toString().endsWith("Test.java")).toList()) {
                String text = Files.readString(file);
                tests.append(text.contains("everyColumnIsHeld(") ? text : "");
            }
        }
        for (LabColumn.Of of : LabColumn.Of.values()) {
            assertThat(tests)
                    .as("tests that hold columns against counters")
                    .containsAnyOf(
                            "page.table(Of." + of.name() + ")",
                            "page.table(Of." + of.name() + ".section() + ",
                            "page.table(\"" + of.section() + "\")",
                            "columnsThatNothingHolds(LabColumn.Of." + of.name() + ")");
        }
    }

    /** Pings are timed by ping alone: a port has no such time. */
    @Test
    void columnsOfPingsAreNamesAndPingsOwnTime() {
        columnsThatNothingHolds(LabColumn.Of.PINGS);
    }

    private static void columnsThatNothingHolds(LabColumn.Of of) {
        assertThat(Stream.of(LabColumn.values()).filter(column -> column.of() == of))
                .allMatch(column -> ReportPage.isHeldByNothing(column.heading()));
    }

    /** Of four-port, of which {@link FourPortLabTest} has a run: this one, by one worker. */
    static void columnsOfFourPortAreWhatThePortsCounted(
            RunReport run, Path directory, boolean isFair) throws IOException {
        ReportPage page = ReportPage.of(run);
        Shown frames = page.table("Frames");
        for (int row = 0; row < 4; row++) {
            String port = frames.text(row, "port");
            double received = frames.number(row, "received");
            double forwarded = frames.number(row, "forwarded");
            double in = frames.number(row, "dropped in");
            double out = frames.number(row, "dropped out");
            assertThat(received).isEqualTo(page.counter("INGRESS", port, "frames.received"));
            assertThat(forwarded)
                    .isEqualTo(
                            page.counter("INGRESS", port, "frames.forwarded")
                                    - page.counter("INGRESS", port, "frames.copied"));
            assertThat(frames.number(row, "transmitted"))
                    .isEqualTo(page.counter("EGRESS", port, "frames.transmitted"));
            assertThat(in).isEqualTo(page.drops(port, true, ""));
            assertThat(out).isEqualTo(page.drops(port, false, ""));
            assertThat(frames.number(row, "unexplained")).isZero();
            assertThat(frames.number(row, "host sent")).isBetween(forwarded, forwarded + in);
            assertThat(frames.number(row, "host received"))
                    .isEqualTo(
                            frames.number(row, "transmitted")
                                    - page.drops(port, false, "KERNEL_TX"));
        }
        Shown drops = page.table("Drops");
        // Senders that get no core, or one after the other, leave nothing to drop.
        if (isFair) {
            assertThat(drops.row("phase", "UDP incast")).isNotNegative();
        }
        for (int row = 0; row < drops.rows(); row++) {
            String port = drops.text(row, "port");
            boolean isIn = drops.text(row, "side").equals("in");
            assertThat(drops.text(row, "phase")).matches("(TCP|UDP) (pairs|reversed|incast)");
            if (!port.equals("-")) {
                assertThat(drops.number(row, "frames"))
                        .isBetween(1.0, page.drops(port, isIn, drops.text(row, "reason")));
            }
        }
        udp(page.table("UDP"), page, directory, isFair);
        tcp(page.table("TCP"), page, directory);
        workers(page.tables("Switch " + page.switchName()), page);
        page.everyColumnIsHeld();
    }

    private static Iperf3File iperf3(Path directory, Shown table, int row) throws IOException {
        String[] hosts = table.text(row, "flow").split("→");
        String phase = table.text(row, "phase");
        return Iperf3File.of(directory, OwnLabSpec.word(phase) + "-" + hosts[0] + "-" + hosts[1]);
    }

    private static void udp(Shown udp, ReportPage page, Path directory, boolean isFair)
            throws IOException {
        double arrivedAtFour = 0;
        for (int row = 0; row < udp.rows(); row++) {
            assertThat(udp.text(row, "phase")).startsWith("UDP ");
            String[] lost = udp.text(row, "lost/total (datagrams)").split("/");
            double total = Double.parseDouble(lost[1]);
            double arrived = total - Double.parseDouble(lost[0]);
            assertThat(udp.number(row, "lost (%)"))
                    .isCloseTo(100 - 100 * arrived / total, within(0.006));
            boolean isToFour = udp.text(row, "flow").endsWith("h4");
            arrivedAtFour += isToFour ? arrived : 0;
            String sender = "p" + udp.text(row, "flow").charAt(1);
            assertThat(page.counter("INGRESS", sender, "frames.received"))
                    .isGreaterThanOrEqualTo(arrived);
            Iperf3File said = iperf3(directory, udp, row);
            assertThat(said.sentBytes()).isEqualTo(total * PAYLOAD_BYTES);
            assertThat(said.receivedBytes()).isLessThanOrEqualTo(arrived * PAYLOAD_BYTES);
            said.assertSent(udp.number(row, "sent (Mb/s)") * 1e6);
            said.assertReceived(udp.number(row, "received (Mb/s)") * 1e6);
            assertThat(udp.number(row, "jitter (ms)")).isNotNegative();
        }
        double transmitted = page.counter("EGRESS", "p4", "frames.transmitted");
        // A receiver that stops early knows only a part of what it lost.
        assertThat(arrivedAtFour)
                .isBetween(isFair ? 1.0 : 0.0, isFair ? transmitted : Double.MAX_VALUE);
        double gone =
                page.drops("p4", false, "QUEUE_FULL")
                        + page.drops("p4", true, "")
                        + page.counter("EGRESS", "p4", "frames.transmitted");
        assertThat(gone).isGreaterThan(arrivedAtFour);
    }

    private static void tcp(Shown tcp, ReportPage page, Path directory) throws IOException {
        double atFour = 0;
        for (int row = 0; row < tcp.rows(); row++) {
            assertThat(tcp.text(row, "phase")).startsWith("TCP ");
            Iperf3File said = iperf3(directory, tcp, row);
            said.assertReceived(tcp.number(row, "received (Mb/s)") * 1e6);
            assertThat(said.receivedBytes()).isBetween(1.0, said.sentBytes());
            atFour += tcp.text(row, "flow").endsWith("h4") ? said.receivedBytes() : 0;
            String sender = "p" + tcp.text(row, "flow").charAt(1);
            assertThat(tcp.number(row, "retransmits (segments)"))
                    .isBetween(0.0, page.counter("INGRESS", sender, "frames.received"));
        }
        assertThat(atFour).isLessThan(page.counter("EGRESS", "p4", "bytes.transmitted"));
    }

    private static void workers(List<Shown> ofSwitch, ReportPage page) {
        Shown workers = ofSwitch.getFirst();
        assertThat(workers.rows()).isEqualTo(1);
        String worker = workers.text(0, "worker");
        double busy = page.counter("WORKER", worker, WorkerCounter.BUSY_NS.label());
        double idle = page.counter("WORKER", worker, WorkerCounter.IDLE_NS.label());
        assertThat(workers.number(0, "busy (%)"))
                .isCloseTo(100 * busy / (busy + idle), within(0.1));
        double frames = 0;
        for (int port = 1; port <= 4; port++) {
            frames += page.counter("INGRESS", "p" + port, "frames.received");
        }
        // A machine with too much else to do leaves too few a second.
        String perFrame = frames * 1e6 < busy + idle ? "-" : "%.0f".formatted(busy / frames);
        assertThat(workers.text(0, "per frame (ns)")).isEqualTo(perFrame);
        assertThat(workers.number(0, "empty polls"))
                .isEqualTo(page.counter("WORKER", worker, WorkerCounter.EMPTY_CYCLES.label()));
        assertThat(workers.number(0, "longest cycle (µs)"))
                .isCloseTo(
                        page.counter("WORKER", worker, WorkerCounter.LONGEST_CYCLE_NS.label())
                                / 1e3,
                        within(0.1));
        assertThat(workers.number(0, "over threshold (cycles)"))
                .isEqualTo(page.counter("WORKER", worker, WorkerCounter.STALLS.label()));
        assertThat(workers.number(0, "latest wake-up (µs)"))
                .isCloseTo(
                        page.counter("WORKER", worker, WorkerCounter.LATENESS_MAX_NS.label()) / 1e3,
                        within(0.1));
        Shown drops = ofSwitch.getLast();
        for (int row = 0; row < drops.rows(); row++) {
            boolean isIn = drops.text(row, "side").equals("in");
            assertThat(drops.number(row, "frames"))
                    .isEqualTo(
                            page.drops(drops.text(row, "port"), isIn, drops.text(row, "reason")));
        }
        assertThat(drops.sum("frames", "port", "p4"))
                .isEqualTo(page.drops("p4", true, "") + page.drops("p4", false, ""));
    }

    /**
     * Of incast with pauses, of which {@link IncastLabTest} has a run.
     *
     * @param prefix of the hosts' names
     */
    static void columnsOfFlowControlAreWhatThePortsCounted(
            RunReport run, String prefix, boolean isFair) {
        ReportPage page = ReportPage.of(run);
        Shown flow = page.table("Flow control");
        List<String> ports =
                IntStream.range(0, flow.rows()).mapToObj(row -> flow.text(row, "port")).toList();
        assertThat(ports).contains("p1", "p2", "p3");
        for (int row = 0; row < flow.rows(); row++) {
            String port = ports.get(row);
            if (!port.startsWith("p")) {
                continue;
            }
            assertThat(flow.number(row, "prio")).isEqualTo(3);
            assertThat(
                            List.of(
                                    flow.text(row, "XOFF sent"),
                                    flow.text(row, "refresh", 0),
                                    flow.text(row, "XON", 0)))
                    .isEqualTo(of(page, "EGRESS", port, "xoff.sent", "refresh.sent", "xon.sent"));
            assertThat(
                            List.of(
                                    flow.text(row, "XOFF received"),
                                    flow.text(row, "refresh", 1),
                                    flow.text(row, "XON", 1)))
                    .isEqualTo(
                            of(
                                    page,
                                    "INGRESS",
                                    port,
                                    "xoff.received",
                                    "refresh.received",
                                    "xon.received"));
            assertThat(flow.number(row, "stopped (times)"))
                    .isEqualTo(page.counter("EGRESS", port, Egress.STOPS.label(3)));
            assertThat(flow.number(row, "stopped (ms)"))
                    .isCloseTo(
                            page.counter("EGRESS", port, Egress.STOPPED_NS.label(3)) / 1e6,
                            within(0.001));
            assertThat(flow.number(row, "longest (ms)"))
                    .isCloseTo(
                            page.counter("EGRESS", port, Egress.STOPPED_MAX_NS.label(3)) / 1e6,
                            within(0.001));
            assertThat(flow.number(row, "peak (bytes)"))
                    .isEqualTo(page.counter("INGRESS", port, Ingress.OCCUPANCY_MAX_BYTES.label(3)));
            assertThat(flow.number(row, "held (bytes)"))
                    .isEqualTo(page.counter("INGRESS", port, Ingress.OCCUPANCY_BYTES.label(3)));
            assertThat(flow.number(row, "storms")).isZero();
        }
        for (int host = 1; host <= 3; host++) {
            int atSwitch = ports.indexOf("p" + host);
            int atHost = ports.indexOf(prefix + "h" + host + ".wire");
            double sent = flow.number(atSwitch, "XOFF sent");
            // A host that was never stopped has no row.
            assertThat(sent > 0 ? atHost : 0).as(ports.toString()).isNotNegative();
            double received = atHost < 0 ? 0 : flow.number(atHost, "XOFF received");
            // What one end has sent the other has received, if nothing is under way any more.
            assertThat(received).isBetween(sent, isFair ? sent : Double.MAX_VALUE);
        }
        page.losses("Losses", 0);
        page.everyColumnIsHeld("UDP", "Switch " + page.switchName());
    }

    /** Of incast without flow control, of which {@link IncastLabTest} has a run. */
    static void columnsOfLossesAreWhatThePortDropped(RunReport run, boolean isFair) {
        ReportPage page = ReportPage.of(run);
        double lost = page.losses("Losses", 0);
        // Senders that get no core offer less than the port can send, and nothing is lost: then
        // the section is a sentence without a table.
        if (isFair) {
            assertThat(lost).as("of what senders offer beyond the port's rate").isPositive();
        }
        if (lost > 0) {
            assertThat(page.table("Losses").sum("frames", "reason", "QUEUE_FULL"))
                    .isPositive()
                    .isEqualTo(page.drops("p4", false, "QUEUE_FULL"));
        }
        page.everyColumnIsHeld("UDP", "Switch " + page.switchName());
    }

    @Test
    @Tag("netns")
    void columnsOfAnOwnLabAreWhatThePortsCounted() throws Exception {
        OwnLabSpec spec =
                OwnLabReader.read(
                        """
                        duration: 1s
                        topology: {name: held, builder: {single-switch: {hosts: 2, link: {rate: 50Mbps}}}}
                        traffic: [{from: h1, to: h2, protocol: udp, rate: 10Mbps}, {from: h2, to: h1}]
                        commands: [{at: h1, run: "true"}]
                        """,
                        "lab.yaml");
        RunReport run;
        PrintStream setting =
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8) {
                    @Override
                    public void println(String line) {
                        if (line.contains("Ping: ")) {
                            set("p1.queue-limit=400kB");
                        }
                    }
                };
        try (OwnLab lab = new OwnLab(List.of(spec), 1, options(1), records(), "test", setting)) {
            run = lab.run();
        }
        Verdicts.isFair(run);
        assertThat(run.problems()).as(run.toText()).isEmpty();
        assertThat(run.toText())
                .containsPattern("changed at [0-9.]+ s: s1 p1.queue-limit: 500kB -> 400kB");
        assertThat(directory.resolve("report/throughput.svg"))
                .content()
                .contains("set p1.queue-limit");
        ReportPage page = ReportPage.of(run);
        Shown udpFlows = page.table("UDP");
        String[] lost = udpFlows.text(0, "lost/total (datagrams)").split("/");
        double total = Double.parseDouble(lost[1]);
        double arrived = total - Double.parseDouble(lost[0]);
        assertThat(page.counter("INGRESS", "p1", "frames.received")).isGreaterThan(arrived);
        assertThat(page.counter("EGRESS", "p2", "frames.transmitted")).isGreaterThan(arrived);
        Iperf3File udp = Iperf3File.of(directory.resolve("report"), "1-h1-h2");
        assertThat(udp.sentBytes()).isEqualTo(total * PAYLOAD_BYTES);
        udp.assertSent(udpFlows.number(0, "sent (Mb/s)") * 1e6);
        udp.assertReceived(udpFlows.number(0, "received (Mb/s)") * 1e6);
        Iperf3File tcp = Iperf3File.of(directory.resolve("report"), "2-h2-h1");
        Shown tcpFlows = page.table("TCP");
        tcp.assertReceived(tcpFlows.number(0, "received (Mb/s)") * 1e6);
        assertThat(tcp.receivedBytes())
                .isBetween(1.0, page.counter("EGRESS", "p1", "bytes.transmitted"));
        assertThat(tcpFlows.number(0, "retransmits (segments)"))
                .isLessThan(page.counter("INGRESS", "p2", "frames.received"));
        assertThat(udpFlows.text(0, "flow")).isEqualTo("h1→h2");
        assertThat(udpFlows.text(0, "phase")).isEqualTo("traffic");
        assertThat(page.table("Commands").text(0, "host")).isEqualTo("h1");
        page.everyColumnIsHeld("Drops", "Frames", "TCP", "UDP", "Switch " + page.switchName());
    }

    private static List<String> of(ReportPage page, String scope, String port, String... labels) {
        List<String> values = new ArrayList<>();
        for (String label : labels) {
            values.add(Long.toString((long) page.counter(scope, port, "pfc." + label + ".p3")));
        }
        return values;
    }
}
