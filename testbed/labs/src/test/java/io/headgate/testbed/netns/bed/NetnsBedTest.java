package io.headgate.testbed.netns.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.SwitchConfig.Mode;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Order;
import io.headgate.testbed.scenario.bed.QuietRun;
import io.headgate.testbed.scenario.bed.RealBed;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.scenario.bed.VirtualBed;
import io.headgate.testbed.scenario.campaign.Campaign;
import io.headgate.testbed.scenario.campaign.Sweep;
import io.headgate.testbed.scenario.file.DefinedFile;
import io.headgate.testbed.scenario.shipped.Scenarios;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Experiments on real frames: scaled, ordered while they run, or refused in one sentence. */
class NetnsBedTest {
    private static final FrameShape SHAPE = FrameShape.udp(1000);

    /** Two leaves and three spines, four flows between the leaves, a spine that loses one leaf. */
    private static final String FABRIC =
            """
            name: s
            duration: 3ms
            beds: [virtual, netns]
            reroute: 0s
            topology:
              name: fabric
              link: {rate: 10Gbps, delay: 1us}
              builder: {leaf-spine: {leaves: 2, spines: 3, hosts-per-leaf: 4}}
            traffic:
              - {name: a, from: h1-1, to: h2-1, send: {rate: 1Gbps}}
              - {name: b, from: h1-2, to: h2-2, send: {rate: 1Gbps}}
              - {name: c, from: h1-3, to: h2-3, send: {rate: 1Gbps}}
              - {name: d, from: h1-4, to: h2-4, send: {rate: 1Gbps}}
            orders:
              - {at: 1ms, down: [c1-e2, c2-e2]}
              - {at: 2ms, up: [e2-c1, e2-c2]}
            """;

    @TempDir private Path directory;

    private static Experiment experiment(Topology topology) {
        FlowSpec flow =
                FlowSpec.greedy("f", 0, 1, SHAPE)
                        .withPattern(
                                new SendPattern.ConstantRate(
                                        1_000_000_000L, SendPattern.Lateness.MADE_UP));
        return new Experiment(
                topology, List.of(flow), List.of(), 1_000_000_000L, Recording.NOTHING);
    }

    private static void realBedRefuses(Topology topology, double scale, String sentence) {
        assertThatThrownBy(() -> RealBed.find().run(experiment(topology), 1, scale, new QuietRun()))
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void theRealBedRefusesWhatItCannotBeInOneSentence() {
        realBedRefuses(
                Topologies.fatTree(8, LinkSpec.DEFAULT),
                100,
                "topology 'fat-tree' has 208 hosts and switches; the real bed takes 128");
        realBedRefuses(
                Topologies.singleSwitch(2, LinkSpec.DEFAULT),
                20_000,
                "a scale of at most 10000 is possible");
        assertThatThrownBy(() ->
                        RealBed.find()
                                .run(
                                        experiment(Topologies.singleSwitch(2, LinkSpec.DEFAULT)),
                                        1,
                                        100,
                                        new QuietRun("h1-h2", directory.resolve("none.pcapng"))))
                .isInstanceOf(ScenarioException.class)
                .hasMessage(
                        "--capture cannot be 'h1-h2': there is no such link; allowed is h1-s1,"
                                + " h2-s1, or all");
        realBedRefuses(
                Topologies.singleSwitch(2, LinkSpec.DEFAULT), 1.5, "a whole number is needed");
    }

    /** Two routers in a row, so that every frame crosses both. */
    @Test
    @Tag("netns")
    void severalSwitchesRunOnTheRealBed() throws Exception {
        Topology topology =
                Topologies.dumbbell(2, 1, LinkSpec.DEFAULT, LinkSpec.DEFAULT).withMode(Mode.ROUTED);
        SendPattern rate =
                new SendPattern.ConstantRate(2_000_000_000L, SendPattern.Lateness.MADE_UP);
        Experiment experiment =
                new Experiment(
                        topology,
                        List.of(
                                FlowSpec.greedy("a", 0, 2, SHAPE)
                                        .withPattern(rate)
                                        .withSizeBytes(95_800),
                                FlowSpec.greedy("b", 1, 2, SHAPE)
                                        .withPattern(rate)
                                        .withSizeBytes(95_800)),
                        List.of(),
                        2_000_000_000L,
                        new Recording(100_000_000L, List.of("a"), List.of("s1/p3", "s2/p1"))
                                .with(Kind.COUNTER, List.of("s1/p3 frames.transmitted")));
        Path realFile = directory.resolve("real.pcapng");
        Path virtualFile = directory.resolve("virtual.pcapng");
        Observation real = RealBed.find().run(experiment, 1, 200, new QuietRun("s2-s1", realFile));
        Observation virtual = VirtualBed.run(experiment, 1, new QuietRun("s1-s2", virtualFile));
        Path realOfS1 = directory.resolve("real-s1.pcapng");
        assertThat(datagrams(realOfS1)).isEqualTo(200);
        assertThat(tshark(realOfS1, "-Y", "_ws.malformed")).isEmpty();
        assertThat(datagrams(virtualFile)).isEqualTo(200);
        for (Observation seen : List.of(real, virtual)) {
            assertThat(seen.drops()).isEmpty();
            for (String group : List.of("a", "b")) {
                assertThat(seen.group(group).framesSent()).isEqualTo(100);
                assertThat(seen.group(group).framesReceived()).isEqualTo(100);
            }
            assertThat(seen.port("s1/p3").framesTransmitted()).isEqualTo(200);
            assertThat(seen.port("s2/p1").framesTransmitted()).isEqualTo(200);
            assertThat(seen.seriesOf("queue s2/p1").values()).isNotEmpty();
            assertThat(seen.seriesOf("counter s1/p3 frames.transmitted").values()).isSorted();
        }
    }

    /** UDP datagrams in a capture, as tshark reads it. */
    private static long datagrams(Path file) throws Exception {
        return tshark(file, "-Y", "udp.dstport == 9").size();
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

    /** Two senders keep the queue long; half of the time its port marks. */
    @Test
    @Tag("netns")
    void anOrderHoldsFromItsTimeOnOnTheRealBedToo() throws Exception {
        Topology topology =
                Topologies.singleSwitch(3, LinkSpec.DEFAULT)
                        .withPorts(
                                PortTrafficReader.read(
                                        "{congestion: {red: {enabled: false, kmin: 1kB, kmax:"
                                                + " 2kB}}}"));
        FrameShape capable = SHAPE.withEcn(2);
        String counter = "s1/p3 red.marked.p0";
        long atPs = 1_000_000_000L;
        Order order =
                new Order(
                        atPs,
                        "s1",
                        Map.of("p3", Map.of("congestion", Map.of("red", Map.of("enabled", true)))));
        Experiment experiment =
                new Experiment(
                                topology,
                                List.of(
                                        FlowSpec.greedy("a", 0, 2, capable),
                                        FlowSpec.greedy("b", 1, 2, capable)),
                                List.of(),
                                2 * atPs,
                                new Recording(50_000_000L, List.of(), List.of())
                                        .with(Kind.COUNTER, List.of(counter)))
                        .withOrders(List.of(order));
        Observation seen = RealBed.find().run(experiment, 1, 500, new QuietRun());
        Series marked = seen.seriesOf(Kind.COUNTER.series(counter));
        double lastUs = 0;
        for (int i = 0; i < marked.timesUs().length; i++) {
            if (marked.timesUs()[i] < atPs / 1e6) {
                assertThat(marked.values()[i]).isZero();
            }
            lastUs = marked.timesUs()[i];
        }
        assertThat(lastUs).isGreaterThan(atPs / 1e6);
        // A machine without a core for it gives the order late, and says how late; never early.
        double lateUs =
                seen.measures().stream()
                        .filter(measure -> measure.name().equals(RealBed.ORDERED_LATE))
                        .mapToDouble(Measure::value)
                        .sum();
        assertThat(seen.measures()).extracting(Measure::name).contains(RealBed.ORDERED_LATE);
        if (lateUs < atPs / 2e6) {
            assertThat(marked.values()[marked.values().length - 1]).isPositive();
        }
    }

    @Test
    @Tag("netns")
    @Tag("long")
    void realFramesFindAnotherWayToo() throws Exception {
        Observation seen =
                RealBed.find().run(DefinedFile.experiment(FABRIC), 1, 300, new QuietRun());
        long sent = seen.groups().values().stream().mapToLong(one -> one.framesSent()).sum();
        assertThat(sent).isGreaterThan(500);
        // Were they to wait for the links, some flows would lose a third.
        assertThat(lost(seen)).isLessThan(sent / 10);
    }

    private static long lost(Observation seen) {
        return seen.groups().values().stream()
                .mapToLong(group -> group.framesSent() - group.framesReceived())
                .sum();
    }

    @Test
    @Tag("netns")
    void theSameDescriptionRunsOnRealFramesAndIsScaledBack() throws Exception {
        Scenario scenario = Scenarios.named("four-port-incast");
        Sweep sweep =
                Sweep.of(
                        scenario,
                        List.of("bursts=3"),
                        "1",
                        EnumSet.allOf(BedKind.class),
                        // Slow enough for a machine that does other things meanwhile.
                        2000);
        PrintStream out =
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        List<CellResult> results =
                new Campaign(sweep, sweep.cells(), new Campaign.Options(1, false, null, out, false))
                        .run();
        assertThat(results).hasSize(2);
        assertThat(results).allSatisfy(result -> assertThat(result.failure()).isNull());
        CellResult virtual = results.get(0);
        CellResult real = results.get(1);
        // How close they are depends on what else the machine does: a scenario may assert that, a
        // test may not.
        assertThat(real.measure("frames sent of h1"))
                // A frame that is due at the very end is made up to a nanosecond early.
                .isBetween(1.0, virtual.measure("frames sent of h1") + 3);
        assertThat(real.measure("frames received of h1"))
                .isBetween(1.0, real.measure("frames sent of h1"));
        assertThat(real.measure("frames dropped by hosts")).isZero();
        assertThat(real.measure("highest queue")).isGreaterThan(0);
        assertThat(real.outcomeOrThrow().series("queue s1/p4").max()).isGreaterThan(0);
        assertThat(real.outcomeOrThrow().series("throughput").max()).isGreaterThan(0);
        assertThat(scenario.conclude(results).checks()).extracting(Check::what).hasSize(10);
    }
}
