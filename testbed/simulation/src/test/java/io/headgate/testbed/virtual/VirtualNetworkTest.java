package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig.Mode;
import io.headgate.testbed.topology.Fabrics;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topologies.Turn;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Real frames through the engines of whole networks, in virtual time. */
class VirtualNetworkTest {
    private static final LinkSpec LINK = LinkSpec.of(40_000_000_000L, 1000);
    private static final FrameShape SHAPE = FrameShape.udp(1000);
    private static final long MS = 1_000_000_000L;

    private static final List<Topology> ALL =
            List.of(
                    Topologies.singleSwitch(5, LINK),
                    Topologies.dumbbell(3, 2, LINK, LINK.withRateBps(10_000_000_000L)),
                    Topologies.congestionTree(4, 5, LINK.withRateBps(20_000_000_000L), LINK),
                    Topologies.congestionSpreading(3, 3, LINK),
                    Topologies.ring(5, 2, Turn.SHORTEST, LINK, LINK),
                    Topologies.ring(4, 1, Turn.CLOCKWISE, LINK, LINK),
                    Topologies.parkingLot(3, LINK, LINK),
                    Topologies.multiBottleneck(5, LINK, LINK),
                    Topologies.asymmetric(5, 2, LINK, LINK, LINK),
                    Topologies.leafSpine(3, 2, 3, 2, LINK, LINK),
                    Topologies.fatTree(4, LINK),
                    Topologies.fatTree(4, LINK).without("a1-1", "c1").without("a2-1", "c1"),
                    Fabrics.fatTree(4, new Fabrics.Shape(2, 2, 1), LINK, LINK),
                    Fabrics.railOptimised(2, 2, 2, 2, LINK, LINK, LINK),
                    Fabrics.dragonfly(4, 2, 1, 1, LINK, LINK, LINK));

    private record Net(VirtualRun run, VirtualNetwork network, Traffic traffic) {
        static Net of(Topology topology, long seed) {
            return of(topology, RunOptions.of(seed));
        }

        static Net of(Topology topology, RunOptions options) {
            VirtualRun run = new VirtualRun(options);
            long seed = options.seed();
            NetworkPlan plan = NetworkPlan.of(topology, PlanOptions.virtual(seed));
            VirtualNetwork network = VirtualNetwork.in(run, plan);
            return new Net(run, network, network.traffic(Traffic.Options.DEFAULT));
        }

        void send(int from, int to, int frames, long startPs) {
            String name = from + "-" + to + "@" + startPs;
            traffic.start(
                    FlowSpec.greedy(name, from, to, SHAPE)
                            .during(startPs, Long.MAX_VALUE)
                            .withSizeBytes((long) frames * SHAPE.segmentation().maxSegmentBytes()));
        }
    }

    /**
     * One frame for each pair, one after the other. That they cross exactly as many links as the
     * plan says, all together, leaves no link for a flooded copy, a request for an address, or a
     * detour.
     */
    @Test
    void everyHostReachesEveryOtherByTheShortestPathAndNothingElseIsSent() {
        for (Topology topology : ALL) {
            for (Mode mode : Mode.values()) {
                Net net = Net.of(topology.withMode(mode), 3);
                int hosts = topology.hosts().size();
                long links = 0;
                long startPs = 0;
                for (int from = 0; from < hosts; from++) {
                    for (int to = 0; to < hosts; to++) {
                        if (from != to) {
                            net.send(from, to, 1, startPs);
                            links += net.network.plan().linksBetween(from, to);
                            startPs += 20_000_000;
                        }
                    }
                }
                net.run.runUntil(startPs + MS);
                String what = topology.name() + " " + mode;
                assertThat(net.traffic.groups())
                        .as(what)
                        .allMatch(group -> group.framesReceived() == 1);
                assertThat(net.run.frameHops()).as(what).isEqualTo(links);
            }
        }
    }

    @Test
    void fatTreeOfEightPortsCarriesFramesBetweenAllPods() {
        Topology topology = Topologies.fatTree(8, LINK);
        Net net = Net.of(topology, 3);
        long links = 0;
        for (int from = 0; from < 128; from += 5) {
            int to = (from + 67) % 128;
            net.send(from, to, 1, from * 1_000_000L);
            links += net.network.plan().linksBetween(from, to);
        }
        net.run.runUntil(MS);
        assertThat(net.traffic.groups()).allMatch(group -> group.framesReceived() == 1);
        assertThat(net.run.frameHops()).isEqualTo(links);
    }

    @Test
    void manyFlowsSpreadOverAllEqualPaths() {
        Topology topology = Topologies.leafSpine(2, 4, 2, 2, LINK, LINK);
        Net net = Net.of(topology, 11);
        int flows = 800;
        for (int flow = 0; flow < flows; flow++) {
            net.send(0, 2, 1, flow * 1_000_000L);
        }
        net.run.runUntil(10 * MS);
        List<Long> framesByUplink = new ArrayList<>();
        for (LinkPlan link : net.network.plan().links()) {
            if (link.a().equals(new LinkPlan.End(false, 0, link.a().port()))) {
                framesByUplink.add(net.network.link(link.number()).statistics(0).framesSent());
            }
        }
        assertThat(framesByUplink).hasSize(8);
        assertThat(framesByUplink.stream().mapToLong(Long::longValue).sum()).isEqualTo(flows);
        // Each of eight has 100 on average with a deviation of 9.4.
        assertThat(framesByUplink).allMatch(frames -> frames > 60 && frames < 140);
    }

    @Test
    void sameSeedIsTheSameRunAndAnotherSeedTakesOtherPaths() {
        assertThat(digest(5)).isEqualTo(digest(5));
        assertThat(digest(5)).isNotEqualTo(digest(6));
    }

    private static long digest(long seed) {
        Net net = Net.of(Topologies.fatTree(4, LINK), seed);
        for (int from = 0; from < 16; from++) {
            net.send(from, 15 - from, 20, from * 1000L);
        }
        net.run.runUntil(MS);
        return net.run.digest();
    }

    @Test
    void aFlowAloneTakesTheTimeOfAnIdleNetwork() {
        Net net = Net.of(Topologies.parkingLot(3, LINK, LINK), RunOptions.of(1).withChecking(true));
        int from = net.network.plan().host("src").number();
        int to = net.network.plan().host("dst").number();
        net.send(from, to, 100, 0);
        net.run.runUntil(MS);
        assertThat(net.traffic.groups().getFirst().framesReceived()).isEqualTo(100);
        // 1,024 bytes of wire take 204.8 ns at 40 Gb/s; a frame has arrived when its last bit has,
        // 2.4 ns before the gap behind it has passed. 99 frames pass before the last, which then
        // crosses 5 links of 1 us.
        assertThat(net.traffic.flows().getFirst().finishedPs())
                .isEqualTo(99 * 204_800 + 5 * (204_800 - 2_400 + 1_000_000));
    }
}
