package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.QuietRun;
import io.headgate.testbed.scenario.bed.VirtualBed;
import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.FlowSpec.After;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Traffic that is said in a word: collectives, permutations, incasts. */
class TrafficPatternsTest {
    private static final int HOSTS = 8;
    private static final double BITS_PER_US = 100e3;
    private static final int FRAME_BYTES = 1514;
    private static final int PAYLOAD_BYTES = 1456;

    /** A frame on the link, in us, and what a frame takes to the next host with it. */
    private static final double FRAME_US = (FRAME_BYTES + 24) * 8 / BITS_PER_US;

    private static final double ALPHA_US = 2 + FRAME_US;

    private static String scenario(String... entries) {
        return """
        name: t
        duration: 5ms
        topology:
          name: t
          link: {rate: 100Gbps, delay: 1us}
          builder: {single-switch: {hosts: 8}}
          ports: {flow-control: pfc, lossless: [3], buffers: {xoff: 400kB, xon: 380kB}}
        traffic:
        """
                + String.join("\n", Stream.of(entries).map(one -> "  - " + one).toList())
                + "\n";
    }

    private static Experiment experiment(String... entries) {
        return ScenarioReader.define(scenario(entries), "s.yaml").experiment();
    }

    private static String collective(String name, String size, String keys) {
        return "{name: %s, collective: {%s}, size: %s, transport: rocev2, priority: 3}"
                .formatted(name, keys, size);
    }

    private static Observation run(String entry) throws Exception {
        return VirtualBed.run(experiment(entry), 1, new QuietRun());
    }

    private static double measure(Observation seen, String name) {
        return seen.measures().stream()
                .filter(one -> one.name().equals(name))
                .mapToDouble(Measure::value)
                .findFirst()
                .orElseThrow();
    }

    /** Payload on a link, one acknowledgement in 16 packets in between. */
    private static double us(double bytes) {
        return bytes / PAYLOAD_BYTES * FRAME_US;
    }

    /**
     * Alone in the network, S = 4 MB, n = 8: within 1 % of S/B (2(n-1)/n) + 2(n-1) alpha and its
     * like, where a step of 7 alpha of 14 would be seen.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    all-reduce     | algorithm: ring              | 1.75   | 14
                    all-reduce     | algorithm: halving-doubling  | 1.75   | 6
                    reduce-scatter | algorithm: ring              | 0.875  | 7
                    reduce-scatter | algorithm: halving-doubling  | 0.875  | 3
                    all-gather     | algorithm: ring              | 0.875  | 7
                    all-gather     | algorithm: halving-doubling  | 0.875  | 3
                    all-to-all     | algorithm: at-once           | 0.875  | 1
                    pipeline       | chunks: 1                    | 7      | 7
                    """)
    void aCollectiveTakesAsLongAsItsClosedFormSays(
            String kind, String keys, double sizes, int alphas) throws Exception {
        Experiment one = experiment(collective("c", "4MB", "kind: " + kind + ", " + keys));
        Observation seen = VirtualBed.run(one, 1, new QuietRun());
        double expected = us(4e6 * sizes) + alphas * ALPHA_US;
        assertThat(measure(seen, "makespan of c") / expected).isCloseTo(1, within(0.01));
        assertThat(measure(seen, "packets repeated of c")).isZero();
    }

    /** While one chunk is on its way to the next rank the link carries another. */
    @Test
    void chunksHideWhatAStepTakesToArrive() throws Exception {
        Experiment one = experiment(collective("c", "4MB", "kind: all-reduce, chunks: 4"));
        Observation seen = VirtualBed.run(one, 1, new QuietRun());
        assertThat(measure(seen, "makespan of c"))
                .isBetween(us(4e6 * 1.75), us(4e6 * 1.75) + 7 * ALPHA_US);
    }

    @Test
    void whatRanksComputeComesOnTop() throws Exception {
        Observation seen =
                VirtualBed.run(
                        experiment(
                                collective("sum", "80kB", "kind: all-reduce, compute: 100us"),
                                collective(
                                        "pipe",
                                        "10kB",
                                        "kind: pipeline, ranks: [h1, h2, h3], chunks: 4,"
                                                + " compute: 200us")),
                        1,
                        new QuietRun());
        double sum = us(14 * 10e3) + 14 * ALPHA_US + 7 * 100;
        assertThat(measure(seen, "makespan of sum") / sum).isCloseTo(1, within(0.01));
        // Two stages; the first begins to send after 200 us, the last chunk's after 800.
        double pipe = 5 * 200 + 2 * (us(10e3) + ALPHA_US);
        assertThat(measure(seen, "last arrival of pipe") / pipe).isCloseTo(1, within(0.01));
    }

    @Test
    void aCollectiveAfterOthersBeginsAtEachRankWhenTheseAreThere() throws Exception {
        Experiment one =
                experiment(
                        collective("a", "80kB", "kind: all-reduce"),
                        collective("p", "10kB", "kind: pipeline, ranks: [h1, h2, h3], chunks: 2"),
                        collective("b", "80kB", "kind: all-gather, after: [a, p]"));
        List<FlowSpec> flows = one.flows();
        // A ring's last step; what a pipeline's last stage receives.
        FlowSpec ofFirst = flows.stream().filter(f -> f.name().equals("b")).toList().getFirst();
        assertThat(ofFirst.after())
                .extracting(After::flow)
                .map(flow -> flows.get(flow).name() + " " + flows.get(flow).destination())
                .containsExactly("a 0");
        FlowSpec ofThird =
                flows.stream()
                        .filter(f -> f.name().equals("b") && f.source() == 2)
                        .findFirst()
                        .orElseThrow();
        assertThat(ofThird.after())
                .extracting(After::flow)
                .map(flow -> flows.get(flow).name() + " " + flows.get(flow).destination())
                .containsExactly("a 2", "p 2", "p 2");
        Observation seen = VirtualBed.run(one, 1, new QuietRun());
        double a = measure(seen, "last arrival of a");
        assertThat(measure(seen, "last arrival of b") - measure(seen, "makespan of b"))
                .isBetween(a - 10, a + 1);
    }

    /** As collective libraries have them: a connection for each pair, with one path. */
    @Test
    void allFlowsBetweenTwoRanksHaveOneSourcePort() {
        List<FlowSpec> flows =
                experiment(collective("c", "4MB", "kind: all-reduce, chunks: 2")).flows();
        Set<List<Integer>> connections = new HashSet<>();
        flows.forEach(flow ->
                connections.add(
                        List.of(flow.source(), flow.destination(), flow.shape().sourcePort())));
        assertThat(connections).hasSize(2 * HOSTS);
    }

    @Test
    void aPermutationHasEachHostSendToOneAndReceiveFromOne() {
        Set<List<Integer>> drawn = new HashSet<>();
        for (int draw = 0; draw < 20; draw++) {
            List<FlowSpec> flows =
                    experiment(
                                    "{name: p, from: all, to: permutation, size: 1MB, draw: %d}"
                                            .formatted(draw))
                            .flows();
            assertThat(flows).extracting(FlowSpec::source).doesNotHaveDuplicates().hasSize(HOSTS);
            assertThat(flows).extracting(FlowSpec::destination).doesNotHaveDuplicates();
            drawn.add(flows.stream().map(FlowSpec::destination).toList());
        }
        assertThat(drawn).hasSizeGreaterThan(15);
        // Two can only change places; flows one after the other go to the one drawn.
        Experiment arriving =
                experiment(
                        "{name: p, from: [h2, h5], to: permutation, arrivals: {load: 0.1, size:"
                                + " 1kB}}");
        assertThat(arriving.arrivals())
                .extracting(one -> List.of(one.source(), one.destinations().getFirst()))
                .containsExactly(List.of(1, 4), List.of(4, 1));
    }

    @Test
    void anIncastDrawsItsReceiverAndItsSendersEachTime() {
        List<FlowSpec> flows =
                experiment(
                                "{name: i, from: all, to: [h1, h2], size: 10kB, start: 1ms, incast:"
                                        + " {every: 500us, senders: 7}}")
                        .flows();
        assertThat(flows).hasSize(8 * 7);
        Set<Integer> receivers = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            List<FlowSpec> one = flows.subList(i * 7, i * 7 + 7);
            long startPs = 1_000_000_000L + i * 500_000_000L;
            int receiver = one.getFirst().destination();
            receivers.add(receiver);
            assertThat(one).allMatch(flow -> flow.startPs() == startPs);
            assertThat(one).allMatch(flow -> flow.destination() == receiver);
            assertThat(one).extracting(FlowSpec::source).doesNotHaveDuplicates();
            assertThat(one).noneMatch(flow -> flow.source() == receiver);
        }
        assertThat(receivers).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void scatteredFlowsGoToOtherGroupsAndGoOnDrawingFromEntryToEntry() {
        String entry =
                "{name: s, from: all, to: all, size: 10kB, start: 1ms, scatter: {flows: 50, within:"
                        + " 10us, apart: 4}, draw: 3}";
        List<FlowSpec> flows = experiment(entry, entry).flows();
        assertThat(flows).hasSize(2 * 50 * HOSTS);
        assertThat(flows)
                .allMatch(flow -> flow.source() / 4 != flow.destination() / 4)
                .allMatch(flow -> flow.startPs() / 10_000_000 == 100);
        assertThat(flows).extracting(FlowSpec::destination).contains(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(flows.subList(50 * HOSTS, 100 * HOSTS))
                .isNotEqualTo(flows.subList(0, 50 * HOSTS));
        assertThat(experiment(entry).flows()).isEqualTo(flows.subList(0, 50 * HOSTS));
    }

    /** A flow of 1 MB takes 80 us of 100 Gb/s: for a load of 0.2 it sleeps 320 us. */
    @Test
    void aClosedLoopOfALoadSleepsForTheRest() {
        ArrivalProcess.ClosedLoop loop =
                (ArrivalProcess.ClosedLoop)
                        experiment(
                                        "{name: t, from: h1, to: h2, arrivals: {load: 0.2, closed:"
                                                + " true, size: 1MB}}")
                                .arrivals()
                                .getFirst()
                                .process();
        assertThat(loop.meanSleepPs()).isCloseTo(320e6, within(1.0));
        assertThat(loop.kept()).isFalse();
    }

    /**
     * One full frame each, with nothing in between: only a control that goes on holds them back.
     */
    @ParameterizedTest
    @CsvSource({"none, 1", "rocev2, 1", "selective, 1", "none, 7", "rocev2, 7"})
    void aKeptConnectionGoesOnAtItsRateWhereANewOneBeginsAtTheLines(String transport, int frames)
            throws Exception {
        String entry =
                ("{name: t, from: h1, to: [h2, h3], frame: 1514B, transport: %s, control: {fixed: {rate: 1Gbps}},"
                                + " connection: WHICH, arrivals: {sleep: 0s, size: %dB}}")
                        .formatted(transport, PAYLOAD_BYTES * (frames - 1) + 1000);
        Observation kept = run(entry.replace("WHICH", "kept"));
        double frameUs = ((frames - 1.0) * (FRAME_BYTES + 24) + 1082) * 8 / 1e3;
        // Two connections, one to each host, of which the last flow may be under way.
        double begun = 2 * 5000 / frameUs;
        assertThat(measure(kept, "flows begun of t")).isCloseTo(begun, within(0.03 * begun));
        assertThat(measure(kept, "flows unfinished of t")).isLessThanOrEqualTo(2);
        double us = frameUs + ALPHA_US;
        assertThat(measure(kept, "p50 completion of t")).isCloseTo(us, within(0.05 * us));
        if (frames == 1) {
            Observation anew = run(entry.replace("WHICH", "new"));
            assertThat(measure(anew, "flows begun of t")).isGreaterThan(10 * 5000 / frameUs);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    collective: {kind: all-reduce}, size: 1MB                  | a collective without acknowledgements; allowed: transport: rocev2, or a window
                    collective: {kind: all-reduce}, window: 9                  | no size of a collective
                    collective: {kind: all-reduce, ranks: [h1, h1]}, size: 1MB, window: 9 | a host with two ranks; allowed: each host once
                    collective: {kind: all-reduce, algorithm: shift}, size: 1MB, window: 9 | this algorithm; allowed: ring or halving-doubling
                    collective: {kind: all-gather, algorithm: halving-doubling, ranks: [h1, h2, h3]}, size: 1MB, window: 9 | 3 ranks; allowed: a power of two
                    collective: {kind: pipeline, algorithm: ring}, size: 1MB, window: 9 | an algorithm of a pipeline; allowed: none
                    collective: {kind: all-reduce, after: x}, size: 1MB, window: 9 | after "x"; allowed: names of earlier entries
                    collective: {kind: all-reduce, chunks: 1000}, size: 1MB, window: 9 | 112000 flows more; allowed: at most 100000
                    collective: {kind: all-reduce}, size: 1MB, window: 9, to: h1 | to with collective; allowed: ranks and size
                    from: all, to: h1, size: 1kB, incast: {every: 1ms, senders: 8} | 8 senders of 7; allowed: at most the number of hosts in 'from'
                    from: all, to: h1, size: 1kB, incast: {every: 1ns, senders: 7} | 5000000 incasts of 7 senders; allowed: at most 100000 flows more
                    from: all, to: h1, size: 1kB, incast: {every: 1ms, senders: 7}, scatter: {flows: 2, within: 1ms} | scatter with incast
                    collective: {kind: all-reduce}, size: 1MB, window: 9, scatter: {flows: 2, within: 1ms} | scatter with collective
                    from: all, to: all, size: 1kB, scatter: {flows: 20000, within: 1ms} | 160000 flows; allowed: at most 100000 flows more
                    from: all, to: all, size: 1kB, scatter: {flows: 2, within: 1ms, apart: 8} | no host that is apart from a sender's 8; allowed: more hosts in to
                    from: h1, to: h2, arrivals: {sleep: 1us, closed: true, size: 1kB} | sleep and closed and size; allowed: one of load, every and sleep
                    from: all, to: permutation, size: 1kB, incast: {every: 1ms, senders: 7} | permutation with incast
                    from: h1, to: permutation, size: 1kB                       | a permutation of one host
                    from: h1, to: h2, connection: kept, arrivals: {load: 0.1, size: 1kB} | a kept connection without sleep
                    from: h1, to: h2, window: 9, connection: kept, arrivals: {sleep: 1us, size: 1kB} | a kept connection with a window
                    """)
    void whatDoesNotGoTogetherIsRefusedInASentence(String keys, String sentence) {
        assertThatThrownBy(() -> experiment("{name: t, " + keys + "}"))
                .hasMessageContaining(sentence);
    }

    @Test
    void aConnectionThatIsKeptOverLinksThatLoseFramesHasATransport() {
        String lossy =
                scenario(
                                "{name: t, from: h1, to: h2, connection: kept, arrivals: {sleep: 1us, size: 1kB}}")
                        .replace("delay: 1us}", "delay: 1us, faults: {loss: 0.01}}");
        assertThatThrownBy(() -> ScenarioReader.define(lossy, "s.yaml"))
                .hasMessageContaining("a kept connection without a transport, on links that lose");
        String repaired = lossy.replace("connection:", "transport: rocev2, connection:");
        assertThat(ScenarioReader.define(repaired, "s.yaml").experiment().arrivals()).hasSize(1);
    }
}
