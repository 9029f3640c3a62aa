package io.headgate.testbed.scenario.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.SwitchConfig.Mode;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.topology.TopologyReader;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BedsTest {
    private static final FrameShape SHAPE = FrameShape.udp(1000);

    /** Nothing is recorded, nobody listens. */
    private static final class Quiet implements RunContext {
        @Override
        public void progress(double fraction) {}

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void say(String line) {}

        @Override
        public @Nullable Path traceFile() {
            return null;
        }

        @Override
        public boolean checking() {
            return false;
        }
    }

    private static Experiment experiment(Topology topology) {
        FlowSpec flow =
                FlowSpec.greedy("f", 0, 1, SHAPE)
                        .paced(
                                new SendPattern.ConstantRate(
                                        1_000_000_000L, SendPattern.Lateness.MADE_UP));
        return new Experiment(
                topology, List.of(flow), List.of(), 1_000_000_000L, Recording.NOTHING);
    }

    private static void realBedRefuses(Topology topology, double scale, String sentence) {
        assertThatThrownBy(() -> NetnsBed.run(experiment(topology), 1, scale, new Quiet()))
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining(sentence);
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
                                new Quiet())
                        .group("f");
        GroupFacts lossy = VirtualBed.run(experiment(lossy()), 1, new Quiet()).group("f");
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
                        .paced(
                                new SendPattern.ConstantRate(
                                        1_000_000_000L, SendPattern.Lateness.MADE_UP));
        Experiment experiment =
                new Experiment(
                        topology,
                        List.of(tooLong, experiment(topology).flows().getFirst()),
                        List.of(),
                        1_000_000_000L,
                        Recording.NOTHING);
        Observation seen = VirtualBed.run(experiment, 1, new Quiet());
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
    void theRealBedRefusesWhatItCannotBeInOneSentence() {
        realBedRefuses(lossy(), 100, "the link between h1 and s1 has faults");
        realBedRefuses(
                Topologies.fatTree(8, LinkSpec.DEFAULT),
                100,
                "topology 'fat-tree' has 208 hosts and switches; the real bed takes 128");
        realBedRefuses(
                Topologies.singleSwitch(2, LinkSpec.DEFAULT),
                20_000,
                "a scale of at most 10000 is possible");
        realBedRefuses(
                Topologies.singleSwitch(2, LinkSpec.DEFAULT), 1.5, "a whole number is needed");
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
                                FlowSpec.greedy("a", 0, 2, SHAPE).paced(rate).sized(95_800),
                                FlowSpec.greedy("b", 1, 2, SHAPE).paced(rate).sized(95_800)),
                        List.of(),
                        2_000_000_000L,
                        new Recording(100_000_000L, List.of("a"), List.of("s1/p3", "s2/p1")));
        Observation real = NetnsBed.run(experiment, 1, 200, new Quiet());
        Observation virtual = VirtualBed.run(experiment, 1, new Quiet());
        for (Observation seen : List.of(real, virtual)) {
            assertThat(seen.drops()).isEmpty();
            for (String group : List.of("a", "b")) {
                assertThat(seen.group(group).framesSent()).isEqualTo(100);
                assertThat(seen.group(group).framesReceived()).isEqualTo(100);
            }
            assertThat(seen.port("s1/p3").framesTransmitted()).isEqualTo(200);
            assertThat(seen.port("s2/p1").framesTransmitted()).isEqualTo(200);
            assertThat(seen.seriesOf("queue s2/p1").values()).isNotEmpty();
        }
    }

    @Test
    void scalingDividesRatesAndMultipliesTimes() {
        FlowSpec flow =
                FlowSpec.greedy("f", 0, 1, SHAPE)
                        .during(1000, Long.MAX_VALUE)
                        .paced(
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
