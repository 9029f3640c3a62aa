package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.control.report.RunReport;
import io.headgate.dataplane.counter.PriorityCounter.Egress;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.figure.FigureCheck;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.ReportPage.Shown;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.deadlock.Remedy;
import io.headgate.testbed.lab.deadlock.RingTrial;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A deadlock on real frames, and Escape, which is turned on in it. */
@Tag("netns")
class DeadlockLabTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final int SECONDS = 2;

    @TempDir private Path directory;
    private final String prefix =
            "hgd" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
    private final PrintStream nowhere =
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);

    private LabRecords records() {
        return new LabRecords(directory.resolve("labs"));
    }

    @AfterEach
    void nothingIsLeft() throws BedException {
        assertThat(NetworkNamespace.names().stream().filter(name -> name.startsWith(prefix)))
                .isEmpty();
        assertThat(records().all()).isEmpty();
    }

    @Test
    void theRingStandsStillUntilEscapeIsTurnedOnAndNothingIsLost() throws Exception {
        Path reports = directory.resolve("report");
        LabOptions options =
                new LabOptions(
                        DeviceKind.AFPACKET,
                        "auto",
                        "backoff",
                        "100Mbps",
                        SECONDS,
                        1500,
                        false,
                        false,
                        reports,
                        reports,
                        prefix,
                        7);
        try (DeadlockLab lab =
                new DeadlockLab(options, Remedy.ESCAPE, 1, 1, records(), "test", nowhere)) {
            RunReport report = lab.run();
            RingTrial trial = lab.trials().getFirst();
            boolean isFair = Verdicts.isFair(report);
            if (isFair) {
                assertThat(trial.problems()).as(report.toText()).isEmpty();
                assertThat(trial.formedSeconds()).isLessThan(trial.remedySeconds());
                assertThat(trial.leastStandingBytes())
                        .hasSize(3)
                        .allMatch(bytes -> bytes > RingTrial.XON_BYTES);
                assertThat(trial.letGo()).isPositive();
                assertThat(trial.cycle())
                        .containsExactly(prefix + "s1:p2", prefix + "s2:p3", prefix + "s3:p3");
            }
            // The table under the verdict counts what the verdict counts.
            JsonNode json = JsonMapper.builder().build().readTree(report.toJson());
            long inTables = 0;
            for (JsonNode node : json.path("switches")) {
                assertThat(node.path("since").asString()).isEqualTo("the ring was warm, in run 1");
                for (JsonNode drop : node.path("drops")) {
                    inTables += drop.path("frames").asLong(0);
                }
            }
            long byHosts = trial.allDropped() - inTables;
            assertThat(byHosts).as("dropped by hosts' cards").isNotNegative();
            if (trial.allDropped() == 0) {
                assertThat(inTables).as(report.toText()).isZero();
            }
            columns(ReportPage.of(report), trial, isFair, reports, byHosts);
            assertThat(report.toText())
                    .containsPattern(
                            "(no|[0-9]+) frames were dropped in the 2 s before, in which the ring")
                    .contains("counted since the ring was warm");
            assertThat(FigureCheck.mistakesIn(reports)).isEmpty();
            assertThat(reports.resolve("buffers.svg")).content().contains("xoff").contains("xon");
            assertThat(reports.resolve("buffers-run-1.csv")).content().startsWith("seconds,");
            assertThat(reports.resolve("capture-run-1-s1.pcapng")).isNotEmptyFile();
        }
    }

    /**
     * Compares the table with the ports' counters since the ring was warm, and with the looks at
     * them.
     *
     * @param isFair whether the machine let the deadlock form and each flow get on
     */
    private static void columns(
            ReportPage page, RingTrial trial, boolean isFair, Path reports, long byHosts)
            throws IOException {
        Shown ring = page.table(Of.DEADLOCK);
        assertThat(ring.number(0, "run")).isEqualTo(1);
        assertThat(ring.text(0, "with")).isEqualTo("escape");
        double until = ring.number(0, "until (s)");
        String formed = ring.text(0, "deadlock from (s)");
        double from = formed.equals("-") ? until : Double.parseDouble(formed);
        // Whether a look within the rounding of these two times counts is not known.
        List<double[]> looks =
                Files.readAllLines(reports.resolve("buffers-run-1.csv")).stream()
                        .skip(1)
                        .map(line ->
                                Stream.of(line.split(","))
                                        .mapToDouble(Double::parseDouble)
                                        .toArray())
                        .filter(look -> look[0] >= from + 0.0006 && look[0] <= until - 0.1)
                        .toList();
        List<Double> least = ring.numbers(0, "least held meanwhile (kB)");
        double escaped = 0;
        double dropped = 0;
        double sent = 0;
        double received = 0;
        for (int node = 0; node < 3; node++) {
            int buffer = node + 1;
            double held =
                    looks.stream().mapToDouble(look -> look[buffer]).min().orElse(Double.MAX_VALUE);
            assertThat(least.get(node))
                    .isBetween(isFair ? RingTrial.XON_BYTES / 1e3 : 0, held / 1e3 + 0.05);
            String in = node == 0 ? "p3" : "p2";
            assertThat(ring.numbers(0, "fell to xon afterwards (times)").get(node))
                    .isBetween(0.0, page.counter(node, "EGRESS", in, Egress.XON_SENT.label(3)));
            String out = node == 0 ? "p2" : "p3";
            escaped += page.counter(node, "EGRESS", out, "escape.escaped");
            dropped += page.drops(node);
            // From its host, and to it.
            received += page.counter(node, "INGRESS", "p1", "frames.received");
            sent += page.counter(node, "EGRESS", "p1", "frames.transmitted");
        }
        assertThat(ring.number(0, "let go (frames)")).isBetween(isFair ? 1.0 : 0.0, escaped);
        assertThat(ring.number(0, "dropped")).isEqualTo(dropped + byHosts);
        // The three switches' counters begin at three moments, some frames apart.
        assertThat(ring.number(0, "missing"))
                .isCloseTo(received - sent + byHosts, within(0.01 * received));
        List<Double> worst = ring.numbers(0, "flows, worst second (Mb/s)");
        List<Double> mean = ring.numbers(0, "mean (Mb/s)");
        for (int flow = 0; flow < 3; flow++) {
            int number = flow;
            String name = "f" + (flow + 1);
            // Which tenths of a second are whole is not known within the rounding of these times.
            assertThat(
                            List.of(
                                    worstSecond(reports, name, trial, 1e-4),
                                    worstSecond(reports, name, trial, -1e-4)))
                    .anySatisfy(mbps -> assertThat(worst.get(number)).isCloseTo(mbps, within(0.1)));
            int node = (flow + 2) % 3;
            double mbits = page.counter(node, "EGRESS", "p1", "bytes.transmitted") * 8 / 1e6;
            assertThat(mean.get(flow)).isBetween(isFair ? 0.1 : 0.0, mbits / SECONDS * 1.2);
        }
        page.everyColumnIsHeld(
                IntStream.range(0, 3)
                        .mapToObj(node -> "Switch " + page.switchName(node))
                        .toArray(String[]::new));
    }

    /**
     * The least that a flow got in a whole second from the remedy on, of what the figure has in
     * tenths of a second.
     *
     * @param tolerance in seconds, of a tenth's edges
     */
    private static double worstSecond(Path reports, String flow, RingTrial trial, double tolerance)
            throws IOException {
        List<Double> tenths =
                Files.readAllLines(reports.resolve("throughput.csv")).stream()
                        .map(line -> line.split(",", -1))
                        .filter(row -> row[1].equals(flow))
                        .filter(row ->
                                Double.parseDouble(row[2]) - 0.05
                                                >= trial.remedySeconds() - tolerance
                                        && Double.parseDouble(row[2]) + 0.05
                                                <= trial.endSeconds() + tolerance)
                        .map(row -> Double.valueOf(row[3]))
                        .toList();
        double worst = Double.MAX_VALUE;
        for (int at = 0; at + 10 <= tenths.size(); at += 10) {
            worst =
                    Math.min(
                            worst,
                            tenths.subList(at, at + 10).stream()
                                    .mapToDouble(Double::doubleValue)
                                    .average()
                                    .orElseThrow());
        }
        return worst;
    }
}
