package io.headgate.testbed.lab.twin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headgate.config.Mechanisms;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.report.Json;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.testbed.lab.control.LabControl;
import io.headgate.testbed.scenario.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of a lab that was as its twin is, and of some that were not. */
class LabTwinTest {
    private static final RecordedNetwork NETWORK =
            new RecordedNetwork(
                    List.of("h1", "h2", "h3"),
                    List.of("s1"),
                    List.of(
                            new RecordedNetwork.Link("h1", "s1", 100_000_000, 0),
                            new RecordedNetwork.Link("h2", "s1", 100_000_000, 0),
                            new RecordedNetwork.Link("h3", "s1", 40_000_000, 0)),
                    null);
    private static final String SWITCH =
            """
            name: pvs1
            defaults: {rate: 100Mbps, flow-control: pfc, classify: {trust: dscp},
              lossless: [3], buffers: {xoff: 100kB}}
            ports:
              - {name: p1, device: {afpacket: a}}
              - {name: p2, device: {afpacket: b}}
              - {name: p3, rate: 40Mbps, device: {afpacket: c}}
            memory: {slots-per-port: 4096}
            """;
    private static final double BEGAN_S = 0.7;

    @TempDir private static Path plain;
    @TempDir private Path directory;

    private static RecordedPhase twin;

    /** What virtual time makes of a report without series and counters. */
    @BeforeAll
    static void run() throws Exception {
        write(plain, Map.of(), List.of());
        RecordedLab.Lab lab = RecordedLab.read(plain);
        assertThat(lab.phases()).hasSize(1);
        RecordedPhase phase = lab.phases().getFirst();
        assertThat(phase.flows()).hasSize(2);
        List<Series> stopped = new ArrayList<>(phase.series());
        for (String host : NETWORK.hosts()) {
            stopped.add(new Series("stopped " + host, "", new double[0], new double[0]));
        }
        Map<String, Map<String, Long>> asked = new HashMap<>();
        List.of("s1/p1", "s1/p2", "s1/p3")
                .forEach(port -> asked.put(port, Map.of("pfc.xoff.sent.p3", 0L)));
        twin =
                TwinRun.of(
                        new RecordedPhase(
                                phase.name(),
                                phase.network(),
                                phase.configs(),
                                phase.flows(),
                                phase.seconds(),
                                asked,
                                stopped),
                        1);
    }

    private static void write(Path to, Map<String, Map<String, Long>> counters, List<Series> series)
            throws IOException {
        SwitchConfig config = SwitchConfigReader.read(SWITCH, "s1");
        List<Object> counted = new ArrayList<>();
        List<Object> drops = new ArrayList<>();
        counters.forEach((port, all) ->
                all.forEach((label, value) -> {
                    String own = port.substring(port.indexOf('/') + 1);
                    if (label.startsWith(DropCounters.LABEL_PREFIX)) {
                        String reason = label.substring(DropCounters.LABEL_PREFIX.length());
                        drops.add(Map.of("port", own, "reason", reason, "frames", value));
                    } else {
                        counted.add(
                                Map.of(
                                        "scope", "EGRESS",
                                        "owner", own,
                                        "label", label,
                                        "value", value));
                    }
                }));
        Map<String, Map<String, Object>> figures = new LinkedHashMap<>();
        for (Series one : series) {
            String[] words = one.name().split(" ");
            String figure =
                    switch (words[0]) {
                        case "sent" -> "throughput-pfc";
                        case "queue" -> "queues-pfc";
                        default -> "stopped-pfc";
                    };
            double factor = words[0].equals("sent") ? 1e9 : words[0].equals("queue") ? 1e3 : 1;
            double[] x = Arrays.stream(one.timesUs()).map(us -> us / 1e6 + BEGAN_S).toArray();
            double[] y = Arrays.stream(one.values()).map(value -> value / factor).toArray();
            // A lab has looked before there was traffic.
            double[] earlier = new double[x.length + 1];
            double[] none = new double[x.length + 1];
            System.arraycopy(x, 0, earlier, 1, x.length);
            System.arraycopy(y, 0, none, 1, y.length);
            earlier[0] = BEGAN_S;
            figures.computeIfAbsent(figure, _ -> new LinkedHashMap<>())
                    .put(words[1].replace("s1/", ""), Map.of("x", earlier, "y", none));
        }
        List<Object> all = new ArrayList<>();
        figures.forEach((name, lines) -> all.add(Map.of("figure", name, "lines", lines)));
        Map<String, Object> report =
                Map.of(
                        "title", "headgate lab hol",
                        "options", Map.of("seconds", 2, "seed", 1),
                        "switches",
                                List.of(
                                        Map.of(
                                                "config",
                                                SwitchConfigs.toMap(config),
                                                "since",
                                                "phase \"victim pfc\" began",
                                                "counters",
                                                counted,
                                                "drops",
                                                drops)),
                        "results",
                                Map.of(
                                        RecordedNetwork.RESULT + "network-victim-pfc",
                                        NETWORK,
                                        "Series",
                                        all));
        Files.writeString(to.resolve("report.json"), Json.COMPACT.writeValueAsString(report));
        iperf3(to, "h1-h3", "UDP");
        iperf3(to, "h2-h3", "UDP");
    }

    private static void iperf3(Path to, String ends, String protocol) throws IOException {
        Files.writeString(
                to.resolve("iperf3-victim-pfc-" + ends + ".json"),
                """
                {"start": {"test_start": {"protocol": "%s", "blksize": 1448, "tos": 104,
                  "target_bitrate": 40000000}},
                 "intervals": [{"sum": {"bytes": 5000000}}, {"sum": {"bytes": 4000000}}]}
                """
                        .formatted(protocol));
    }

    @Test
    void aLabThatWasAsItsTwinHasNoDifference() throws Exception {
        write(directory, twin.counters(), twin.series());
        LabTwin seen = LabTwin.of(directory);
        assertThat(seen.isAlike()).as(seen.toText()).isTrue();
        assertThat(seen.toText())
                .contains("victim pfc: 2 flows", ", 0 differ\n", "No difference.")
                .contains("pauses sent, priority 3");
        assertThat(seen.phases().getFirst().compared())
                .extracting(Compared::what)
                .contains("stopped", "queue", "sent", "longest queue");
        assertThat(seen.phases().getFirst().compared())
                .filteredOn(Compared::isOfWholePhase)
                .extracting(Compared::place)
                .isSorted();
    }

    @Test
    void theFirstDifferenceInTimeIsNamedBeforeThoseOfTheWholePhase() throws Exception {
        List<Series> series = new ArrayList<>();
        for (Series one : twin.series()) {
            double[] values = one.values().clone();
            for (int i = 0; i < values.length; i++) {
                boolean isLater = one.timesUs()[i] > 650_000;
                values[i] = one.name().equals("stopped h2") && isLater ? 0 : values[i];
            }
            series.add(new Series(one.name(), "", one.timesUs(), values));
        }
        Map<String, Map<String, Long>> counters = new HashMap<>(twin.counters());
        Map<String, Long> own = new HashMap<>(counters.getOrDefault("s1/p3", Map.of()));
        own.put("drop.QUEUE_FULL", 500L);
        counters.put("s1/p3", own);
        write(directory, counters, series);
        LabTwin seen = LabTwin.of(directory);
        assertThat(seen.toText())
                .contains("First difference: from 0.7 to 1.2 s, h2, stopped: 0 % in the lab and ")
                .contains("up to 15 % apart is allowed");
        write(directory, counters, twin.series());
        assertThat(LabTwin.of(directory).toText())
                .contains("First difference: of the whole phase, s1/p3, lost, QUEUE_FULL: 500")
                .contains(" frames in the lab and 0 frames in virtual time");
    }

    /** As in the lab rocc: a control of cards, and a switch that tells them rates. */
    @Test
    void sendersWithRoccFollowTheFairRateAndPausesEnd() throws Exception {
        RecordedLab.Lab lab = RecordedLab.read(plain);
        RecordedPhase alone = lab.phases().getFirst();
        Mechanisms.Use rocc = LabControl.read("{rocc: {period: 25ms, recovery: 34375us}}");
        SwitchConfig tells =
                SwitchConfigReader.read(
                        SWITCH.replace(
                                "lossless: [3],",
                                "lossless: [3], congestion: {rocc: {priorities: [3]}},"),
                        "s1");
        List<RecordedPhase.Flow> flows =
                alone.flows().stream()
                        .map(flow ->
                                new RecordedPhase.Flow(
                                        flow.file(),
                                        flow.from(),
                                        flow.to(),
                                        flow.bytes(),
                                        flow.datagramBytes(),
                                        flow.targetBps(),
                                        flow.dscp(),
                                        flow.startS(),
                                        rocc))
                        .toList();
        RecordedPhase controlled =
                TwinRun.of(
                        new RecordedPhase(
                                alone.name(),
                                alone.network(),
                                List.of(tells),
                                flows,
                                alone.seconds(),
                                twin.counters(),
                                twin.series()),
                        1);
        assertThat(pauses(twin)).isGreaterThan(10 * pauses(controlled));
        assertThat(pauses(controlled)).isPositive();
        assertThat(series(controlled, "queue s1/p3").mean(1e6, 2e6)).isCloseTo(75_000, within(1e3));
        assertThat(series(controlled, "sent s1/p3").mean(1e6, 2e6))
                .isCloseTo(series(twin, "sent s1/p3").mean(1e6, 2e6), within(1e5));
    }

    private static long pauses(RecordedPhase of) {
        return of.counters().values().stream()
                .mapToLong(port -> port.getOrDefault("pfc.xoff.sent.p3", 0L))
                .sum();
    }

    private static Series series(RecordedPhase of, String name) {
        return of.series().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Picocli takes help texts as formats, and warns of what is not a format. */
    @Test
    void whatIsAllowedCanStandInTheHelp() {
        assertThat(String.format(LabTwin.TOLERANCE)).isEqualTo(LabTwin.TOLERANCE);
    }

    @Test
    void whatHasNoTwinIsToldWithWhatHas() throws Exception {
        assertThatThrownBy(() -> LabTwin.of(directory))
                .hasMessageContaining("report.json, which a lab writes");
        Files.writeString(directory.resolve("report.json"), "{\"title\": \"headgate bench\"}");
        assertThatThrownBy(() -> LabTwin.of(directory))
                .hasMessageContaining("it describes no network; allowed is the report of a lab");
        Files.writeString(directory.resolve("report.json"), "{");
        assertThatThrownBy(() -> LabTwin.of(directory)).hasMessageContaining("is not the JSON");
        write(directory, twin.counters(), List.of());
        refusesWith(
                "\"a\":\"h1\"", "\"a\":null", "'Network of network-victim-pfc' is not a network");
        refusesWith(
                "\"Series\":", "\"Warm-up\":[],\"Series\":", "allowed is a lab without warm-up");
        // So it is called where there are several runs.
        refusesWith(
                "\"Series\":",
                "\"Warm-up run 2\":[],\"Series\":",
                "allowed is a lab without warm-up");
        refusesWith(
                "\"seconds\":2", "\"seconds\":\"two\"", "it has no duration in seconds above 0");
        Path json = directory.resolve("report.json");
        String old = Files.readString(json);
        Files.writeString(json, old.replace("\"seconds\":null", "\"seconds\":3.5"));
        assertThat(RecordedLab.read(directory).phases())
                .extracting(RecordedPhase::seconds)
                .containsExactly(3.5);
        Files.writeString(json, old);
        iperf3(directory, "h1-h3", "TCP");
        assertThat(LabTwin.of(directory).toText())
                .contains(
                        "Left out: iperf3-victim-pfc-h1-h3.json is of TCP, but a twin sends only");
        iperf3(directory, "h2-h3", "TCP");
        assertThatThrownBy(() -> LabTwin.of(directory)).hasMessageContaining("has a twin: iperf3-");
    }

    private void refusesWith(String right, String wrong, String sentence) throws IOException {
        Path report = directory.resolve("report.json");
        String was = Files.readString(report);
        Files.writeString(report, was.replace(right, wrong));
        assertThatThrownBy(() -> LabTwin.of(directory)).hasMessageContaining(sentence);
        Files.writeString(report, was);
    }
}
