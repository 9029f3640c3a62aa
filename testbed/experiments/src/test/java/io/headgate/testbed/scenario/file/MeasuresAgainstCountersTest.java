package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.MeasureKind;
import io.headgate.testbed.scenario.MeasureKind.Of;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.QuietRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Compares every measure with the ports' own counters, or with what follows from the traffic: no
 * fact has two numbers, and every number has been compared with another one.
 */
class MeasuresAgainstCountersTest {
    private static final int FRAME_BYTES = 1082;

    /** Bytes of 3 flows. */
    private static final double BYTES = 3 * 1_024_000.0;

    private static final String TOPOLOGY =
            """
            name: held
            duration: %s
            topology:
              name: star
              link: {rate: 10Gbps, delay: 1us}
              builder: {single-switch: {hosts: 4}}
              queue-limit: 100kB
              ports:
                %s
            traffic:
              - {name: f, from: [h1, h2, h3], to: h4, %s}
            record:
              interval: 1ms
              counters: [%s]
            """;

    /** Three reliable connections of which a short queue drops: they go back, and repeat. */
    private static final String LOSSY =
            TOPOLOGY.formatted(
                    "100ms",
                    "classify: {trust: dscp}",
                    "transport: rocev2, frame: 1082B, size: 1024000B, message: 64kB, window: 600",
                    counters("queue.max.bytes"));

    /** Three senders behind pauses, with marks. */
    private static final String PAUSED =
            TOPOLOGY.formatted(
                            "20ms",
                            "{flow-control: pfc, classify: {trust: port, default: 3}, buffers: {xoff:"
                                    + " 100kB, xon: 40kB}, congestion: {red: {priorities: [3], kmin: 30kB,"
                                    + " kmax: 30kB}}}",
                            "ecn: ect0, frame: 1082B, size: 1024000B",
                            counters("queue.max.bytes", "red.marked.p3", "pfc.xoff.sent.p3")
                                    + ", s1/p1 pfc.xoff.sent.p3, s1/p1 buffer.max.bytes.p3,"
                                    + " h1/wire pfc.xoff.received.p3, h1/wire stopped.ns.p3")
                    + """
                      queues: [switch, s1/p4]
                    tiers:
                      switch: [s1/p*]
                      senders: [h1, h2, h3]
                    classes:
                      - {name: large, of: f, above: 1023999B, to: 1024000B}
                      - {name: larger, of: f, above: 1024000B}
                    say:
                      - {text: "{mean of queue switch} {mean of queue s1/p4}"}
                    """
                            .stripIndent();

    private static String counters(String... atBottleneck) {
        List<String> all = new ArrayList<>();
        for (String host : List.of("h1", "h2", "h3", "h4")) {
            all.add(host + "/wire frames.transmitted");
            all.add(host + "/wire frames.received");
        }
        all.add("s1/p4 frames.transmitted");
        all.add("s1/p4 bytes.transmitted");
        for (String label : atBottleneck) {
            all.add("s1/p4 " + label);
        }
        return String.join(", ", all);
    }

    private static Outcome run(String text) throws Exception {
        Cell cell = new Cell(0, new Values(List.of(), List.of()), 1, BedKind.VIRTUAL, 1);
        return ScenarioReader.read(text, "s.yaml").run(cell, new QuietRun());
    }

    /** A counter as it was at the end. */
    private static double last(Outcome seen, String counter) {
        return seen.measure("last of " + counter);
    }

    private static double sent(Outcome seen) {
        return last(seen, "h1/wire frames.transmitted")
                + last(seen, "h2/wire frames.transmitted")
                + last(seen, "h3/wire frames.transmitted");
    }

    private static double gbps(double bytes, double seconds) {
        return bytes * 8 / seconds / 1e9;
    }

    /** What has been compared, so that none is forgotten. */
    private final Set<MeasureKind> compared = EnumSet.noneOf(MeasureKind.class);

    private void same(Outcome seen, MeasureKind kind, double expected) {
        near(seen, kind, expected, Math.max(1e-9, Math.abs(expected) * 1e-9));
    }

    private void near(Outcome seen, MeasureKind kind, double expected, double tolerance) {
        compared.add(kind);
        String of =
                switch (kind.of()) {
                    case FLOWS -> " of f";
                    case PORT -> " of s1/p1";
                    case END -> " of h1";
                    case TIER -> " of switch";
                    case RUN -> "";
                };
        assertThat(seen.measure(kind.title() + of))
                .as("%s: %s", kind.title(), kind.says())
                .isCloseTo(expected, within(tolerance));
    }

    /** One period fewer than pauses; with the stops among them they are all the time between. */
    @Test
    void periodsBetweenPausesAreWhatStopsLeave() throws Exception {
        Outcome seen = run(PAUSED.replace("record:", "record:\n  on-periods: [h1]"));
        Series on = seen.series("on h1");
        int periods = on.values().length;
        assertThat(periods).isEqualTo((int) seen.measure("pauses received of h1") - 1);
        double spanUs = on.timesUs()[periods - 1] - on.timesUs()[0];
        double onUs = Arrays.stream(on.values()).skip(1).sum();
        // With equal stops, one more at either end.
        double stoppedUs = seen.measure("time stopped of h1") * (periods - 1) / (periods + 1);
        assertThat(periods).isGreaterThan(5);
        assertThat(onUs + stoppedUs).isCloseTo(spanUs, within(0.02 * spanUs));
    }

    /** A card has few slots for the time of its turns: what finds none is a drop with a name. */
    @Test
    void everyFrameThatDoesNotArriveIsADrop() throws Exception {
        Outcome seen =
                run(
                        """
                        name: short
                        duration: 20us
                        topology:
                          name: star
                          link: {rate: 400Gbps, delay: 100ns}
                          mtu: 9000
                          builder: {single-switch: {hosts: 5}}
                        traffic:
                          - {for: {b: [80, 128, 1500, 8192]}, name: f, from: all, to: all, frame: $($b)B, stop: 15us, send: {rate: 20Gbps, late: forgone}}
                        """);
        double missing = seen.measure("frames sent of f") - seen.measure("frames received of f");
        assertThat(missing).isPositive();
        assertThat(seen.measure("frames dropped by hosts") + seen.measure("frames dropped"))
                .isEqualTo(missing);
    }

    @Test
    void periodsBetweenPausesNeedPfc() {
        String plain =
                PAUSED.replace("flow-control: pfc, ", "")
                        .replaceAll("buffers: \\{.*?}, ", "")
                        .replaceAll("counters: .*", "on-periods: [h1]");
        assertThatThrownBy(() -> run(plain))
                .hasMessage("h1 has no PFC: only ports with PFC have periods between pauses");
    }

    @Test
    void everyMeasureIsWhatThePortsCounted() throws Exception {
        compareLossy(run(LOSSY));
        comparePaused(run(PAUSED));
        Set<MeasureKind> left = EnumSet.allOf(MeasureKind.class);
        left.removeAll(compared);
        // Those need 100 and 1,000 flows: FlowsTest has them, against ranks of known times.
        assertThat(left)
                .containsExactlyInAnyOrder(
                        MeasureKind.P99_COMPLETION,
                        MeasureKind.P999_COMPLETION,
                        MeasureKind.P99_SLOWDOWN,
                        MeasureKind.P999_SLOWDOWN);
    }

    private void compareLossy(Outcome seen) {
        // 16 messages, each of 62 packets of 1,024 bytes and one of 512.
        double packets = 3 * 16 * 63.0;
        double sent = sent(seen);
        double carried = last(seen, "s1/p4 frames.transmitted");
        double bytes = last(seen, "s1/p4 bytes.transmitted");
        assertThat(carried).as("frames that receivers threw away").isGreaterThan(1.05 * packets);
        same(seen, MeasureKind.FRAMES_SENT, sent);
        same(seen, MeasureKind.FRAMES_CARRIED, carried);
        same(seen, MeasureKind.CARRIED, gbps(bytes, 0.1));
        same(seen, MeasureKind.FRAMES_DROPPED, sent - carried);
        same(seen, MeasureKind.DROPPED_BY_HOSTS, 0);
        same(seen, MeasureKind.PACKETS_REPEATED, sent - packets);
        same(seen, MeasureKind.HIGHEST_QUEUE, last(seen, "s1/p4 queue.max.bytes"));
        same(seen, MeasureKind.FRAMES_RECEIVED, packets);
        double received = seen.measure("frames received of f");
        near(
                seen,
                MeasureKind.THROUGHPUT,
                gbps(received * FRAME_BYTES, 0.1),
                0.02 * gbps(received * FRAME_BYTES, 0.1));
        assertThat(seen.measure("throughput of f")).isLessThan(seen.measure("carried of f"));
        same(seen, MeasureKind.MESSAGES, 3 * 16);
        near(seen, MeasureKind.GOODPUT, gbps(BYTES, 0.1), 0.001 * gbps(BYTES, 0.1));
        double mean = seen.measure("mean message time of f");
        double largest = seen.measure("largest message time of f");
        // 16 messages one behind the other: their sum is no less than the flow's own time.
        compared.addAll(
                EnumSet.of(MeasureKind.MEAN_MESSAGE_TIME, MeasureKind.LARGEST_MESSAGE_TIME));
        assertThat(16 * mean).isGreaterThanOrEqualTo(0.9 * seen.measure("mean completion of f"));
        assertThat(largest).isGreaterThanOrEqualTo(mean);
        assertThat(seen.statements()).anyMatch(one -> one.contains("were discarded"));
        assertThat(seen.series().stream().map(Series::name)).contains("carried f");
        Series series = seen.series("carried f");
        assertThat(gbps(carriedBytes(series), 0.1)).isCloseTo(gbps(bytes, 0.1), within(0.001));
    }

    /** Bytes of a series in Gb/s at intervals of 1 ms. */
    private static double carriedBytes(Series series) {
        double gbits = 0;
        for (double value : series.values()) {
            gbits += value * 1e-3;
        }
        return gbits * 1e9 / 8;
    }

    private void comparePaused(Outcome seen) {
        double carried = last(seen, "s1/p4 frames.transmitted");
        same(seen, MeasureKind.FRAMES_SENT, sent(seen));
        same(seen, MeasureKind.FRAMES_CARRIED, carried);
        same(seen, MeasureKind.FRAMES_RECEIVED, carried);
        same(seen, MeasureKind.BYTES_RECEIVED, last(seen, "s1/p4 bytes.transmitted"));
        same(seen, MeasureKind.THROUGHPUT, gbps(last(seen, "s1/p4 bytes.transmitted"), 0.02));
        same(seen, MeasureKind.FRAMES_MARKED, last(seen, "s1/p4 red.marked.p3"));
        same(seen, MeasureKind.FRAMES_UNDETERMINED, 0);
        same(seen, MeasureKind.FRAMES_DROPPED, 0);
        same(seen, MeasureKind.DEADLOCKS, 0);
        // Three flows of one size that all arrived.
        same(seen, MeasureKind.FAIRNESS, 1);
        same(seen, MeasureKind.FLOWS_BEGUN, 3);
        same(seen, MeasureKind.FLOWS_FINISHED, 3);
        same(seen, MeasureKind.FLOWS_UNFINISHED, 0);
        same(seen, MeasureKind.BYTES_BEGUN, BYTES);
        same(seen, MeasureKind.BYTES_FINISHED, BYTES);
        same(seen, MeasureKind.BYTES_UNFINISHED, 0);
        // Frames of all links: what hosts send, what the switch sends, pauses among both.
        double frames =
                sent(seen)
                        + last(seen, "h4/wire frames.transmitted")
                        + carried
                        + last(seen, "h1/wire frames.received")
                        + last(seen, "h2/wire frames.received")
                        + last(seen, "h3/wire frames.received");
        near(seen, MeasureKind.FRAME_HOPS, frames, 0.1 * frames);
        // The last of three flows is done when the link has carried all of them.
        double allUs = carried * (FRAME_BYTES + 24) * 8 / 10_000;
        double largest = Math.max(seen.measure("p95 completion of f"), 0);
        near(seen, MeasureKind.P95_COMPLETION, allUs, 0.05 * allUs);
        near(seen, MeasureKind.MAKESPAN, allUs, 0.05 * allUs);
        near(seen, MeasureKind.LAST_ARRIVAL, allUs, 0.05 * allUs);
        near(seen, MeasureKind.MEAN_COMPLETION, allUs, 0.2 * allUs);
        near(seen, MeasureKind.P50_COMPLETION, allUs, 0.2 * allUs);
        // Alone each takes a third of that.
        near(seen, MeasureKind.P50_SLOWDOWN, 3, 0.6);
        near(seen, MeasureKind.P95_SLOWDOWN, 3, 0.6);
        near(seen, MeasureKind.MEAN_SLOWDOWN, 3, 0.6);
        double gbps = BYTES / 3 * 8 / 1e3 / allUs;
        near(seen, MeasureKind.MEAN_RATE, gbps, 0.2 * gbps);
        near(seen, MeasureKind.RATE_DEVIATION, 0, 0.2 * gbps);
        compared.addAll(EnumSet.of(MeasureKind.MEAN_DELAY, MeasureKind.LARGEST_DELAY));
        assertThat(seen.measure("largest delay of f")).isBetween(100.0, largest);
        assertThat(seen.measure("mean delay of f"))
                .isBetween(10.0, seen.measure("largest delay of f"));
        same(seen, MeasureKind.HIGHEST_BUFFER, last(seen, "s1/p1 buffer.max.bytes.p3"));
        double highest =
                IntStream.rangeClosed(1, 3)
                        .mapToDouble(port -> seen.measure("highest buffer of s1/p" + port))
                        .max()
                        .orElse(0);
        same(seen, MeasureKind.HIGHEST_BUFFER_OF_ALL, highest);
        same(seen, MeasureKind.HIGHEST_QUEUE_OF_TIER, last(seen, "s1/p4 queue.max.bytes"));
        same(seen, MeasureKind.FRAMES_REORDERED, 0);
        same(seen, MeasureKind.HEADROOM_USED, last(seen, "s1/p1 buffer.max.bytes.p3") - 100_000);
        same(seen, MeasureKind.PAUSES_SENT, last(seen, "s1/p1 pfc.xoff.sent.p3"));
        same(seen, MeasureKind.PAUSES_RECEIVED, last(seen, "h1/wire pfc.xoff.received.p3"));
        same(seen, MeasureKind.TIME_STOPPED, last(seen, "h1/wire stopped.ns.p3") / 1e3);
        assertThat(seen.measure("pauses sent of s1/p1")).isPositive();
        assertThat(seen.measure("time stopped of h1")).isPositive();
    }

    @Test
    void whatIsOfPortsIsOfTiersSummedOrTheLargest() throws Exception {
        Outcome seen = run(PAUSED);
        for (String summed : List.of("pauses received", "time stopped")) {
            double each =
                    IntStream.rangeClosed(1, 3)
                            .mapToDouble(host -> seen.measure(summed + " of h" + host))
                            .sum();
            assertThat(seen.measure(summed + " of senders")).isPositive().isEqualTo(each);
        }
        assertThat(seen.measure("highest buffer of switch"))
                .isEqualTo(seen.measure("highest buffer"));
        // Only one of the four ports has a queue.
        assertThat(seen.measure("mean of queue switch"))
                .isCloseTo(seen.measure("mean of queue s1/p4") / 4, within(1e-9));
    }

    @Test
    void aClassOfFlowsBySizeHasWhatItsFlowsHave() throws Exception {
        Outcome seen = run(PAUSED);
        for (MeasureKind kind : MeasureKind.values()) {
            double all = seen.measure(kind.title() + " of f");
            if (kind.isOfSizes() && !Double.isNaN(all)) {
                assertThat(seen.measure(kind.title() + " of large"))
                        .as(kind.title())
                        .isEqualTo(all);
            }
        }
        assertThat(seen.measure("flows begun of large")).isEqualTo(3);
        // What is as large as 'above' is not in it, what is as large as 'to' is.
        assertThat(seen.measure("flows begun of larger")).isZero();
    }

    @Test
    void thePageSaysOfEachWhatItIs() throws Exception {
        String page = Files.readString(Path.of("scenarios.md"));
        Map<MeasureKind, String> rows = new EnumMap<>(MeasureKind.class);
        for (MeasureKind kind : MeasureKind.values()) {
            rows.put(kind, "| `%s` | %s | %s |".formatted(kind.form(), kind.unit(), kind.says()));
        }
        assertThat(rows.values()).allMatch(page::contains);
        assertThat(MeasureKind.names(Of.FLOWS, List.of("web"))).contains("carried of web");
    }
}
