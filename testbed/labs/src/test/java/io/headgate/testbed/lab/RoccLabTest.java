package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.control.report.RunReport;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.figure.FigureCheck;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.ReportPage.Shown;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.validity.LabMargins;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * RoCC on real frames, with unmodified iperf3. How near rates and queue come to their targets, and
 * how many pauses are left, depends on the machine, and the lab reports it; this test checks that
 * all parts work, and that what one says the others say too. What its file finds fault with: {@code
 * RoccVerdictTest}; what RoCC does where no machine holds it back: {@code LabTwinTest}.
 */
@Tag("netns")
class RoccLabTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final double RATE_MBPS = 100;
    private static final int SECONDS = 4;

    /** What a sender's socket and card hold when the phase ends: that comes later. */
    private static final double HELD_BYTES = 1.2e6;

    /** Looks over which a rate is taken. */
    private static final int LOOKS = 10;

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
                        7,
                        false);
        try (OwnLab lab =
                new OwnLab(
                        ReadyLabs.rocc("uniform", options.rate(), SECONDS),
                        1,
                        options,
                        records(),
                        "test",
                        nowhere)) {
            RunReport report = lab.run();
            Shown measures = ReportPage.of(report).table(Of.MEASURES);
            // Senders that the machine held back need no pause, and then nothing can be compared.
            boolean arePauses = value(measures, "pauses sent, uniform none") > 0;
            assertThat(arePauses || !report.passed()).as(report.toText()).isTrue();
            assertThat(value(measures, "fair rate, uniform rocc")).isBetween(1.0, RATE_MBPS);
            assertThat(report.problems())
                    .as("what is said of losses")
                    .filteredOn(problem -> problem.contains("lost"))
                    .allMatch(problem -> problem.contains(LabMargins.HELD));
            columns(ReportPage.of(report), reports);
            String figure = Files.readString(reports.resolve("series-1-uniform-rocc.svg"));
            // Legends have no-break spaces.
            assertThat(figure.replace('\u00a0', ' ')).contains("fair rate", "h1", "h3");
            assertThat(reports.resolve("series-2-uniform-rocc.svg"))
                    .content()
                    .contains("reference");
            assertThat(FigureCheck.mistakesIn(reports)).isEmpty();
        }
    }

    /** Compares measures with the ports' counters of each run, and with the files of figures. */
    private static void columns(ReportPage page, Path reports) throws IOException {
        Shown measures = page.table(Of.MEASURES);
        List<String> runs = List.of("uniform none", "uniform rocc");
        for (int row = 0; row < runs.size(); row++) {
            String run = runs.get(row);
            assertThat(value(measures, "max-min share, " + run))
                    .isCloseTo(RATE_MBPS / 3, within(0.01));
            double pauses = 0;
            double used = 0;
            for (int host = 1; host <= 3; host++) {
                pauses += page.counter(row, "EGRESS", "p" + host, "link.control.transmitted");
                double flow = value(measures, "flow-" + host + ", " + run);
                near(flow, series(reports, 1, run, "h" + host));
                used += flow;
                bytes(page, row, host, series(reports, 1, run, "h" + host));
            }
            assertThat(value(measures, "pauses sent, " + run)).isEqualTo(pauses);
            assertThat(value(measures, "line used, " + run))
                    .isCloseTo(100 * used / RATE_MBPS, within(0.1));
            assertThat(value(measures, "queue, " + run) * 1e3)
                    .isBetween(0.0, page.counter(row, "EGRESS", "p4", "queue.max.bytes") + 50);
            near(value(measures, "queue, " + run), series(reports, 2, run, "queue of p4"));
        }
        near(
                value(measures, "fair rate, uniform rocc"),
                series(reports, 1, runs.getLast(), "fair rate"));
        double notices = value(measures, "notices, uniform rocc");
        assertThat(notices).isEqualTo(page.counter(1, "EGRESS", "p4", "rocc.notices.p3"));
        if (page.counter(1, "EGRESS", "p4", "queue.max.bytes") > NOTICED_BYTES) {
            assertThat(notices).isPositive();
        }
        assertThat(rows(measures)).noneMatch(row -> row.startsWith("notices, uniform none"));
    }

    private static List<String> rows(Shown measures) {
        return IntStream.range(0, measures.rows())
                .mapToObj(row -> measures.text(row, "measure"))
                .toList();
    }

    private static double value(Shown measures, String name) {
        return measures.number(rows(measures).indexOf(name), "value");
    }

    /** Compares a measure with the samples of its series from 2 s on, as the lab's file does. */
    private static void near(double mean, List<double[]> samples) {
        DoubleSummaryStatistics within =
                samples.stream()
                        .filter(one -> one[0] >= SECONDS / 2.0 && one[0] < SECONDS)
                        .mapToDouble(one -> one[1])
                        .summaryStatistics();
        assertThat(mean).isCloseTo(within.getAverage(), within(0.01 + 1e-3 * within.getMax()));
    }

    /**
     * Holds what came from a sender with one flow against the port's counters, at whatever times
     * the machine let it look. A rate is that of ten looks: each tenth one, with the time since the
     * one ten before, makes all bytes.
     */
    private static void bytes(ReportPage page, int row, int host, List<double[]> looks) {
        double bytes = 0;
        for (int i = LOOKS; i < looks.size(); i += LOOKS) {
            bytes += bytes(looks, i);
        }
        // Headers, preambles and gaps are on the wire, and frames of flow control do not count.
        String port = "p" + host;
        double wireBytes =
                page.counter(row, "INGRESS", port, "bytes.received")
                        + 24 * page.counter(row, "INGRESS", port, "frames.received")
                        - 84 * page.counter(row, "INGRESS", port, "link.control.received");
        assertThat(bytes).isLessThan(1.01 * wireBytes);
        // Up to nine looks are left at the end; before the first one there is no traffic.
        assertThat(bytes + bytes(looks, looks.size() - 1))
                .isGreaterThan(0.99 * wireBytes - HELD_BYTES);
    }

    private static double bytes(List<double[]> looks, int last) {
        double seconds = looks.get(last)[0] - looks.get(last - LOOKS)[0];
        return looks.get(last)[1] * seconds * 1e6 / Byte.SIZE;
    }

    /** Time and value of each sample of a figure's line, from the file next to it. */
    private static List<double[]> series(Path reports, int figure, String run, String name)
            throws IOException {
        Path file = reports.resolve("series-" + figure + "-" + run.replace(' ', '-') + ".csv");
        return Files.readAllLines(file).stream()
                .skip(1)
                .map(line -> line.split(","))
                .filter(cells -> cells[1].equals(name))
                .map(cells ->
                        new double[] {Double.parseDouble(cells[2]), Double.parseDouble(cells[3])})
                .toList();
    }
}
