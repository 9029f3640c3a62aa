package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.control.report.RunReport;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.figure.FigureCheck;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.ReportPage.Shown;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.rocc.Demand;
import io.headgate.testbed.lab.rocc.Trial;
import io.headgate.testbed.lab.validity.LabMargins;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.netns.LabRecords;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * RoCC on real frames, with unmodified iperf3. How near rates and queue come to their targets
 * depends on the machine, and the lab reports it; this test checks that all parts work.
 */
@Tag("netns")
class RoccLabTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final double RATE_MBPS = 100;
    private static final int SECONDS = 4;

    @TempDir private Path directory;
    private final String prefix =
            "hgr" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
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
    void withRoccSendersAreToldAndFollowAndPausesBecomeFew() throws Exception {
        Path reports = directory.resolve("report");
        LabOptions options =
                new LabOptions(
                        DeviceKind.AFPACKET,
                        "auto",
                        "backoff",
                        (int) RATE_MBPS + "Mbps",
                        0,
                        SECONDS,
                        1500,
                        false,
                        false,
                        reports,
                        reports,
                        prefix,
                        7);
        try (RoccLab lab =
                new RoccLab(
                        options,
                        List.of(Demand.UNIFORM),
                        Protocol.UDP,
                        1,
                        records(),
                        "test",
                        nowhere)) {
            RunReport report = lab.run();
            Trial without = lab.trials().getFirst();
            Trial with = lab.trials().getLast();
            assertThat(without.isControlled()).isFalse();
            assertThat(without.notices()).isZero();
            assertThat(without.pauseFrames()).isPositive();
            assertThat(with.isControlled()).as(report.toText()).isTrue();
            assertThat(with.notices()).isPositive();
            assertThat(with.fairMbps()).isBetween(1.0, 100.0);
            assertThat(with.referenceKb()).isEqualTo(75);
            assertThat(with.pauseFrames()).isLessThan(without.pauseFrames());
            assertThat(with.flowMbps()).hasSize(3).allMatch(mbps -> mbps > 0);
            assertThat(report.problems())
                    .as("what is said of losses")
                    .filteredOn(problem -> problem.contains("lost"))
                    .allMatch(problem ->
                            problem.contains(LabMargins.HELD)
                                    || problem.contains(Losses.ONLY_SOCKETS));
            columns(ReportPage.of(report), reports);
            // Legends have no-break spaces.
            String figure =
                    Files.readString(reports.resolve("throughput-uniform-with-rocc.svg"))
                            .replace('\u00a0', ' ');
            assertThat(figure).contains("fair rate").contains("the same, virtual");
            assertThat(FigureCheck.mistakesIn(reports)).isEmpty();
            assertThat(reports.resolve("series-uniform-with-rocc.csv"))
                    .content()
                    .startsWith("seconds,fair_mbps,queue_kb,h1_mbps");
            assertThat(reports.resolve("queue-uniform-without-rocc.svg")).isNotEmptyFile();
        }
    }

    /** Compares the table with the ports' counters of each phase, and with the file of looks. */
    private static void columns(ReportPage page, Path reports) throws IOException {
        Shown rates = page.table(Of.FAIR_RATES);
        List<String> runs = List.of("uniform without RoCC", "uniform with RoCC");
        for (int row = 0; row < runs.size(); row++) {
            String run = runs.get(row);
            assertThat(rates.text(row, "run")).isEqualTo(run);
            assertThat(rates.number(row, "max-min share (Mb/s)"))
                    .isCloseTo(RATE_MBPS / 3, within(0.05));
            double pauses = 0;
            for (int port = 1; port <= 3; port++) {
                pauses += page.counter(row, "EGRESS", "p" + port, "link.control.transmitted");
            }
            assertThat(rates.number(row, "pauses (frames)")).isEqualTo(pauses);
            assertThat(rates.number(row, "lost (frames)"))
                    .isEqualTo(page.losses("Losses " + run, row));
            // Headers, preambles and gaps are on the wire; the first second is not in the mean.
            double frames = page.counter(row, "EGRESS", "p4", "frames.transmitted");
            double bytes = page.counter(row, "EGRESS", "p4", "bytes.transmitted");
            double wireMbps = (bytes + 24 * frames) * 8 / 1e6 / SECONDS;
            double sum =
                    rates.numbers(row, "flows (Mb/s)").stream()
                            .mapToDouble(Double::doubleValue)
                            .sum();
            assertThat(sum).isBetween(0.75 * wireMbps, Math.min(1.25 * wireMbps, RATE_MBPS + 1));
            assertThat(rates.number(row, "queue (kB)") * 1e3)
                    .isBetween(0.0, page.counter(row, "EGRESS", "p4", "queue.max.bytes") + 50);
            DoubleSummaryStatistics queue = column(reports, run, 2);
            assertThat(rates.number(row, "queue (kB)"))
                    .isCloseTo(queue.getAverage(), within(rounded(queue)));
        }
        assertThat(rates.text(0, "fair rate (Mb/s)")).isEqualTo("-");
        assertThat(rates.number(0, "notices")).isZero();
        DoubleSummaryStatistics fair = column(reports, runs.getLast(), 1);
        assertThat(rates.number(1, "fair rate (Mb/s)"))
                .isCloseTo(fair.getAverage(), within(rounded(fair)));
        assertThat(rates.number(1, "notices"))
                .isEqualTo(page.counter(1, "EGRESS", "p4", "rocc.notices.p3"));
        page.everyColumnIsHeld(
                "UDP uniform without RoCC", "UDP uniform with RoCC", "Switch " + page.switchName());
    }

    /** Mean of a column of the looks at the ports' gauges, over the time that the table covers. */
    private static DoubleSummaryStatistics column(Path reports, String run, int column)
            throws IOException {
        Path file =
                reports.resolve(
                        "series-" + run.toLowerCase(Locale.ROOT).replace(' ', '-') + ".csv");
        return Files.readAllLines(file).stream()
                .skip(1)
                .map(line -> line.split(","))
                .filter(cells -> Double.parseDouble(cells[0]) >= 1)
                .filter(cells -> Double.parseDouble(cells[0]) < SECONDS - 0.2)
                .mapToDouble(cells -> Double.parseDouble(cells[column]))
                .summaryStatistics();
    }

    /**
     * By how much a mean with one decimal may be off. Times in the file are rounded, so one sample
     * at an end may count in one of the two means alone.
     */
    private static double rounded(DoubleSummaryStatistics values) {
        return 0.05 + values.getMax() / values.getCount();
    }
}
