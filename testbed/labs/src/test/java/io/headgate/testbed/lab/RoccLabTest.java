package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.control.report.RunReport;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.figure.FigureCheck;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.ReportPage.Shown;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.rocc.History;
import io.headgate.testbed.lab.rocc.Trial;
import io.headgate.testbed.lab.validity.LabMargins;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * RoCC on real frames, with unmodified iperf3. How near rates and queue come to their targets, and
 * how many pauses are left, depends on the machine, and the lab reports it; this test checks that
 * all parts work, and that what one says the others say too. What RoCC does where no machine holds
 * it back: {@code RoccTwinTest}, and the last two rows of the lab's table.
 */
@Tag("netns")
class RoccLabTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final double RATE_MBPS = 100;
    private static final int SECONDS = 4;

    /**
     * A queue as long as that has been beyond its reference of 75 kB at the end of a period,
     * however fast it was emptied: the line takes 125 kB in a period of 10 ms.
     */
    private static final double NOTICED_BYTES = 200_000;

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
    void withRoccSendersAreNotifiedAndFollow() throws Exception {
        Path reports = directory.resolve("report");
        LabOptions options =
                new LabOptions(
                        DeviceKind.AFPACKET,
                        "auto",
                        "backoff",
                        (int) RATE_MBPS + "Mbps",
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
                        ReadyLabs.rocc("uniform", options.rate(), SECONDS),
                        1,
                        records(),
                        "test",
                        nowhere)) {
            RunReport report = lab.run();
            Trial without = lab.trials().getFirst();
            Trial with = lab.trials().getLast();
            assertThat(without.isControlled()).isFalse();
            assertThat(without.notices()).isZero();
            // Senders that the machine held back need no pause, and then nothing can be compared.
            assertThat(report.doubts().stream().anyMatch(doubt -> !doubt.ofMachine()))
                    .as(report.toText())
                    .isEqualTo(without.pauseFrames() == 0);
            assertThat(with.isControlled()).as(report.toText()).isTrue();
            assertThat(with.fairMbps()).isBetween(1.0, RATE_MBPS);
            assertThat(with.referenceKb()).isEqualTo(75);
            assertThat(report.problems())
                    .as("what is said of losses")
                    .filteredOn(problem -> problem.contains("lost"))
                    .allMatch(problem -> problem.contains(LabMargins.HELD));
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
            flows(page, row, looks(reports, run));
            assertThat(rates.number(row, "queue (kB)") * 1e3)
                    .isBetween(0.0, page.counter(row, "EGRESS", "p4", "queue.max.bytes") + 50);
            DoubleSummaryStatistics queue = mean(looks(reports, run), 2);
            assertThat(rates.number(row, "queue (kB)"))
                    .isCloseTo(queue.getAverage(), within(rounded(queue)));
        }
        assertThat(rates.text(0, "fair rate (Mb/s)")).isEqualTo("-");
        assertThat(rates.number(0, "notices")).isZero();
        DoubleSummaryStatistics fair = mean(looks(reports, runs.getLast()), 1);
        assertThat(rates.number(1, "fair rate (Mb/s)"))
                .isCloseTo(fair.getAverage(), within(rounded(fair)));
        assertThat(rates.number(1, "notices"))
                .isEqualTo(page.counter(1, "EGRESS", "p4", "rocc.notices.p3"));
        if (page.counter(1, "EGRESS", "p4", "queue.max.bytes") > NOTICED_BYTES) {
            assertThat(rates.number(1, "notices")).isPositive();
        }
        assertThat(rates.text(3, "run")).isEqualTo("uniform with RoCC, virtual time");
        assertThat(rates.number(3, "notices")).isPositive();
        assertThat(rates.number(3, "pauses (frames)"))
                .isPositive()
                .isLessThan(rates.number(2, "pauses (frames)") / 10);
        page.everyColumnIsHeld(
                "UDP uniform without RoCC",
                "UDP uniform with RoCC",
                "Flow control uniform without RoCC",
                "Flow control uniform with RoCC",
                "Switch " + page.switchName());
    }

    /**
     * Holds what came from the senders, each with one flow, against the file of looks, and the file
     * against the ports' counters, at whatever times the machine let it look. A row's rate is that
     * of ten looks: each tenth row, with the time since the row ten before, makes all bytes.
     */
    private static void flows(ReportPage page, int row, List<double[]> looks) {
        List<Double> flows = page.table(Of.FAIR_RATES).numbers(row, "flows (Mb/s)");
        assertThat(flows).hasSize(3);
        for (int sender = 1; sender <= flows.size(); sender++) {
            int column = 2 + sender;
            DoubleSummaryStatistics mean = mean(looks, column);
            assertThat(flows.get(sender - 1)).isCloseTo(mean.getAverage(), within(rounded(mean)));
            double bytes = 0;
            for (int i = History.RATE_OF; i < looks.size(); i += History.RATE_OF) {
                bytes += bytes(looks, i, column);
            }
            // Headers, preambles and gaps are on the wire, and frames of flow control do not count.
            String port = "p" + sender;
            double wireBytes =
                    page.counter(row, "INGRESS", port, "bytes.received")
                            + 24 * page.counter(row, "INGRESS", port, "frames.received")
                            - 84 * page.counter(row, "INGRESS", port, "link.control.received");
            // Times have three decimals, of the 0.1 s at least between two of these rows.
            assertThat(bytes).isLessThan(1.01 * wireBytes);
            // Up to nine rows are left at the end; before the first row there is no time.
            if (looks.getFirst()[column] == 0) {
                assertThat(bytes + bytes(looks, looks.size() - 1, column))
                        .isGreaterThan(0.99 * wireBytes);
            }
        }
    }

    private static double bytes(List<double[]> looks, int last, int column) {
        double seconds = looks.get(last)[0] - looks.get(last - History.RATE_OF)[0];
        return looks.get(last)[column] * seconds * 1e6 / Byte.SIZE;
    }

    /** The looks at the ports' gauges, as the file of a run has them. */
    private static List<double[]> looks(Path reports, String run) throws IOException {
        Path file =
                reports.resolve(
                        "series-" + run.toLowerCase(Locale.ROOT).replace(' ', '-') + ".csv");
        return Files.readAllLines(file).stream()
                .skip(1)
                .map(line ->
                        Arrays.stream(line.split(",")).mapToDouble(Double::parseDouble).toArray())
                .toList();
    }

    /** Mean of a column of the looks, over the time that the table covers. */
    private static DoubleSummaryStatistics mean(List<double[]> looks, int column) {
        return looks.stream()
                .filter(cells -> cells[0] >= 1 && cells[0] < SECONDS - 0.2)
                .mapToDouble(cells -> cells[column])
                .summaryStatistics();
    }

    /**
     * By how much a mean with one decimal may be off. Times in the file are rounded, so one sample
     * at each end may count in one of the two means alone.
     */
    private static double rounded(DoubleSummaryStatistics values) {
        return 0.05 + 2 * values.getMax() / values.getCount();
    }
}
