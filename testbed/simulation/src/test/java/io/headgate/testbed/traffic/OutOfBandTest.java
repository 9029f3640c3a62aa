package io.headgate.testbed.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.virtual.RunOptions;
import io.headgate.testbed.virtual.VirtualNetwork;
import io.headgate.testbed.virtual.VirtualRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Acknowledgements that do not go over the network. */
class OutOfBandTest {
    private static final long US = 1_000_000;
    private static final FrameShape SHAPE = FrameShape.udp(1226);

    /** A frame of 1,250 bytes of wire over two links of 10 Gb/s and 300 ns; no gap to wait for. */
    private static final long ONE_WAY_PS = 2 * (1_000_000 - 9_600 + 300_000);

    private static VirtualNetwork network(VirtualRun run) {
        return VirtualNetwork.in(
                run,
                NetworkPlan.of(
                        Topologies.singleSwitch(2, LinkSpec.of(10_000_000_000L, 300)),
                        PlanOptions.virtual(1)));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "2000000, 1", "7000000, 1", "7000000, 3"})
    void aWindowPassesOncePerRoundTrip(long latencyPs, int window) {
        VirtualRun run = new VirtualRun(RunOptions.of(1));
        run.keepTogether();
        Traffic traffic = network(run).traffic(Traffic.Options.DEFAULT);
        FlowSpec spec = FlowSpec.greedy("f", 0, 1, SHAPE).withWindowFrames(window);
        Flow flow = traffic.start(spec, latencyPs);
        run.runUntil(1000 * US);
        // Frames are made at whole nanoseconds, up to one before they are due.
        long rounds = 1000 * US / (ONE_WAY_PS + latencyPs);
        assertThat(flow.statistics().framesReceived())
                .isBetween(window * (rounds - 1), window * (rounds + 1));
        assertThat(flow.statistics().roundTripMaxPs())
                .isBetween(ONE_WAY_PS + latencyPs, ONE_WAY_PS + latencyPs + 2L * window * US);
    }

    @Test
    void nothingIsSentBack() {
        VirtualRun run = new VirtualRun(RunOptions.of(1));
        run.keepTogether();
        Traffic traffic = network(run).traffic(Traffic.Options.DEFAULT);
        Flow flow =
                traffic.start(
                        FlowSpec.greedy("f", 0, 1, SHAPE)
                                .withWindowFrames(4)
                                .withSizeBytes(100_000),
                        5);
        run.runUntil(1000 * US);
        assertThat(flow.acknowledgedPs()).isNotEqualTo(Flow.NOT_YET);
        assertThat(traffic.devices().get(0).framesReceived()).isZero();
    }

    @Test
    void aRunIsTheSameEachTime() {
        assertThat(digest()).isEqualTo(digest());
    }

    private static long digest() {
        VirtualRun run = new VirtualRun(RunOptions.of(1).withChecking(true));
        run.keepTogether();
        Traffic traffic = network(run).traffic(Traffic.Options.DEFAULT);
        traffic.start(FlowSpec.greedy("f", 0, 1, SHAPE).withWindowFrames(2), 3 * US);
        traffic.start(FlowSpec.greedy("g", 1, 0, SHAPE).withWindowFrames(3), US);
        run.runUntil(200 * US);
        return run.digest();
    }

    @Test
    void datagramsHaveNone() {
        Traffic traffic =
                network(new VirtualRun(RunOptions.of(1))).traffic(Traffic.Options.DEFAULT);
        assertThatThrownBy(() -> traffic.start(FlowSpec.greedy("f", 0, 1, SHAPE), 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a window of at least 1 is needed");
    }
}
