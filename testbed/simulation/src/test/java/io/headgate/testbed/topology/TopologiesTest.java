package io.headgate.testbed.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.SwitchConfig.Mode;
import io.headgate.testbed.topology.Topologies.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The ready-made networks: how many nodes and links they have, and how long their paths are. */
class TopologiesTest {
    private static final LinkSpec LINK = LinkSpec.of(40_000_000_000L, 1000);

    private static NetworkPlan plan(Topology topology) {
        return NetworkPlan.of(topology, PlanOptions.virtual(1));
    }

    private static void has(Topology topology, int hosts, int switches, int links) {
        assertThat(topology.hosts()).hasSize(hosts);
        assertThat(topology.switches()).hasSize(switches);
        assertThat(topology.links()).hasSize(links);
    }

    private static Set<Integer> distances(NetworkPlan plan) {
        Set<Integer> distances = new TreeSet<>();
        for (int from = 0; from < plan.hosts().size(); from++) {
            for (int to = 0; to < plan.hosts().size(); to++) {
                if (from != to) {
                    distances.add(plan.linksBetween(from, to));
                }
            }
        }
        return distances;
    }

    private static int links(NetworkPlan plan, String from, String to) {
        return plan.linksBetween(plan.host(from).number(), plan.host(to).number());
    }

    @Test
    void singleSwitchIsTwoLinksAcross() {
        Topology topology = Topologies.singleSwitch(101, LINK);
        has(topology, 101, 1, 101);
        assertThat(distances(plan(topology))).containsExactly(2);
        assertThat(topology.hasLoop()).isFalse();
    }

    @Test
    void dumbbellIsThreeLinksAcross() {
        Topology topology = Topologies.dumbbell(3, 2, LINK, LINK.withRateBps(10_000_000_000L));
        has(topology, 5, 2, 6);
        assertThat(links(plan(topology), "l1", "l3")).isEqualTo(2);
        assertThat(links(plan(topology), "l1", "r2")).isEqualTo(3);
        assertThat(topology.links().getLast().spec().rateBps()).isEqualTo(10_000_000_000L);
    }

    @Test
    void congestionTreesAreThoseOfTheFigures() {
        Topology tcd = Topologies.congestionTree(15, 2, LINK, LINK);
        has(tcd, 19, 2, 20);
        assertThat(tcd.switches()).extracting(Topology.Switch::name).containsExactly("T0", "T2");
        assertThat(links(plan(tcd), "S0", "R0")).isEqualTo(3);
        Topology chain = Topologies.congestionTree(15, 5, LINK, LINK);
        has(chain, 19, 5, 23);
        assertThat(links(plan(chain), "S1", "R1")).isEqualTo(6);
        Topology infiniband = Topologies.congestionSpreading(10, 10, LINK);
        has(infiniband, 23, 2, 24);
        assertThat(links(plan(infiniband), "A10", "BC")).isEqualTo(3);
        assertThat(links(plan(infiniband), "B10", "BC")).isEqualTo(2);
    }

    @Test
    void ringGoesTheShorterWayOrAlwaysTheSame() {
        Topology shortest = Topologies.ring(6, 2, Turn.SHORTEST, LINK, LINK);
        has(shortest, 12, 6, 18);
        assertThat(shortest.hasLoop()).isTrue();
        assertThat(links(plan(shortest), "h1-1", "h6-2")).isEqualTo(3);
        assertThat(links(plan(shortest), "h1-1", "h4-2")).isEqualTo(5);
        // Both ways round are as long: both are used.
        assertThat(plan(shortest).nextPorts(0, shortest.host("h4-1"))).containsExactly(2, 3);
        Topology clockwise = Topologies.ring(3, 1, Turn.CLOCKWISE, LINK, LINK);
        has(clockwise, 3, 3, 6);
        assertThat(links(plan(clockwise), "h1", "h2")).isEqualTo(3);
        assertThat(links(plan(clockwise), "h1", "h3")).isEqualTo(4);
        assertThat(links(plan(clockwise), "h3", "h1")).isEqualTo(3);
    }

    @Test
    void parkingLotAndBottlenecksHaveTheirPaths() {
        Topology lot = Topologies.parkingLot(3, LINK, LINK);
        has(lot, 8, 4, 11);
        assertThat(links(plan(lot), "src", "dst")).isEqualTo(5);
        assertThat(links(plan(lot), "x2", "y2")).isEqualTo(3);
        Topology bottlenecks = Topologies.multiBottleneck(5, LINK, LINK);
        has(bottlenecks, 11, 2, 12);
        assertThat(links(plan(bottlenecks), "A0", "B0")).isEqualTo(3);
        assertThat(links(plan(bottlenecks), "B5", "B0")).isEqualTo(2);
        Topology asymmetric = Topologies.asymmetric(5, 2, LINK, LINK, LINK);
        has(asymmetric, 8, 3, 10);
        assertThat(links(plan(asymmetric), "A4", "B0")).isEqualTo(3);
        assertThat(links(plan(asymmetric), "A5", "A6")).isEqualTo(2);
    }

    @Test
    void leafSpineUsesEveryLinkOfEverySpine() {
        Topology topology = Topologies.leafSpine(3, 3, 30, 2, LINK, LINK);
        has(topology, 90, 6, 90 + 18);
        NetworkPlan plan = plan(topology);
        assertThat(distances(plan)).containsExactly(2, 4);
        assertThat(plan.nextPorts(0, topology.host("h2-1"))).hasSize(6);
        assertThat(plan.nextPorts(topology.switchNumber("c1"), topology.host("h2-1"))).hasSize(2);
        assertThat(plan.links().get(91).name()).isEqualTo("e1-c1.2");
    }

    @Test
    void fatTreesHaveTheCountsOfTheirPaper() {
        for (int k : List.of(2, 4, 6, 8)) {
            Topology topology = Topologies.fatTree(k, LINK);
            int half = k / 2;
            has(topology, k * half * half, 5 * half * half, 3 * k * half * half);
            NetworkPlan plan = plan(topology);
            for (int number = 0; number < topology.switches().size(); number++) {
                assertThat(plan.switches().get(number).ports()).hasSize(k);
            }
            assertThat(distances(plan)).isEqualTo(k == 2 ? Set.of(6) : Set.of(2, 4, 6));
            int last = topology.hosts().size() - 1;
            int edge = topology.switchNumber("e1-1");
            assertThat(plan.nextPorts(edge, last)).hasSize(half);
            assertThat(plan.nextPorts(topology.switchNumber("a1-1"), last)).hasSize(half);
            assertThat(plan.nextPorts(topology.switchNumber("c1"), last)).hasSize(1);
        }
        has(Topologies.fatTree(4, LINK), 16, 20, 48);
        has(Topologies.fatTree(8, LINK), 128, 80, 384);
    }

    @Test
    void fatTreesMayHaveTwoLevelsAndBeOversubscribed() {
        LinkSpec fast = LINK.withRateBps(100_000_000_000L);
        Topology two = Fabrics.fatTree(8, new Fabrics.Shape(2, 3, 1), LINK, fast);
        has(two, 8 * 12, 8 + 4, 8 * 12 + 8 * 4);
        assertThat(plan(two).nextPorts(0, two.host("h96"))).hasSize(4);
        assertThat(distances(plan(two))).containsExactly(2, 4);
        assertThat(two.links().getFirst().spec()).isEqualTo(LINK);
        assertThat(two.links().getLast().spec()).isEqualTo(fast);
        Topology three = Fabrics.fatTree(8, new Fabrics.Shape(3, 2, 4), LINK, LINK);
        has(three, 8 * 4 * 8, 8 * 8 + 4, 256 + 8 * 16 + 8 * 4);
        assertThat(plan(three).nextPorts(three.switchNumber("a1-1"), 255)).hasSize(1);
        assertThatThrownBy(() -> Fabrics.fatTree(8, new Fabrics.Shape(3, 1, 3), LINK, LINK))
                .hasMessage("a core oversubscription of 3: divisors of k/2 = 4 are allowed");
        assertThatThrownBy(() -> Fabrics.fatTree(8, new Fabrics.Shape(2, 1, 2), LINK, LINK))
                .hasMessage("a core oversubscription of 2: with two levels only 1 is allowed");
    }

    @Test
    void whatIsForAnAcceleratorOfAnotherNodeTakesItsRail() {
        Topology topology = Fabrics.railOptimised(2, 3, 4, 2, LINK, LINK, LINK);
        has(topology, 24, 6 + 8 + 2, 24 + 24 + 16);
        NetworkPlan plan = plan(topology);
        assertThat(links(plan, "g1-1", "g1-4")).isEqualTo(2);
        assertThat(links(plan, "g1-1", "g2-3")).isEqualTo(4);
        assertThat(links(plan, "g1-1", "g6-3")).isEqualTo(6);
        // Ports of a node's switch: four accelerators, then rails 1 to 4.
        assertThat(plan.nextPorts(0, topology.host("g2-3"))).containsExactly(6);
        assertThat(plan.nextPorts(0, topology.host("g6-3"))).containsExactly(6);
        int spine = topology.switchNumber("c2");
        assertThat(plan.nextPorts(spine, topology.host("g6-3"))).containsExactly(6);
        assertThat(BufferCycles.of(topology)).isEmpty();
        has(Fabrics.railOptimised(1, 3, 4, 2, LINK, LINK, LINK), 12, 3 + 4, 12 + 12);
    }

    @Test
    void dragonfliesHaveTheCountsOfTheirPaperAndMinimalPaths() {
        Topology topology = Fabrics.dragonfly(9, 4, 2, 1, LINK, LINK, LINK);
        // p = h = 2, a = 4, g = ah + 1: 72 hosts, figure 5; every router has p + a - 1 + h links.
        has(topology, 72, 36, 72 + 9 * 6 + 36);
        NetworkPlan plan = plan(topology);
        plan.switches().forEach(node -> assertThat(node.ports()).hasSize(7));
        assertThat(distances(plan)).containsExactly(2, 3, 4, 5);
        for (int from = 0; from < 72; from++) {
            for (int to = 0; to < 72; to++) {
                long global =
                        from == to
                                ? 0
                                : plan.path(from, to).stream()
                                        .filter(link ->
                                                topology.links().get(link.number()).cost() > 1)
                                        .count();
                assertThat(global).isEqualTo(from / 8 == to / 8 ? 0 : 1);
            }
        }
        // With pauses alone a second priority would have to break these.
        assertThat(BufferCycles.of(topology)).isNotEmpty();
        has(Fabrics.dragonfly(3, 2, 1, 4, LINK, LINK, LINK), 6, 6, 6 + 3 + 12);
    }

    @Test
    void aLinkThatCostsMoreIsPassedOver() {
        Topology ring = Topologies.ring(3, 1, Turn.SHORTEST, LINK, LINK);
        List<Topology.Link> links = new ArrayList<>(ring.links());
        Topology.Link direct = links.removeLast();
        links.add(new Topology.Link(direct.a(), direct.b(), LINK, 3));
        assertThat(links(plan(ring), "h1", "h3")).isEqualTo(3);
        assertThat(links(plan(ring.withLinks(links)), "h1", "h3")).isEqualTo(4);
        links.set(links.size() - 1, new Topology.Link(direct.a(), direct.b(), LINK, 2));
        // Both ways cost the same: both are used.
        assertThat(plan(ring.withLinks(links)).nextPorts(0, ring.host("h3"))).hasSize(2);
    }

    @Test
    void aFailedLinkMakesPathsLonger() {
        Topology whole = Topologies.fatTree(4, LINK);
        Topology less = whole.without("a1-1", "c1").without("a1-1", "c2");
        // a1-1 has no way up: what goes out of the pod leaves by a1-2.
        assertThat(plan(less).nextPorts(less.switchNumber("e1-1"), less.host("h16"))).hasSize(1);
        assertThat(links(plan(less), "h1", "h16")).isEqualTo(6);
        Topology ring = Topologies.ring(4, 1, Turn.SHORTEST, LINK, LINK);
        assertThat(links(plan(ring), "h1", "h2")).isEqualTo(3);
        assertThat(links(plan(ring.without("s2", "s1")), "h1", "h2")).isEqualTo(5);
        assertThatThrownBy(() -> Topologies.dumbbell(2, 2, LINK, LINK).without("s1", "s2"))
                .hasMessageContaining("r1, which cannot reach l1");
        assertThatThrownBy(() -> ring.without("s1", "s3"))
                .hasMessageContaining("no link between s1 and s3");
    }

    @Test
    void numbersOutOfRangeAreRefusedInASentence() {
        assertThatThrownBy(() -> Topologies.fatTree(5, LINK))
                .hasMessage("a fat tree of k = 5: even numbers from 2 to 32 are allowed");
        assertThatThrownBy(() -> Topologies.singleSwitch(129, LINK))
                .hasMessage("129 hosts: 2 to 128 are allowed");
        assertThatThrownBy(() -> LinkSpec.of(999, 1)).hasMessageContaining("1 Mb/s to 400 Gb/s");
        assertThatThrownBy(() -> Topologies.leafSpine(100, 100, 100, 1, LINK, LINK))
                .hasMessageContaining("e1 with 200 links; allowed: 1 to 128");
    }

    @Test
    void whatIsNoNetworkIsRefusedInASentence() {
        assertThatThrownBy(() -> Topology.builder("t").host("h1", "s1", LINK).build())
                .hasMessageContaining("1 hosts");
        assertThatThrownBy(() ->
                        Topology.builder("t")
                                .switchNode("s1")
                                .host("h1", "s1", LINK)
                                .host("s1", "s1", LINK)
                                .build())
                .hasMessageContaining("the name s1, which a host has already");
        assertThatThrownBy(() ->
                        Topologies.singleSwitch(3, LINK)
                                .withRoutes(List.of(new Topology.Route("s1", "h1", List.of("h2")))))
                .hasMessageContaining("by h2, which is not a switch next to s1");
        assertThatThrownBy(() ->
                        Topologies.ring(3, 1, Turn.SHORTEST, LINK, LINK)
                                .withRoutes(
                                        List.of(
                                                new Topology.Route("s1", "h3", List.of("s2")),
                                                new Topology.Route("s2", "h3", List.of("s1")))))
                .hasMessageContaining("routes to h3 that go in a circle: s1 > s2 > s1");
    }

    @Test
    void twoHostsBackToBackAreANetwork() {
        Topology wire =
                Topologies.singleSwitch(2, LINK)
                        .with()
                        .mode(Mode.ROUTED)
                        .switches(List.of())
                        .links(List.of(new Topology.Link("h1", "h2", LINK)))
                        .build();
        NetworkPlan plan = plan(wire);
        assertThat(plan.linksBetween(0, 1)).isEqualTo(1);
    }
}
