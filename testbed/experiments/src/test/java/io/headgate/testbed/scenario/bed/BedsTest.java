package io.headgate.testbed.scenario.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.read.PortTrafficReader;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.topology.TopologyReader;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BedsTest {
    @TempDir private Path directory;

    private static final FrameShape SHAPE = FrameShape.udp(1000);

    private static Experiment experiment(Topology topology) {
        FlowSpec flow =
                FlowSpec.greedy("f", 0, 1, SHAPE)
                        .withPattern(
                                new SendPattern.ConstantRate(
                                        1_000_000_000L, SendPattern.Lateness.MADE_UP));
        return new Experiment(
                topology, List.of(flow), List.of(), 1_000_000_000L, Recording.NOTHING);
    }

    private static Topology lossy() {
        return TopologyReader.read(
                """
                name: lossy
                link: {rate: 10Gbps, delay: 1us, faults: {loss: 0.1}}
                builder: {single-switch: {hosts: 2}}
                """,
                "lossy.yaml");
    }

    @Test
    void faultsOfALinkReachTheVirtualBed() throws Exception {
        GroupFacts sound =
                VirtualBed.run(
                                experiment(Topologies.singleSwitch(2, LinkSpec.DEFAULT)),
                                1,
                                new QuietRun())
                        .group("f");
        GroupFacts lossy = VirtualBed.run(experiment(lossy()), 1, new QuietRun()).group("f");
        assertThat(sound.framesReceived()).isBetween(115L, 125L);
        assertThat(lossy.framesSent()).isEqualTo(sound.framesSent());
        // Two links with a loss of a tenth each.
        assertThat(lossy.framesReceived()).isBetween(70L, sound.framesReceived() - 5);
    }

    @Test
    void everyFrameThatAHostsOwnCardDropsIsCountedWithItsReason() throws Exception {
        Topology topology = Topologies.singleSwitch(2, LinkSpec.DEFAULT);
        FlowSpec tooLong =
                FlowSpec.greedy("long", 0, 1, FrameShape.udp(1523))
                        .withPattern(
                                new SendPattern.ConstantRate(
                                        1_000_000_000L, SendPattern.Lateness.MADE_UP));
        Experiment experiment =
                new Experiment(
                        topology,
                        List.of(tooLong, experiment(topology).flows().getFirst()),
                        List.of(),
                        1_000_000_000L,
                        Recording.NOTHING);
        Observation seen = VirtualBed.run(experiment, 1, new QuietRun());
        long sent = seen.group("long").framesSent();
        assertThat(sent).isPositive();
        assertThat(seen.group("long").framesReceived()).isZero();
        assertThat(seen.group("f").framesReceived()).isPositive();
        assertThat(seen.hostDrops()).isEqualTo(Map.of("OVERSIZE", sent));
        assertThat(seen.drops()).isEmpty();
        assertThat(seen.measures())
                .contains(new Measure("frames dropped by hosts", "frames", sent));
        assertThat(seen.statement(500_000))
                .startsWith(sent + " frames dropped by hosts for OVERSIZE; ");
    }

    @Test
    void aNameOfTwoLinksIsRefusedAndEachMayBeNamed() throws Exception {
        Topology topology =
                TopologyReader.read(
                        """
                        name: t
                        hosts: [{name: a, at: b-c}, {name: a-b, at: c}]
                        switches: [b-c, c]
                        links: [{between: [b-c, c]}]
                        """,
                        "t.yaml");
        Path file = directory.resolve("x.pcapng");
        assertThatThrownBy(() -> CapturedLinks.of(topology, new QuietRun("a-b-c", file)))
                .isInstanceOf(ScenarioException.class)
                .hasMessage(
                        "--capture cannot be 'a-b-c': several links have that name; allowed is"
                                + " a:b-c or a-b:c");
        CapturedLinks one =
                Objects.requireNonNull(CapturedLinks.of(topology, new QuietRun("c:a-b", file)));
        assertThat(one.links()).hasSize(1);
        assertThat(one.has("a-b", "c")).isTrue();
        assertThat(one.has("a", "b-c")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 999_999, 1_000_000_000_000_001L, Long.MAX_VALUE})
    void aDurationThatNoBedLastsIsRefused(long durationPs) {
        Topology topology = Topologies.singleSwitch(2, LinkSpec.DEFAULT);
        assertThatThrownBy(() ->
                        new Experiment(
                                topology, List.of(), List.of(), durationPs, Recording.NOTHING))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a duration of " + durationPs + " ps: 1 us to 1000 s are allowed");
    }

    private static List<String> tshark(Path file, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString()));
        command.addAll(List.of(arguments));
        Process tshark =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (var lines = tshark.inputReader()) {
            return lines.lines().toList();
        }
    }

    /** A frame as tshark reads it. */
    private record Captured(String link, double time, boolean control, boolean lost) {
        static Captured of(String line) {
            String[] fields = line.split("[|]", -1);
            return new Captured(
                    fields[0],
                    Double.parseDouble(fields[1]),
                    fields[2].endsWith("8808"),
                    fields[3].equals("lost on the way"));
        }
    }

    private static long count(List<Captured> frames, Predicate<Captured> which) {
        return frames.stream().filter(which).count();
    }

    /** With pauses, and links that lose frames and pauses alike; at the end all is at rest. */
    @Test
    void aCaptureInVirtualTimeHasJustTheFramesThatPortsCount() throws Exception {
        Topology topology =
                TopologyReader.read(
                                """
                                name: lossy
                                link: {rate: 10Gbps, delay: 1us, faults: {loss: 0.05}}
                                builder: {single-switch: {hosts: 3}}
                                """,
                                "lossy.yaml")
                        .withPorts(
                                PortTrafficReader.read(
                                        "{flow-control: pfc, classify: {trust: dscp}, buffers:"
                                                + " {xoff: 20kB}}"));
        FrameShape lossless = SHAPE.withPriority(3, 26);
        List<String> controls =
                List.of("s1/p1", "s1/p2", "s1/p3").stream()
                        .map(port -> port + " link.control.transmitted")
                        .toList();
        Experiment experiment =
                new Experiment(
                        topology,
                        List.of(
                                FlowSpec.greedy("a", 0, 2, lossless).withSizeBytes(500_000),
                                FlowSpec.greedy("b", 1, 2, lossless).withSizeBytes(500_000)),
                        List.of(),
                        5_000_000_000L,
                        new Recording(100_000_000L, List.of(), List.of())
                                .with(Kind.COUNTER, controls));
        Path file = directory.resolve("all.pcapng");
        Observation seen = VirtualBed.run(experiment, 1, new QuietRun("all", file));
        String fields = "frame.interface_name,frame.time_relative,eth.type,frame.comment";
        List<String> arguments = new ArrayList<>(List.of("-T", "fields", "-E", "separator=|"));
        for (String field : fields.split(",", -1)) {
            arguments.addAll(List.of("-e", field));
        }
        List<Captured> frames =
                tshark(file, arguments.toArray(String[]::new)).stream().map(Captured::of).toList();
        assertThat(frames.stream().mapToDouble(Captured::time).toArray()).isSorted();
        assertThat(tshark(file, "-Y", "_ws.malformed")).isEmpty();
        for (int number = 1; number <= 3; number++) {
            String port = "s1/p" + number;
            String in = "h" + number + ">s1";
            String out = "s1>h" + number;
            assertThat(count(frames, frame -> frame.link().equals(in) && !frame.lost()))
                    .as(in)
                    .isEqualTo(seen.port(port).framesReceived());
            assertThat(count(frames, frame -> frame.link().equals(out) && !frame.control()))
                    .as(out)
                    .isEqualTo(seen.port(port).framesTransmitted());
            double[] sent =
                    seen.seriesOf(Kind.COUNTER.series(port + " link.control.transmitted")).values();
            assertThat(count(frames, frame -> frame.link().equals(out) && frame.control()))
                    .as("pauses " + out)
                    .isEqualTo((long) sent[sent.length - 1]);
        }
        assertThat(count(frames, Captured::control)).isGreaterThan(10);
        assertThat(count(frames, Captured::lost)).isGreaterThan(10);
    }

    @Test
    void scalingDividesRatesAndMultipliesTimes() {
        FlowSpec flow =
                FlowSpec.greedy("f", 0, 1, SHAPE)
                        .during(1000, Long.MAX_VALUE)
                        .withPattern(
                                new SendPattern.OnOff(
                                        10_000_000_000L,
                                        5000,
                                        7000,
                                        true,
                                        SendPattern.Lateness.MADE_UP));
        FlowSpec slower = Scaling.flow(flow, 100);
        assertThat(slower.startPs()).isEqualTo(100_000);
        assertThat(slower.stopPs()).isEqualTo(Long.MAX_VALUE);
        assertThat(slower.shape()).isEqualTo(flow.shape());
        assertThat(slower.pattern())
                .isEqualTo(
                        new SendPattern.OnOff(
                                100_000_000L,
                                500_000,
                                700_000,
                                true,
                                SendPattern.Lateness.MADE_UP));
    }
}
