package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import io.headgate.testbed.virtual.link.VirtualLink;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartingTest {
    private static final LinkSpec LINKS = LinkSpec.of(10_000_000_000L, 1_000);
    private static final FrameShape SHAPE = FrameShape.udp(1000);

    private static final ArrivalSpec KEPT = source(new ArrivalProcess.ClosedLoop(0, true));

    private final VirtualRun run = new VirtualRun(RunOptions.of(1));
    private final VirtualNetwork network = network(Topologies.fatTree(4, LINKS));

    private VirtualNetwork network(Topology topology) {
        return VirtualNetwork.in(run, NetworkPlan.of(topology, PlanOptions.virtual(1)));
    }

    private int[] partOf(int parts) {
        int[] sides = TwoSides.of(run.nodes().size(), run.links());
        return Parting.of(run.nodes(), run.links(), sides, parts);
    }

    /** 16 hosts, each with the weight of a switch of four ports, and 20 such switches. */
    @Test
    void partsOfATreeAreAlikeOnBothSidesAndHostsAreWithTheirSwitch() {
        network.traffic(Traffic.Options.DEFAULT);
        int[] sides = TwoSides.of(run.nodes().size(), run.links());
        int[] partOf = partOf(2);
        for (int part = 0; part < 2; part++) {
            int[] count = new int[2];
            for (int node = 0; node < partOf.length; node++) {
                count[sides[node]] += partOf[node] == part ? 1 : 0;
            }
            assertThat(count).as("part %d", part).containsExactly(8 + 4, 4 + 2);
        }
        for (VirtualLink link : run.links()) {
            int one = link.end(0).node();
            int other = link.end(1).node();
            if (run.nodes().get(one) instanceof HostNode) {
                assertThat(partOf[other]).as(run.nodes().get(one).name()).isEqualTo(partOf[one]);
            }
        }
    }

    @Test
    void moreThreadsThanNodesHaveEachHostByItself() {
        network.traffic(Traffic.Options.DEFAULT);
        int[] partOf = partOf(60);
        assertThat(Arrays.stream(partOf).limit(16).distinct().count()).isEqualTo(16);
        assertThat(Arrays.stream(partOf).max().orElseThrow()).isLessThan(60);
    }

    /** What else is behind a card may share something with other hosts. */
    @Test
    void hostsWithoutTrafficAreInTheFirstPart() {
        assertThat(Arrays.stream(partOf(2)).limit(16)).containsOnly(0);
    }

    @Test
    void soAreThoseWithAFlowThatWaitsForOneThatIsStopped() {
        Traffic traffic = network.traffic(Traffic.Options.DEFAULT);
        FlowSpec first = FlowSpec.greedy("first", 0, 9, SHAPE).withSizeBytes(100_000);
        FlowSpec second =
                FlowSpec.greedy("second", 9, 0, SHAPE)
                        .withSizeBytes(1_000)
                        .withAfter(List.of(new FlowSpec.After(0, 0)));
        traffic.start(List.of(first, second), traffic::start);
        assertThat(Arrays.stream(partOf(2)).limit(16)).contains(1);
        List<Flow> before = traffic.flows();
        traffic.start(List.of(first.during(0, 1_000_000), second), traffic::start);
        assertThat(traffic.flows()).hasSize(before.size() + 2);
        assertThat(Arrays.stream(partOf(2)).limit(16)).containsOnly(0);
    }

    @Test
    void soAreThoseWithASourceThatKeepsItsConnections() {
        Traffic traffic = network.traffic(Traffic.Options.DEFAULT);
        traffic.start(source(new ArrivalProcess.ClosedLoop(0)));
        assertThat(Arrays.stream(partOf(2)).limit(16)).contains(1);
        traffic.start(KEPT);
        assertThat(Arrays.stream(partOf(2)).limit(16)).containsOnly(0);
    }

    @Test
    void onceHostsAreInSeveralPartsNoTrafficIsAddedThatNeedsOneThread() {
        Traffic traffic = network.traffic(Traffic.Options.DEFAULT);
        traffic.devices().getLast().join(1, run.clock()::ps);
        assertThatThrownBy(() -> traffic.start(KEPT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "source needs all hosts in one thread, and they are in 2; add it before"
                                + " the run, or run with one thread");
        FlowSpec stopped = FlowSpec.greedy("first", 0, 9, SHAPE).during(0, 1_000_000);
        FlowSpec waits =
                FlowSpec.greedy("second", 9, 0, SHAPE).withAfter(List.of(new FlowSpec.After(0, 0)));
        assertThatThrownBy(() -> traffic.start(List.of(stopped, waits), traffic::start))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("second needs all hosts in one thread");
    }

    private static ArrivalSpec source(ArrivalProcess process) {
        SizeDistribution sizes = SizeDistribution.fixed(1_000);
        return ArrivalSpec.of("source", 0, List.of(9), process, sizes, SHAPE);
    }
}
