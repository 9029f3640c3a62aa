package io.headgate.testbed.scenario.bed;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.PortTrafficReader;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import io.headgate.testbed.virtual.RunOptions;
import io.headgate.testbed.virtual.VirtualNetwork;
import io.headgate.testbed.virtual.VirtualRun;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which frames have crossed a congested port, where that is known beforehand. */
class CongestionProbeTest {
    private static final long MS = 1_000_000_000L;
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long US = 1_000_000;

    /** A window for frames of 1 us each. */
    private static final long WINDOW_PS = US * 101 / 2;

    private static final long THRESHOLD_BYTES = 20_000;
    private static final String PORTS =
            "{flow-control: pfc, classify: {trust: dscp}, buffers: {xoff: 60kB, xon: 57kB},"
                    + " congestion: {red: {kmin: 20kB, kmax: 20kB}}}";
    private static final FrameShape SHAPE =
            FrameShape.udp(1226).withPriority(3, 26).withEcn(FrameShape.ECT_1);

    private static FlowSpec flow(String name, int from, int to, double share) {
        long rateBps = (long) (RATE_BPS * share);
        return FlowSpec.greedy(name, from, to, SHAPE)
                .withPattern(new SendPattern.ConstantRate(rateBps, SendPattern.Lateness.FORGONE));
    }

    private static CongestionProbe run(Topology plain, List<FlowSpec> flows, long endPs) {
        return run(plain, flows, endPs, PORTS);
    }

    private static CongestionProbe run(
            Topology plain, List<FlowSpec> flows, long endPs, String ports) {
        NetworkPlan plan =
                NetworkPlan.of(
                        plain.withPorts(PortTrafficReader.read(ports)), PlanOptions.virtual(1));
        CongestionProbe probe = new CongestionProbe(plan, port -> WINDOW_PS, THRESHOLD_BYTES);
        VirtualRun run = new VirtualRun(RunOptions.of(1));
        Traffic traffic = VirtualNetwork.in(run, plan).traffic(Traffic.Options.DEFAULT);
        flows.forEach(
                flow -> traffic.start(flow.during(flow.startPs(), Math.min(flow.stopPs(), endPs))));
        run.observe(probe);
        run.runUntil(2 * endPs); // so that all that waits leaves
        return probe;
    }

    @Test
    void whoSendsMoreThanALinkCarriesCrossesACongestedPort() {
        LinkSpec link = LinkSpec.of(RATE_BPS, 500);
        CongestionProbe probe =
                run(
                        Topologies.singleSwitch(3, link),
                        List.of(flow("a", 0, 2, 0.6), flow("b", 1, 2, 0.6)),
                        MS * 4 / 10);
        CongestionProbe.Score score = probe.score(true);
        // 400 leave; 20 kB are there after 80 us, and no sender is paused yet.
        assertThat(score.rightly()).isBetween(300L, 330L);
        assertThat(score.wrongly()).as("while it drains").isBetween(40L, 80L);
        assertThat(score.missed()).isLessThan(5);
        assertThat(probe.everStopped()).isFalse();
    }

    @Test
    void whatIsMissedIsToldByHowMuchMoreCameThanTheLinkCarries() {
        CongestionProbe.Score little = unmarked(0.52, 0.51, MS);
        assertThat(little.missed()).isGreaterThan(300);
        assertThat(little.missedByLittle()).isEqualTo(little.missed());
        CongestionProbe.Score much = unmarked(0.6, 0.6, MS * 4 / 10);
        assertThat(much.missed()).isGreaterThan(300);
        assertThat(much.missedByLittle()).as("at its end").isLessThan(10);
    }

    private static CongestionProbe.Score unmarked(double share, double other, long endPs) {
        LinkSpec link = LinkSpec.of(RATE_BPS, 500);
        return run(
                        Topologies.singleSwitch(3, link),
                        List.of(flow("a", 0, 2, share), flow("b", 1, 2, other)),
                        endPs,
                        PORTS.replace("{kmin: 20kB, kmax: 20kB}", "{kmin: 900kB, kmax: 900kB}"))
                .score(true);
    }

    @Test
    void aLinkThatIsNotFullIsNotCongested() {
        LinkSpec link = LinkSpec.of(RATE_BPS, 500);
        CongestionProbe probe =
                run(
                        Topologies.singleSwitch(3, link),
                        List.of(flow("a", 0, 2, 0.4), flow("b", 1, 2, 0.5)),
                        2 * MS);
        assertThat(probe.score(true)).isEqualTo(new CongestionProbe.Score(0, 0, 0, 0));
        assertThat(probe.everStopped()).isFalse();
    }

    /** It carries 50.5 frames in a window, in which 51 come. */
    @Test
    void aLinkThatIsExactlyFullIsNotCongestedHoweverLongItsQueue() {
        LinkSpec link = LinkSpec.of(RATE_BPS, 500);
        FlowSpec first = flow("first", 0, 2, 1).during(0, 40 * US);
        FlowSpec full = flow("full", 1, 2, 1).during(US * 7 / 10, Long.MAX_VALUE);
        CongestionProbe.Score score =
                run(Topologies.singleSwitch(3, link), List.of(first, full), MS / 2).score(false);
        // From when 16 wait until no window has frames of both, 91 us.
        assertThat(score.rightly()).isBetween(60L, 75L);
        assertThat(score.wrongly()).as("those behind").isGreaterThan(400);
    }

    /** The trunk carries 0.45 + 0.45, but its far end is paused for what goes to the full host. */
    @Test
    void aPortThatIsStoppedIsNotCongestedAndMarksOfItsVictimsAreWrong() {
        LinkSpec link = LinkSpec.of(RATE_BPS, 500);
        Topology tree = Topologies.congestionTree(2, 2, link, link);
        List<FlowSpec> victim = List.of(flow("F0", 0, 2, 0.45), flow("F1", 1, 3, 0.45));
        List<FlowSpec> bursts = List.of(flow("A1", 4, 3, 1), flow("A2", 5, 3, 1));
        CongestionProbe calm = run(tree, victim, 2 * MS);
        assertThat(calm.score(true)).isEqualTo(new CongestionProbe.Score(0, 0, 0, 0));
        CongestionProbe busy =
                run(
                        tree,
                        List.of(victim.get(0), victim.get(1), bursts.get(0), bursts.get(1)),
                        2 * MS);
        assertThat(busy.everStopped()).isTrue();
        CongestionProbe.Score score = busy.score(true);
        assertThat(score.rightly()).as("to the full host").isGreaterThan(500);
        assertThat(score.wrongly()).as("the victim's").isGreaterThan(200);
        // The trunk is offered more than it sends while it is stopped, but less than its rate.
        assertThat(busy.score(false).rightly()).isGreaterThanOrEqualTo(score.rightly());
    }
}
