package io.headgate.testbed.lab.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topologies.Turn;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Datagrams every 5 ms; three routers in a ring, of which links fail. */
class OutagesTest {
    private static final long MS = 1_000_000;
    private static final LinkSpec LINK = LinkSpec.of(1_000_000_000L, 1500);

    private final NetworkPlan plan =
            NetworkPlan.of(
                    Topologies.ring(3, 1, Turn.SHORTEST, LINK, LINK), PlanOptions.virtual(1));
    private final RunReport report = new RunReport("t");

    private static Probes.Probed lost(int from, int until) {
        long[] sentNs = IntStream.range(0, 200).mapToLong(i -> 5 * MS * i).toArray();
        BitSet arrived = new BitSet();
        arrived.set(0, 200);
        arrived.clear(from, until);
        arrived.clear(190);
        ProbeFlow flow = new ProbeFlow(0, 1, 0, 1, 5 * MS, 0);
        return new Probes.Probed(
                flow, 200, until - from + 1, Outage.longest(sentNs, 200, arrived, 5 * MS));
    }

    private void judge(Probes.Probed probed, Reroute... reroutes) {
        new Outages(plan, List.of(reroutes), 110 * MS, 0).report(List.of(probed), report);
    }

    private Reroute without(String... links) {
        BitSet down = new BitSet();
        plan.links().stream()
                .filter(link -> List.of(links).contains(link.name()))
                .forEach(link -> down.set(link.number()));
        assertThat(down.cardinality()).isEqualTo(links.length);
        return new Reroute(down, 100 * MS, 220 * MS);
    }

    @Test
    void theLongestOutageOfAProbeIsSaidWithTheTimeOfItsRoutes() {
        judge(lost(20, 44), without("s1-s2"));
        assertThat(report.problems()).isEmpty();
        assertThat(report.headlines())
                .containsEntry("longest outage of 1 probes", "120.0 ms (h1→h2)");
        assertThat(report.toText())
                .contains("down s1-s2: seen at 0.100 s, routes in place 120.0 ms later", "0.100");
    }

    @Test
    void whatIsLostThoughRoutesAreInPlaceIsAProblem() {
        judge(lost(20, 60), without("s1-s2"));
        assertThat(report.problems())
                .containsExactly(
                        "h1→h2 had no path for 200.0 ms: 75.0 ms after its routers had the"
                                + " remaining routes");
    }

    @Test
    void whereNoWayIsLeftOrTheLinksChangedAgainAnOutageIsNoProblem() {
        judge(lost(20, 60), without("s1-s2", "s3-s1"));
        Reroute again = new Reroute(new BitSet(), 250 * MS, 400 * MS);
        judge(lost(20, 60), without("s1-s2"), again);
        assertThat(report.problems()).isEmpty();
    }

    @Test
    void aMachineWithoutTimeToSetRoutesIsDoubted() {
        Reroute late = new Reroute(new BitSet(), 0, 211 * MS);
        new Outages(plan, List.of(without("s1-s2")), 110 * MS, 0).doubtReroutes(report);
        assertThat(report.doubts()).isEmpty();
        new Outages(plan, List.of(late), 110 * MS, 0).doubtReroutes(report);
        assertThat(report.doubts()).hasSize(1).first().asString().contains("101.0 ms later");
    }
}
