package io.headgate.control.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId.Kind;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.hostagent.telemetry.FlowPaths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What in-band telemetry says, with names instead of numbers. */
class PathTraceTest {
    private static final int S1 = 101;
    private static final int S2 = 102;
    private static final int S3 = 103;
    private static final long NOW_NS = 9_000_000_000L;

    private static CounterSnapshot counters(int node, String... ports) {
        List<Entry> entries = new ArrayList<>();
        for (String port : ports) {
            entries.add(
                    new Entry(
                            Scope.EGRESS,
                            entries.size(),
                            port,
                            "telemetry.node.p0",
                            "number",
                            Kind.GAUGE,
                            "by which records name this switch",
                            entries.size()));
        }
        return CounterSnapshot.of(entries, _ -> node);
    }

    private static final SwitchNumbers NUMBERS =
            new SwitchNumbers(
                    Map.of(
                            "s1", counters(S1, "p1", "up"),
                            "s2", counters(S2, "p1", "p2"),
                            "s3", counters(S3, "p1", "p2"),
                            "twin-a", counters(7, "p1"),
                            "twin-b", counters(7, "p1")));

    private static final Map<String, Map<String, String>> PEERS =
            Map.of(
                    "s1", Map.of("p1", "h1", "up", "s2:p1"),
                    "s2", Map.of("p1", "s1:up", "p2", "s3:p1"),
                    "s3", Map.of("p1", "s2:p2", "p2", "h3"));

    private static FlowPaths.Hop hop(int node, int in, int out, long queueBytes, long latencyNs) {
        return new FlowPaths.Hop(
                node, in, out, 3, queueBytes, 2 * queueBytes, latencyNs, 5, 40_000_000_000L, 423);
    }

    private static FlowPaths.Flow flow(
            int source, int sourcePort, long agoMs, FlowPaths.Hop... hops) {
        FiveTuple key = new FiveTuple();
        key.ipv4(source, 0x0A00_0003, (sourcePort << 16) | 4791, IpProtocol.UDP);
        return new FlowPaths.Flow(key, NOW_NS - agoMs * 1_000_000, 1_000, false, List.of(hops));
    }

    private static PathTrace trace(Set<String> addresses, FlowPaths.Flow... flows) {
        List<SeenFlow> seen = SeenFlow.of(new FlowPaths.View(List.of(flows), 0), NUMBERS, NOW_NS);
        return PathTrace.of(
                "h1", "h3", seen, addresses, node -> PEERS.getOrDefault(node, Map.of()));
    }

    @Test
    void eachWayIsToldOnceWithWhereFramesWaitedLongest() {
        FlowPaths.Hop[] hops = {
            hop(S1, 1, 2, 0, 0), hop(S2, 1, 2, 66_000, 13_200), hop(S3, 1, 2, 100, 20)
        };
        PathTrace trace =
                trace(
                        Set.of("10.0.0.1"),
                        flow(0x0A00_0001, 50_000, 7, hops),
                        flow(0x0A00_0001, 50_001, 3, hops),
                        flow(0x0A00_0009, 50_001, 3, hop(S2, 2, 2, 1, 1)));
        assertThat(trace.toText().lines())
                .containsExactly(
                        "h1 to h3: UDP 10.0.0.1:50001 to 10.0.0.3:4791 and 1 other flow, the last"
                                + " frame 3 ms ago",
                        "  s1: p1 to up, 0.0 us in the switch, 0 bytes waited behind it, link"
                                + " utilisation 42.3 %",
                        "  s2: p1 to p2, 13.2 us in the switch, 66,000 bytes waited behind it, link"
                                + " utilisation 42.3 %",
                        "  s3: p1 to p2, 0.0 us in the switch, 100 bytes waited behind it, link"
                                + " utilisation 42.3 %",
                        "  13.2 us in switches, 13.2 us of it at s2:p2, where 66,000 bytes waited"
                                + " behind it");
    }

    /** Whose address is not known, but the first switch knows its neighbour. */
    @Test
    void aSwitchThatWritesNothingIsKnownByItsNeighbour() {
        PathTrace trace =
                trace(
                        Set.of(),
                        flow(0x0A00_0001, 50_000, 7, hop(S1, 1, 2, 0, 90), hop(S3, 1, 2, 0, 20)));
        assertThat(trace.toText()).contains("up, 0.1 us", "  s2: wrote nothing\n  s3: p1 to p2");
        assertThat(trace.ways().getFirst().steps())
                .extracting(PathTrace.Step::wrote)
                .containsExactly(true, false, true);
        assertThat(trace(Set.of("10.0.0.1"), flow(0x0A00_0001, 1, 7, hop(S1, 1, 2, 0, 0))).toText())
                .contains("s2: wrote nothing", "it did not wait in any switch");
        assertThat(trace(Set.of(), flow(0x0A00_0001, 1, 7, hop(S2, 1, 2, 0, 0))).ways()).isEmpty();
    }

    @Test
    void numbersThatNoSwitchHereHasOrSeveralStayNumbers() {
        assertThat(NUMBERS.name(S1)).isEqualTo("s1");
        assertThat(NUMBERS.port(S1, 2)).isEqualTo("up");
        assertThat(NUMBERS.port(S1, 3)).isEqualTo("no. 3");
        assertThat(NUMBERS.port(S1, 0)).isEqualTo("itself");
        assertThat(NUMBERS.name(7)).isEqualTo("no. 7");
        assertThat(NUMBERS.name(-1)).isEqualTo("-");
        assertThat(NUMBERS.name(-2)).isEqualTo("no. 4294967294");
    }

    /** Such sources can be forged: they are not taken for those that they resemble. */
    @Test
    void anAddressOfIpv6IsNeverShownAsOneOfIpv4() {
        FiveTuple key = new FiveTuple();
        key.ipv6((50_000 << 16) | 4791, IpProtocol.UDP);
        key.word(2, 0x0A00_0001);
        key.word(3, 0xFD00_0000_0000_0000L);
        key.word(4, 0xFFFF_0A00_0003L);
        FlowPaths.Flow flow =
                new FlowPaths.Flow(key, NOW_NS, 1, false, List.of(hop(S2, 2, 2, 1, 1)));
        SeenFlow seen =
                SeenFlow.of(new FlowPaths.View(List.of(flow), 0), NUMBERS, NOW_NS).getFirst();
        assertThat(seen.source()).isEqualTo("0:0:0:0:0:0:a00:1");
        assertThat(seen.destination()).isEqualTo("fd00:0:0:0:0:ffff:a00:3");
        assertThat(trace(Set.of("10.0.0.1"), flow).ways()).isEmpty();
    }

    @Test
    void theTableOfAHostHasEachFlowWithItsPorts() {
        FlowPaths.Hop silent = new FlowPaths.Hop(-1, -1, -1, -1, 80, 80, -1, 1, 0, -1);
        FlowPaths.View view = new FlowPaths.View(List.of(flow(0x0A00_0001, 50_000, 7, silent)), 12);
        String text = SeenFlow.text(SeenFlow.of(view, NUMBERS, NOW_NS), view.unnotedFrames());
        assertThat(text)
                .contains("UDP 10.0.0.1:50000 to 10.0.0.3:4791: 1,000 frames, the last 7 ms ago")
                .contains(
                        "12 frames belonged to further flows: at most 256 flows are recorded at a"
                                + " time");
        assertThat(text.lines().toList().get(2).strip().split(" +"))
                .containsExactly("-", "-", "-", "-", "80", "80", "-", "-", "-");
    }
}
