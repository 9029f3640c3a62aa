package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.counter.WorkerCounter;
import io.headgate.testbed.lab.measures.RunFindings;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Protocol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What makes runs of four-port and of labs of one's own show nothing. */
class LabControlTest {
    private static final long MS = 1_000_000;
    private static final String PFC = ", ports: {flow-control: pfc, lossless: [3]}";
    private static final Drop TAIL = new Drop("p4", false, "QUEUE_FULL", "a full queue", 7);

    private static Iperf3.Outcome sent(Iperf3.Flow flow, double bps) {
        return received(flow, bps, bps);
    }

    private static Iperf3.Outcome received(Iperf3.Flow flow, double sentBps, double bps) {
        return new Iperf3.Outcome(flow, Protocol.UDP, null, sentBps, bps, 0, 0, 100, 0, 0, "{}");
    }

    /** A run of four-port with a phase that came to this; the others went well. */
    private static RunReport fourPort(
            String name, List<Drop> drops, double sent, double received, long heldMs) {
        OwnLabSpec spec = ReadyLabs.fourPort("100Mbps", 5);
        List<PhaseOutcome> outcomes = new ArrayList<>();
        for (OwnLabSpec.Phase phase : spec.phases()) {
            boolean isIt = phase.name().equals(name);
            List<Iperf3.Outcome> results = new ArrayList<>();
            for (OwnLabSpec.Flow flow : phase.flows()) {
                Iperf3.Flow own =
                        new Iperf3.Flow(
                                flow.from() + 1, flow.to() + 1, flow.rateBps(), 0, 0, "", 0);
                double bps = (isIt ? sent : 1) * flow.rateBps();
                results.add(
                        new Iperf3.Outcome(
                                own,
                                flow.protocol(),
                                null,
                                bps,
                                (isIt ? received : 1) * bps,
                                0,
                                0,
                                100,
                                0,
                                0,
                                "{}"));
            }
            outcomes.add(
                    new PhaseOutcome(
                            phase,
                            results,
                            isIt ? drops : List.of(TAIL),
                            0,
                            List.of(),
                            List.of(),
                            List.of(),
                            List.of(),
                            List.of(),
                            List.of()));
        }
        RunReport report = new RunReport("test");
        OwnRun.control(new PhaseFindings(spec, outcomes, report), new Holds(1, 2, heldMs * MS));
        return report;
    }

    @Test
    void fourPortShowsSomethingWhereThreeSendersMadeDropsAndTheMachineHadTime() {
        assertThat(fourPort("UDP incast", List.of(TAIL), 1, 0.6, 20).verdict()).isEqualTo("PASS");
        // More than a link carries may be more than the machine can send.
        assertThat(fourPort("UDP incast", List.of(TAIL), 0.8, 0.6, 20).verdict()).isEqualTo("PASS");
    }

    @Test
    void fourPortShowsNothingWhereItsControlCaseDroppedNothing() {
        assertThat(fourPort("UDP incast", List.of(), 1, 0.6, 20).doubts())
                .singleElement()
                .matches(doubt -> !doubt.ofMachine())
                .matches(doubt ->
                        doubt.why()
                                .equals(
                                        "the control case: UDP incast: frames dropped: 0 frames,"
                                                + " expected at least 1 frames"));
        assertThat(fourPort("UDP incast", List.of(), 0.4, 1, 20).doubts())
                .singleElement()
                .matches(Doubt::ofMachine)
                .matches(doubt -> doubt.why().startsWith("h1's iperf3 sent 20 Mb/s of the 50"));
    }

    @Test
    void fourPortShowsNothingWhereTheMachineTookATenthOfAPhase() {
        List<Drop> drops = List.of(TAIL);
        assertThat(fourPort("UDP incast", drops, 1, 0.6, 501).verdict()).isEqualTo("INVALID");
        assertThat(fourPort("UDP incast", drops, 1, 0.6, 499).verdict()).isEqualTo("PASS");
    }

    @Test
    void fourPortShowsNothingWhereALinkThatHadRoomLostAFifth() {
        for (double share : new double[] {0.81, 0.79}) {
            assertThat(fourPort("UDP pairs", List.of(TAIL), 1, share, 20).verdict())
                    .isEqualTo(share > 0.8 ? "PASS" : "INVALID");
        }
    }

    /** Three of 50 Mb/s into a link of 100, of which a worker without a core used a sixth. */
    @Test
    void fourPortShowsNothingWhereThePortThatDroppedWasIdle() {
        assertThat(fourPort("UDP incast", List.of(TAIL), 0.67, 0.17, 52).doubts())
                .singleElement()
                .matches(Doubt::ofMachine)
                .matches(doubt ->
                        doubt.why()
                                .startsWith(
                                        "the control case: UDP incast: share received: 17 %, expected at least 33 %;"
                                                + " 1 worker wants 2 cores"));
    }

    /** What is expected of a phase, and no control case, fails it. */
    @Test
    void aPhaseThatLosesMoreThanItsFileExpectsFails() {
        OwnLabSpec spec =
                OwnLabReader.read(
                        """
                        topology: {name: t, builder: {single-switch: {hosts: 2}}}
                        phases:
                          - name: first
                            traffic: [{from: h1, to: h2, protocol: udp, rate: 10Mbps}]
                            expect: [{measure: share received, at-least: 90}, {measure: frames dropped, at-most: 2}]
                        """,
                        "lab.yaml");
        Iperf3.Flow flow = new Iperf3.Flow(1, 2, 10_000_000, 0, 0, "", 0);
        for (double share : new double[] {0.91, 0.89}) {
            RunReport report = new RunReport("test");
            List<Iperf3.Outcome> flows = List.of(received(flow, 10e6, share * 10e6));
            new PhaseFindings(
                            spec,
                            List.of(
                                    new PhaseOutcome(
                                            spec.phases().getFirst(),
                                            flows,
                                            List.of(TAIL),
                                            0,
                                            List.of(),
                                            List.of(),
                                            List.of(),
                                            List.of(),
                                            List.of(),
                                            List.of())),
                            report)
                    .judge(new Holds(1, 2, 20 * MS));
            assertThat(report.problems()).hasSize(share > 0.9 ? 1 : 2);
            assertThat(report.problems().getLast())
                    .isEqualTo("first: frames dropped: 7 frames, expected at most 2 frames");
        }
    }

    /** A phase that wants drops and most datagrams, of a sender that sent a part of its own. */
    private static RunReport wanting(double sent, double share, boolean obeys) {
        OwnLabSpec spec =
                OwnLabReader.read(
                        """
                        topology: {name: t, builder: {single-switch: {hosts: 2}}%s}
                        phases:
                          - name: first
                            traffic: [{from: h1, to: h2, protocol: udp, rate: 10Mbps}]
                            expect: [{measure: frames dropped, at-least: 8}, {measure: share received, at-least: 90}]
                        """
                                .formatted(obeys ? PFC : ""),
                        "lab.yaml");
        Iperf3.Flow flow = new Iperf3.Flow(1, 2, 10_000_000, 0, 0, "", 0);
        List<Iperf3.Outcome> flows = List.of(received(flow, sent * 10e6, share * sent * 10e6));
        RunReport report = new RunReport("test");
        PhaseFindings findings =
                new PhaseFindings(
                        spec,
                        List.of(
                                new PhaseOutcome(
                                        spec.phases().getFirst(),
                                        flows,
                                        List.of(TAIL),
                                        0,
                                        List.of(),
                                        List.of(),
                                        List.of(),
                                        List.of(),
                                        List.of(),
                                        List.of())),
                        report);
        Holds holds = new Holds(1, 2, 20 * MS);
        findings.judge(holds);
        if (report.problems().isEmpty()) {
            new PhaseDoubts(findings).add(holds);
        }
        return report;
    }

    /** Only where nothing but the machine held it, and what else is expected holds. */
    @Test
    void aSenderWithoutACoreExcusesDropsThatDidNotComeOnce() {
        String drops = "first: frames dropped: 7 frames, expected at least 8 frames";
        assertThat(wanting(1, 1, false).problems()).containsExactly(drops);
        assertThat(wanting(0.4, 1, true).problems()).containsExactly(drops);
        RunReport excused = wanting(0.4, 1, false);
        assertThat(excused.problems()).isEmpty();
        assertThat(excused.doubts()).singleElement().matches(Doubt::ofMachine);
        RunReport failed = wanting(0.4, 0.5, false);
        assertThat(failed.problems())
                .containsExactly("first: share received: 50 %, expected at least 90 %");
        assertThat(failed.doubts()).isEmpty();
    }

    /** A report of algorithms of which each brings these valuable datagrams, and a cheap one. */
    private static RunReport weighted(Map<String, Integer> valuable, Holds holds) {
        OwnLabSpec spec = ReadyLabs.policy(true, "20Mbps", 2);
        List<PhaseOutcome> outcomes = new ArrayList<>();
        for (OwnLabSpec.Phase phase : spec.phases()) {
            List<Iperf3.Outcome> flows = new ArrayList<>();
            for (OwnLabSpec.Flow flow : phase.flows()) {
                Iperf3.Flow own = new Iperf3.Flow(flow.from() + 1, 4, flow.rateBps(), 0, 0, "", 0);
                String algorithm = phase.name().substring("algorithm ".length());
                int came = flow.from() == 2 ? 1 : valuable.getOrDefault(algorithm, 100);
                flows.add(
                        new Iperf3.Outcome(
                                own, Protocol.UDP, null, 1, 1, 0, 7, 2 * came + 7, 0, 0, "{}"));
            }
            outcomes.add(
                    new PhaseOutcome(
                            phase, flows, List.of(), 0, List.of(), List.of(), List.of(), List.of(),
                            List.of(), List.of()));
        }
        RunReport report = new RunReport("test");
        PhaseFindings phases = new PhaseFindings(spec, outcomes, report);
        phases.judge(holds);
        if (report.problems().isEmpty()) {
            OwnRun.control(phases, holds);
        }
        new RunFindings(List.of(phases), report).judge();
        return report;
    }

    private static final Holds QUICK = new Holds(5, 2, 20 * MS);
    private static final Holds LATE = new Holds(5, 2, 500 * MS);

    private static final Map<String, Integer> AS_IN_THE_CHAPTER =
            Map.of("b", 101, "c", 102, "c-2", 101, "c-4", 101, "c-8", 101);

    @Test
    void eachAlgorithmIsWorthMoreThanTheOneBefore() {
        RunReport report = weighted(AS_IN_THE_CHAPTER, QUICK);
        assertThat(report.problems()).isEmpty();
        // Two hosts' valuable ones at 63 each, and a cheap one.
        assertThat(report.headlines()).containsEntry("worth of algorithm a", "12601 per s");
        assertThat(report.headlines()).hasSize(9);
    }

    @Test
    void anAlgorithmThatIsWorthNoMoreFails() {
        Map<String, Integer> asMuch = new HashMap<>(AS_IN_THE_CHAPTER);
        asMuch.put("c-4", 100);
        // What failed did so, however late the machine was.
        for (Holds holds : List.of(QUICK, LATE)) {
            RunReport report = weighted(asMuch, holds);
            assertThat(report.problems())
                    .containsExactly(
                            "worth of algorithm c-4: 12601 per s, expected at least 12602 per s");
            assertThat(report.verdict()).isEqualTo("FAIL");
        }
        assertThat(weighted(AS_IN_THE_CHAPTER, LATE).verdict()).isEqualTo("INVALID");
    }

    private static Entry entry(Scope scope, String owner, String label, int index) {
        return new Entry(scope, 0, owner, label, "", CounterId.Kind.TOTAL, "", index);
    }

    private static RunReport dropped(long frames, long stalledMs) {
        List<Entry> entries =
                List.of(
                        entry(Scope.EGRESS, "p3", DropCounters.LABEL_PREFIX + "QUEUE_FULL", 0),
                        entry(Scope.WORKER, "worker 0", WorkerCounter.STALLED_NS.label(), 1),
                        entry(Scope.WORKER, "worker 0", WorkerCounter.LATENESS_NS.label(), 2));
        long[] values = {frames, stalledMs * MS, 0};
        CounterSnapshot counters = CounterSnapshot.of(entries, one -> values[one.valueIndex()]);
        RunReport report = new RunReport("test");
        Holds.doubtDrops("s1", counters, 5, report);
        return report;
    }

    @Test
    void dropsShowNothingWhereAWorkerHadNoCoreForATenthOfTheTime() {
        assertThat(dropped(2199, 501).doubts())
                .singleElement()
                .matches(Doubt::ofMachine)
                .matches(doubt ->
                        doubt.why()
                                .equals(
                                        "s1 dropped 2199 frames at full queues, and one of its"
                                                + " workers had no core for 501 ms of the 5 s of"
                                                + " traffic"));
        assertThat(dropped(2199, 499).doubts()).isEmpty();
        assertThat(dropped(0, 501).doubts()).isEmpty();
    }

    private static List<Doubt> own(String ports, double share, long heldMs) {
        OwnLabSpec spec =
                OwnLabReader.read(
                        "duration: 4s\n"
                                + "topology: {name: t, builder: {leaf-spine: {}}"
                                + ports
                                + "}\n"
                                + "traffic: [{from: h1-1, to: h2-1, protocol: udp, rate: 20Mbps,"
                                + " duration: 2s}, {from: h1-2, to: h2-1}]\n",
                        "lab.yaml");
        Iperf3.Flow udp = new Iperf3.Flow(1, 3, 20_000_000, 0, 0, "", 0);
        RunReport report = new RunReport("test");
        PhaseOutcome outcome =
                new PhaseOutcome(
                        spec.phases().getFirst(),
                        List.of(sent(udp, share * 20e6)),
                        List.of(),
                        0,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of());
        OwnRun.control(
                new PhaseFindings(spec, List.of(outcome), report), new Holds(2, 2, heldMs * MS));
        return report.doubts();
    }

    @Test
    void anOwnLabShowsNothingWhereAWorkerWasHeldForATenthOfItsShortestFlow() {
        assertThat(own("", 1, 199)).isEmpty();
        assertThat(own("", 1, 201)).singleElement().matches(Doubt::ofMachine);
    }

    @Test
    void aSenderThatNothingHoldsBackButTheMachineIsDoubtedByItsName() {
        assertThat(own("", 0.5, 20))
                .singleElement()
                .matches(doubt ->
                        doubt.why().startsWith("h1-1's iperf3 sent 10 Mb/s of the 20 Mb/s"));
        String queues = ", ports: {classify: {trust: dscp}}";
        assertThat(own(queues, 0.5, 20)).singleElement().matches(Doubt::ofMachine);
        // With frames' headers 20 Mb/s of payload are more than such a link carries.
        assertThat(own(queues + ", link: {rate: 21Mbps}", 0.5, 20)).isEmpty();
        // An agent obeys pauses.
        assertThat(own(PFC, 0.5, 20)).isEmpty();
    }
}
