package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.control.report.RunReport;
import io.headgate.dataplane.counter.PriorityCounter.Egress;
import io.headgate.dataplane.counter.PriorityCounter.Ingress;
import io.headgate.dataplane.counter.WorkerCounter;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Columns of the labs' reports beside what the ports' own counters say: no two numbers for one
 * fact, and none that does not say of what it is, and from when.
 */
class ReportColumnsTest {
    private static final Pattern TABLE = Pattern.compile("<table><tr>(.*?)</tr>\n(.*?)</table>");
    private static final Pattern HEADING = Pattern.compile("<th( title=\"[^\"]+\")?>(.*?)</th>");
    private static final Pattern ROW = Pattern.compile("<tr>(.*?)</tr>");
    private static final Pattern CELL = Pattern.compile("<td[^>]*>(.*?)</td>");
    private static final int PAYLOAD_BYTES = 1448;
    private static final double RATE_BPS = 100e6;

    @TempDir private Path directory;

    /** A table of a report as its page shows it, and its report for programs. */
    private record Shown(List<String> headings, List<List<String>> rows, boolean isExplained) {
        String text(int row, String heading) {
            assertThat(headings).contains(heading);
            return rows.get(row).get(headings.indexOf(heading));
        }

        double number(int row, String heading) {
            return Double.parseDouble(text(row, heading));
        }

        double sum(String heading, String where, String is) {
            double sum = 0;
            for (int row = 0; row < rows.size(); row++) {
                sum += text(row, where).equals(is) ? number(row, heading) : 0;
            }
            return sum;
        }
    }

    private static List<Shown> tables(String html, String section) {
        int at = html.indexOf("<h2>" + section + "</h2>");
        assertThat(at).as(section).isNotNegative();
        int end = html.indexOf("<h2>", at + 1);
        List<Shown> tables = new ArrayList<>();
        Matcher table =
                Pattern.compile(TABLE.pattern(), Pattern.DOTALL)
                        .matcher(html.substring(at, end < 0 ? html.length() : end));
        while (table.find()) {
            List<String> headings = new ArrayList<>();
            boolean isExplained = true;
            Matcher heading = HEADING.matcher(table.group(1));
            while (heading.find()) {
                headings.add(heading.group(2));
                isExplained &= heading.group(1) != null;
            }
            List<List<String>> rows = new ArrayList<>();
            Matcher row = ROW.matcher(table.group(2));
            while (row.find()) {
                List<String> cells = new ArrayList<>();
                Matcher cell = CELL.matcher(row.group(1));
                while (cell.find()) {
                    cells.add(cell.group(1));
                }
                rows.add(cells);
            }
            tables.add(new Shown(headings, rows, isExplained));
        }
        assertThat(tables).as(section).isNotEmpty();
        return tables;
    }

    private static Shown table(String html, String section) {
        return tables(html, section).getFirst();
    }

    private static double counter(JsonNode report, String scope, String owner, String label) {
        for (JsonNode one : report.at("/switches/0/counters")) {
            if (one.path("scope").asString().equals(scope)
                    && one.path("owner").asString().equals(owner)
                    && one.path("label").asString().equals(label)) {
                return one.path("value").asDouble();
            }
        }
        throw new AssertionError("no counter " + scope + " " + owner + " " + label);
    }

    private static double drops(JsonNode report, String port, boolean ingress, String reason) {
        double sum = 0;
        for (JsonNode drop : report.at("/switches/0/drops")) {
            boolean isIt =
                    drop.path("port").asString().equals(port)
                            && drop.path("ingress").asBoolean() == ingress
                            && (reason.isEmpty() || drop.path("reason").asString().equals(reason));
            sum += isIt ? drop.path("frames").asDouble() : 0;
        }
        return sum;
    }

    private LabOptions options(int seconds) {
        Path report = directory.resolve("report");
        return new LabOptions(
                DeviceKind.AFPACKET,
                "single",
                "backoff",
                "100Mbps",
                0,
                seconds,
                1500,
                false,
                false,
                report,
                report,
                "hgcol" + ProcessHandle.current().pid() + "-",
                7);
    }

    private LabRecords records() {
        return new LabRecords(directory.resolve("labs"));
    }

    private static PrintStream nowhere() {
        return new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    }

    private static JsonNode json(RunReport report) {
        return JsonMapper.builder().build().readTree(report.toJson());
    }

    /** Every column that a report's tables show says what it is, on the page and for programs. */
    private static void allAreExplained(String html, JsonNode report, String... sections) {
        for (String section : sections) {
            Shown shown = table(html, section);
            assertThat(shown.isExplained).as(section + ": " + shown.headings).isTrue();
            assertThat(report.path("columns").path(section).size())
                    .as(section)
                    .isEqualTo(shown.headings.size());
        }
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
        assertThat(numbers).isGreaterThanOrEqualTo(60);
        for (LabColumn.Of of : LabColumn.Of.values()) {
            assertThat(LabColumn.table(of).says()).as(of.section()).isNotEmpty();
        }
    }

    @Test
    @Tag("netns")
    void columnsOfFourPortAreWhatThePortsCounted() throws BedException {
        RunReport run;
        try (FourPortLab lab = new FourPortLab(options(1), records(), "test", nowhere())) {
            run = lab.run();
        }
        Verdicts.isFair(run);
        JsonNode report = json(run);
        String html = run.toHtml();
        allAreExplained(html, report, "TCP", "UDP", "Drops", "Frames");
        Shown frames = table(html, "Frames");
        for (int row = 0; row < 4; row++) {
            String port = frames.text(row, "port");
            double received = frames.number(row, "received");
            double forwarded = frames.number(row, "forwarded");
            double in = frames.number(row, "dropped in");
            double out = frames.number(row, "dropped out");
            assertThat(received).isEqualTo(counter(report, "INGRESS", port, "frames.received"));
            assertThat(forwarded)
                    .isEqualTo(
                            counter(report, "INGRESS", port, "frames.forwarded")
                                    - counter(report, "INGRESS", port, "frames.copied"));
            assertThat(frames.number(row, "transmitted"))
                    .isEqualTo(counter(report, "EGRESS", port, "frames.transmitted"));
            assertThat(in).isEqualTo(drops(report, port, true, ""));
            assertThat(out).isEqualTo(drops(report, port, false, ""));
            assertThat(frames.number(row, "unexplained")).isZero();
            assertThat(frames.number(row, "host sent")).isBetween(forwarded, forwarded + in);
            assertThat(frames.number(row, "host received"))
                    .isEqualTo(
                            frames.number(row, "transmitted")
                                    - drops(report, port, false, "KERNEL_TX"));
        }
        Shown drops = table(html, "Drops");
        assertThat(drops.rows).anyMatch(row -> row.contains("UDP incast"));
        for (List<String> row : drops.rows) {
            String port = row.get(1);
            if (!port.equals("-")) {
                double since = drops(report, port, row.get(2).equals("in"), row.get(3));
                assertThat(Double.parseDouble(row.get(4))).isBetween(1.0, since);
            }
        }
        udp(table(html, "UDP"), report);
        tcp(table(html, "TCP"), report);
        workers(tables(html, "Switch " + report.at("/switches/0/name").asString()), report);
    }

    private static void udp(Shown udp, JsonNode report) {
        double arrivedAtFour = 0;
        for (int row = 0; row < udp.rows.size(); row++) {
            String[] lost = udp.text(row, "lost/total (datagrams)").split("/");
            double total = Double.parseDouble(lost[1]);
            double arrived = total - Double.parseDouble(lost[0]);
            assertThat(udp.number(row, "lost (%)"))
                    .isCloseTo(100 - 100 * arrived / total, within(0.006));
            boolean isToFour = udp.text(row, "flow").endsWith("h4");
            arrivedAtFour += isToFour ? arrived : 0;
            String sender = "p" + udp.text(row, "flow").charAt(1);
            assertThat(counter(report, "INGRESS", sender, "frames.received"))
                    .isGreaterThanOrEqualTo(arrived);
            // The sender's clock and the receiver's are not the same second.
            double bits = total * PAYLOAD_BYTES * 8;
            assertThat(udp.number(row, "sent (Mb/s)") * 1e6).isCloseTo(bits, within(0.2 * bits));
            assertThat(udp.number(row, "received (Mb/s)") * 1e6).isLessThan(RATE_BPS);
            assertThat(udp.number(row, "jitter (ms)")).isNotNegative();
        }
        double transmitted = counter(report, "EGRESS", "p4", "frames.transmitted");
        assertThat(arrivedAtFour).isBetween(1.0, transmitted);
        double gone =
                drops(report, "p4", false, "QUEUE_FULL")
                        + drops(report, "p4", true, "")
                        + counter(report, "EGRESS", "p4", "frames.transmitted");
        assertThat(gone).isGreaterThan(arrivedAtFour);
    }

    private static void tcp(Shown tcp, JsonNode report) {
        double atFour = 0;
        for (int row = 0; row < tcp.rows.size(); row++) {
            double mbps = tcp.number(row, "received (Mb/s)");
            assertThat(mbps * 1e6).isBetween(1.0, RATE_BPS);
            atFour += tcp.text(row, "flow").endsWith("h4") ? mbps * 1e6 / 8 : 0;
            String sender = "p" + tcp.text(row, "flow").charAt(1);
            assertThat(tcp.number(row, "retransmits (segments)"))
                    .isBetween(0.0, counter(report, "INGRESS", sender, "frames.received"));
        }
        assertThat(atFour).isLessThan(counter(report, "EGRESS", "p4", "bytes.transmitted"));
    }

    private static void workers(List<Shown> ofSwitch, JsonNode report) {
        Shown workers = ofSwitch.getFirst();
        assertThat(workers.isExplained).as(workers.headings.toString()).isTrue();
        assertThat(workers.rows).hasSize(1);
        String worker = workers.text(0, "worker");
        double busy = counter(report, "WORKER", worker, WorkerCounter.BUSY_NS.label());
        double idle = counter(report, "WORKER", worker, WorkerCounter.IDLE_NS.label());
        assertThat(workers.number(0, "busy (%)"))
                .isCloseTo(100 * busy / (busy + idle), within(0.1));
        assertThat(workers.number(0, "empty polls"))
                .isEqualTo(counter(report, "WORKER", worker, WorkerCounter.EMPTY_CYCLES.label()));
        assertThat(workers.number(0, "longest cycle (µs)"))
                .isCloseTo(
                        counter(report, "WORKER", worker, WorkerCounter.LONGEST_CYCLE_NS.label())
                                / 1e3,
                        within(0.1));
        assertThat(workers.number(0, "over threshold (cycles)"))
                .isEqualTo(counter(report, "WORKER", worker, WorkerCounter.STALLS.label()));
        assertThat(workers.number(0, "latest wake-up (µs)"))
                .isCloseTo(
                        counter(report, "WORKER", worker, WorkerCounter.LATENESS_MAX_NS.label())
                                / 1e3,
                        within(0.1));
        Shown drops = ofSwitch.getLast();
        assertThat(drops.isExplained).as(drops.headings.toString()).isTrue();
        assertThat(drops.sum("frames", "port", "p4"))
                .isEqualTo(drops(report, "p4", true, "") + drops(report, "p4", false, ""));
    }

    @Test
    @Tag("netns")
    void columnsOfFlowControlAreWhatThePortsCounted() throws BedException {
        RunReport run;
        try (IncastLab lab = new IncastLab(options(2), Mode.PFC, records(), "test", nowhere())) {
            run = lab.run();
        }
        Verdicts.isFair(run);
        JsonNode report = json(run);
        String html = run.toHtml();
        allAreExplained(html, report, "UDP", "Flow control");
        Shown flow = table(html, "Flow control");
        List<String> ports = flow.rows.stream().map(List::getFirst).toList();
        assertThat(ports).contains("p1", "p2", "p3");
        for (int row = 0; row < flow.rows.size(); row++) {
            String port = ports.get(row);
            if (!port.startsWith("p")) {
                continue;
            }
            // Lossless traffic is the phase's alone, so the phase has all that the port counted.
            List<String> cells = flow.rows.get(row);
            assertThat(flow.number(row, "prio")).isEqualTo(3);
            assertThat(List.of(cells.get(2), cells.get(3), cells.get(4)))
                    .isEqualTo(of(report, "EGRESS", port, "xoff.sent", "refresh.sent", "xon.sent"));
            assertThat(List.of(cells.get(5), cells.get(6), cells.get(7)))
                    .isEqualTo(
                            of(
                                    report,
                                    "INGRESS",
                                    port,
                                    "xoff.received",
                                    "refresh.received",
                                    "xon.received"));
            assertThat(flow.number(row, "stopped (times)"))
                    .isEqualTo(counter(report, "EGRESS", port, Egress.STOPS.label(3)));
            assertThat(flow.number(row, "stopped (ms)"))
                    .isCloseTo(
                            counter(report, "EGRESS", port, Egress.STOPPED_NS.label(3)) / 1e6,
                            within(0.001));
            assertThat(flow.number(row, "longest (ms)"))
                    .isCloseTo(
                            counter(report, "EGRESS", port, Egress.STOPPED_MAX_NS.label(3)) / 1e6,
                            within(0.001));
            assertThat(flow.number(row, "peak (bytes)"))
                    .isEqualTo(
                            counter(report, "INGRESS", port, Ingress.OCCUPANCY_MAX_BYTES.label(3)));
            assertThat(flow.number(row, "held (bytes)"))
                    .isEqualTo(counter(report, "INGRESS", port, Ingress.OCCUPANCY_BYTES.label(3)));
            assertThat(flow.number(row, "storms")).isZero();
        }
        for (int host = 1; host <= 3; host++) {
            int atSwitch = ports.indexOf("p" + host);
            int atHost =
                    ports.indexOf("hgcol" + ProcessHandle.current().pid() + "-h" + host + ".wire");
            assertThat(atHost).as(ports.toString()).isNotNegative();
            // What one end has sent the other has received.
            assertThat(flow.rows.get(atHost).get(5)).isEqualTo(flow.rows.get(atSwitch).get(2));
        }
    }

    @Test
    @Tag("netns")
    void columnsOfLossesAreWhatThePortDropped() throws BedException {
        RunReport run;
        try (IncastLab lab = new IncastLab(options(1), Mode.NONE, records(), "test", nowhere())) {
            run = lab.run();
        }
        Verdicts.isFair(run);
        JsonNode report = json(run);
        allAreExplained(run.toHtml(), report, "UDP", "Losses");
        Shown losses = table(run.toHtml(), "Losses");
        double tail = 0;
        for (int row = 0; row < losses.rows.size(); row++) {
            boolean isTail = losses.text(row, "reason").equals("QUEUE_FULL");
            boolean isAtFour = losses.text(row, "where").equals("switch, port p4");
            tail += isTail && isAtFour ? losses.number(row, "frames") : 0;
        }
        assertThat(tail).isPositive().isEqualTo(drops(report, "p4", false, "QUEUE_FULL"));
    }

    @Test
    @Tag("netns")
    void columnsOfAnOwnLabAreWhatThePortsCounted() throws BedException {
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
        try (OwnLab lab = new OwnLab(spec, options(1), records(), "test", nowhere())) {
            run = lab.run();
        }
        Verdicts.isFair(run);
        JsonNode report = json(run);
        allAreExplained(run.toHtml(), report, "Ping", "Flows", "Commands", "Frames");
        Shown flows = table(run.toHtml(), "Flows");
        String[] lost = flows.text(0, "lost/total (datagrams)").split("/");
        double total = Double.parseDouble(lost[1]);
        double arrived = total - Double.parseDouble(lost[0]);
        assertThat(counter(report, "INGRESS", "p1", "frames.received")).isGreaterThan(arrived);
        assertThat(counter(report, "EGRESS", "p2", "frames.transmitted")).isGreaterThan(arrived);
        double bits = total * PAYLOAD_BYTES * 8;
        assertThat(flows.number(0, "sent (Mb/s)") * 1e6).isCloseTo(bits, within(0.2 * bits));
        assertThat(flows.number(0, "received (Mb/s)")).isBetween(1.0, 50.0);
        assertThat(flows.number(1, "received (Mb/s)") * 1e6 / 8)
                .isBetween(1.0, counter(report, "EGRESS", "p1", "bytes.transmitted"));
        assertThat(flows.number(1, "retransmits"))
                .isLessThan(counter(report, "INGRESS", "p2", "frames.received"));
    }

    private static List<String> of(JsonNode report, String scope, String port, String... labels) {
        List<String> values = new ArrayList<>();
        for (String label : labels) {
            values.add(Long.toString((long) counter(report, scope, port, "pfc." + label + ".p3")));
        }
        return values;
    }
}
