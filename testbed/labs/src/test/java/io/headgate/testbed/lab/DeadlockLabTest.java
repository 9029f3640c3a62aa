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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A deadlock on real frames, and Escape, which is turned on in it. Orders must come nearly when
 * they are due, so no other test with devices runs meanwhile.
 */
@Tag("netns")
@Tag("alone")
class DeadlockLabTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final int STANDS = 1;
    private static final int SECONDS = 4;
    private static final double XON_KB = 10;
    private static final double SHARE_MBPS = 50;

    /** Of times in a figure's file, in seconds. */
    private static final double ROUNDING = 1e-6;

    /** When Escape is turned on. */
    private static final double REMEDY = 2 + STANDS;

    /** Where each switch of the ring sends to the next one, and receives from the last. */
    private static final List<String> OUT = List.of("p2", "p3", "p3");

    private static final List<String> IN = List.of("p3", "p2", "p2");

    /** How often each buffer fell to xon in the first two seconds behind the remedy. */
    private static final String FIRST =
            """
              - {for: {s: [s1, s2, s3], in: [p3, p2, p2]}, name: fell to xon first $s, unit: times, value: "[last of $s/$in pfc.xon.sent.p3 from $remedy] - [last of $s/$in pfc.xon.sent.p3 from 5s]"}
            """;

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
                        7,
                        false);
        try (OwnLab lab =
                new OwnLab(
                        ReadyLabs.deadlock(options.rate(), STANDS, SECONDS, FIRST),
                        1,
                        options,
                        records(),
                        "test",
                        nowhere)) {
            RunReport report = lab.run();
            boolean isFair = Verdicts.isFair(report);
            ReportPage page = ReportPage.of(report);
            Shown measures = page.table(Of.MEASURES);
            if (isFair) {
                assertThat(report.problems()).as(report.toText()).isEmpty();
                // Before half of the time that it is watched, so that it is explained.
                assertThat(value(measures, "all three buffers had been above xon"))
                        .isGreaterThanOrEqualTo(0.6);
                assertThat(value(measures, "let go")).isPositive();
                assertThat(report.toText())
                        .contains(
                                "Root: deadlock: @s1:p2 waits for @s2:p3 waits for @s3:p3 waits for @s1:p2."
                                        .replace("@", prefix));
                assertThat(value(measures, "ports in a cyclic wait")).isEqualTo(3);
                swings(measures, reports, report);
            }
            assertThat(report.toText()).contains("s3 p3.detour.escape.enabled: false -> true");
            // The table under the verdict counts what the verdict counts.
            JsonNode json = JsonMapper.builder().build().readTree(report.toJson());
            long inTables = 0;
            for (JsonNode node : json.path("switches")) {
                assertThat(node.path("since").asString()).isEqualTo("the network was warm");
                for (JsonNode drop : node.path("drops")) {
                    inTables += drop.path("frames").asLong(0);
                }
            }
            double dropped = value(measures, "dropped");
            double byHosts = dropped - inTables;
            assertThat(byHosts).as("dropped by hosts' cards").isNotNegative();
            if (dropped == 0) {
                assertThat(inTables).as(report.toText()).isZero();
            }
            columns(page, isFair, reports, byHosts);
            // Ports by their switches: each has a p3.
            assertThat(page.table("Flow control").row("port", "s2/p3")).isNotNegative();
            assertThat(report.toText())
                    .containsPattern(
                            "(no|[0-9]+) frames were dropped in the 2 s of warm-up before;")
                    .contains("counted since the network was warm");
            assertThat(FigureCheck.mistakesIn(reports)).isEmpty();
            assertThat(reports.resolve("series-1.svg")).content().contains("xoff").contains("xon");
            // When the ring was held, released, and the remedy was turned on.
            assertThat(reports.resolve("series-1.svg"))
                    .content()
                    .contains("rate=1Mbps")
                    .contains("rate=100Mbps")
                    .contains("detour.escape.enabled=true");
            assertThat(reports.resolve("series-1.csv")).isNotEmptyFile();
            pictures(reports, isFair);
            assertThat(reports.resolve("capture-s1.pcapng")).isNotEmptyFile();
        }
    }

    /**
     * Each buffer fell to xon in the first two seconds behind the remedy, in which the ring is full
     * yet, and once a second where a flow got less than half of its share in some second of these:
     * the file judges all seconds together.
     */
    private static void swings(Shown measures, Path reports, RunReport report) throws IOException {
        double worst = Double.MAX_VALUE;
        for (int flow = 1; flow <= 3; flow++) {
            List<double[]> looks = series(reports, 2, "f" + flow);
            worst = Math.min(worst, worstSecond(looks, REMEDY + 0.1, REMEDY + 2));
        }
        for (int node = 1; node <= 3; node++) {
            assertThat(value(measures, "fell to xon first s" + node))
                    .as("worst second %s Mb/s, %s", worst, report.toText())
                    .isGreaterThanOrEqualTo(worst >= SHARE_MBPS / 2 ? 1 : 2);
        }
    }

    /** How the ring is used until the remedy, and behind it; and when its ports were paused. */
    private static void pictures(Path reports, boolean isFair) throws IOException {
        assertThat(reports.resolve("report.html"))
                .content()
                // On a busy machine an end is later than what was asked for, and said so.
                .containsPattern("until the remedy: from 0(\\.[0-2])? to 3(\\.[0-2])? s\\.")
                .containsPattern("behind the remedy: from 3(\\.[0-2])? to 7(\\.[0-2])? s\\.");
        for (String name : List.of("network-until-the-remedy", "network-behind-the-remedy")) {
            assertThat(reports.resolve(name + ".svg")).content().contains("s1", "h3");
        }
        for (int node = 0; node < 3; node++) {
            String name = "s%d/%s paused".formatted(node + 1, OUT.get(node));
            List<double[]> paused = series(reports, 3, name);
            double meanwhile =
                    paused.stream()
                            .filter(look -> look[0] >= REMEDY - 0.3 && look[0] < REMEDY)
                            .mapToDouble(look -> look[1])
                            .average()
                            .orElse(0);
            double afterwards =
                    paused.stream()
                            .filter(look -> look[0] >= REMEDY + 1)
                            .mapToDouble(look -> look[1])
                            .average()
                            .orElse(100);
            if (isFair) {
                assertThat(meanwhile).as(name).isGreaterThan(90);
                assertThat(afterwards).as(name).isLessThan(90);
            }
        }
    }

    private static double value(Shown measures, String name) {
        return measures.number(measures.row("measure", name), "value");
    }

    /**
     * Compares measures with the ports' counters since the ring was warm, and with the looks at
     * them.
     *
     * @param isFair whether the machine let the deadlock form and each flow get on
     */
    private static void columns(ReportPage page, boolean isFair, Path reports, double byHosts)
            throws IOException {
        Shown measures = page.table(Of.MEASURES);
        double escaped = 0;
        double dropped = 0;
        double sent = 0;
        double received = 0;
        double stood = 0;
        List<double[]> least = series(reports, 1, "least of these");
        for (double[] look : least) {
            stood = look[0] >= REMEDY ? stood : look[1] > XON_KB ? stood + 1 : 0;
        }
        // A look every hundredth of a second; the machine may be late.
        assertThat(value(measures, "all three buffers had been above xon"))
                .isBetween(stood == 0 ? 0 : (stood - 1) * 0.0099, stood == 0 ? 0 : REMEDY);
        for (int node = 0; node < 3; node++) {
            String name = "s" + (node + 1);
            String in = IN.get(node);
            double held =
                    series(reports, 1, name + "/" + in).stream()
                            .filter(look -> look[0] >= REMEDY - STANDS / 2.0 && look[0] < REMEDY)
                            .mapToDouble(look -> look[1])
                            .min()
                            .orElseThrow();
            double said = value(measures, "least held while it stood " + name);
            assertThat(said).isCloseTo(held, within(0.05 + held / 1000));
            assertThat(said).isGreaterThan(isFair ? XON_KB : -1);
            assertThat(value(measures, "fell to xon behind the remedy " + name))
                    .isBetween(0.0, page.counter(node, "EGRESS", in, Egress.XON_SENT.label(3)));
            escaped += page.counter(node, "EGRESS", OUT.get(node), "escape.escaped");
            dropped += page.drops(node);
            // From its host, and to it.
            received += page.counter(node, "INGRESS", "p1", "frames.received");
            received -= page.counter(node, "INGRESS", "p1", "link.control.received");
            sent += page.counter(node, "EGRESS", "p1", "frames.transmitted");
        }
        assertThat(value(measures, "let go")).isBetween(isFair ? 1.0 : 0.0, escaped);
        assertThat(value(measures, "dropped")).isEqualTo(dropped + byHosts);
        // The three switches' counters begin at three moments, some frames apart.
        assertThat(value(measures, "missing")).isCloseTo(received - sent, within(0.01 * received));
        double worst = Double.MAX_VALUE;
        for (int flow = 0; flow < 3; flow++) {
            String name = "f" + (flow + 1);
            double second = value(measures, "worst second of " + name);
            worst = Math.min(worst, second);
            assertThat(second)
                    .isCloseTo(
                            worstSecond(series(reports, 2, name), REMEDY + 0.1, REMEDY + SECONDS),
                            within(0.1));
            assertThat(measures.text(measures.row("measure", "mean of " + name), "unit"))
                    .isEqualTo("Mb/s");
            int node = (flow + 2) % 3;
            double mbits = page.counter(node, "EGRESS", "p1", "bytes.transmitted") * 8 / 1e6;
            assertThat(value(measures, "mean of " + name))
                    .isBetween(isFair ? 0.1 : 0.0, mbits / SECONDS * 1.2);
        }
        assertThat(value(measures, "least that a flow got in a second behind the remedy"))
                .isEqualTo(worst);
        page.everyColumnIsHeld(page.others(Of.MEASURES));
    }

    /**
     * The least mean of a second between two times: of the looks up to each one those from the last
     * on that was a whole second before it.
     */
    private static double worstSecond(List<double[]> all, double begin, double end) {
        List<double[]> looks =
                all.stream()
                        .filter(look -> look[0] >= begin - ROUNDING && look[0] < end - ROUNDING)
                        .toList();
        double worst = Double.MAX_VALUE;
        for (double[] last : looks) {
            double from =
                    looks.stream()
                            .mapToDouble(look -> look[0])
                            .filter(at -> at <= last[0] - 1 + ROUNDING)
                            .max()
                            .orElse(Double.NaN);
            if (!Double.isNaN(from)) {
                worst =
                        Math.min(
                                worst,
                                looks.stream()
                                        .filter(look -> look[0] >= from && look[0] <= last[0])
                                        .mapToDouble(look -> look[1])
                                        .average()
                                        .orElseThrow());
            }
        }
        return worst;
    }

    /** Time and value of each sample of a figure's line, from the file next to it. */
    private static List<double[]> series(Path reports, int figure, String name) throws IOException {
        return Files.readAllLines(reports.resolve("series-" + figure + ".csv")).stream()
                .skip(1)
                .map(line -> line.split(","))
                .filter(cells -> cells[1].equals(name))
                .map(cells ->
                        new double[] {Double.parseDouble(cells[2]), Double.parseDouble(cells[3])})
                .toList();
    }
}
