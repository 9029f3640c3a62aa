package io.headgate.testbed.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.PortTrafficReader;
import java.util.List;
import org.junit.jupiter.api.Test;

class BufferCyclesTest {
    private static final LinkSpec LINK = LinkSpec.of(10_000_000_000L, 1_000);

    @Test
    void aRingWhoseFramesAllTurnOneWayRoundHasOneAndItsPortsAreInOrder() {
        Topology ring = Topologies.ring(3, 1, Topologies.Turn.CLOCKWISE, LINK, LINK);
        assertThat(BufferCycles.of(ring)).containsExactly(List.of("s1/p2", "s2/p3", "s3/p3"));
        assertThat(BufferCycles.describe(NetworkPlan.of(ring, PlanOptions.virtual(1))))
                .as("frames are dropped, and no port waits")
                .isEmpty();
        Topology lossless = ring.withPorts(PortTrafficReader.read("{flow-control: pfc}"));
        assertThat(BufferCycles.describe(NetworkPlan.of(lossless, PlanOptions.virtual(1))))
                .containsExactly(
                        "the routes of this network form a cyclic buffer dependency, so pauses or"
                                + " credits can deadlock: s1/p2 waits for s2/p3 waits for s3/p3"
                                + " waits for s1/p2");
    }

    @Test
    void theShortWayRoundThreeSwitchesHasNoneAndRoundFiveItHasTwo() {
        assertThat(BufferCycles.of(Topologies.ring(3, 1, Topologies.Turn.SHORTEST, LINK, LINK)))
                .isEmpty();
        // Two hops each way: every port waits for the next, clockwise and the other way.
        assertThat(BufferCycles.of(Topologies.ring(5, 1, Topologies.Turn.SHORTEST, LINK, LINK)))
                .hasSize(2)
                .allMatch(cycle -> cycle.size() == 5);
    }

    @Test
    void treesAndFatTreesHaveNone() {
        assertThat(BufferCycles.of(Topologies.singleSwitch(4, LINK))).isEmpty();
        assertThat(BufferCycles.of(Topologies.fatTree(4, LINK))).isEmpty();
        assertThat(BufferCycles.of(Topologies.parkingLot(3, LINK, LINK))).isEmpty();
    }
}
