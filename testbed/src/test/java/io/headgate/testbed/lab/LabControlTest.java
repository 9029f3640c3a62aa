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
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.netns.NetnsNetwork.Hosts;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What makes runs of four-port and of labs of one's own show nothing. */
class LabControlTest {
    private static final long MS = 1_000_000;
    private static final long RATE_BPS = 100_000_000;
    private static final Drop TAIL = new Drop("p4", false, "QUEUE_FULL", "a full queue", 7);

    private static Iperf3.Outcome sent(Iperf3.Flow flow, double bps) {
        return received(flow, bps, bps);
    }

    private static Iperf3.Outcome received(Iperf3.Flow flow, double sentBps, double bps) {
        return new Iperf3.Outcome(flow, Protocol.UDP, null, sentBps, bps, 0, 0, 100, 0, 0, "{}");
    }

    private static RunReport fourPort(List<Drop> drops, double share, long heldMs) {
        RunReport report = new RunReport("test");
        Phase incast = Phase.all(RATE_BPS, RATE_BPS / 10).getLast();
        List<Iperf3.Outcome> flows =
                incast.flows().stream().map(flow -> sent(flow, share * incast.udpBps())).toList();
        FourPortLab.control(
                List.of(new Phase.Outcome(incast, flows, drops, 0, List.of())),
                new Holds(1, 2, heldMs * MS),
                5,
                report);
        return report;
    }

    @Test
    void fourPortShowsSomethingWhereThreeSendersMadeDropsAndTheMachineHadTime() {
        assertThat(fourPort(List.of(TAIL), 1, 20).verdict()).isEqualTo("PASS");
    }

    @Test
    void fourPortShowsNothingWhereItsControlCaseDroppedNothing() {
        assertThat(fourPort(List.of(), 1, 20).doubts())
                .singleElement()
                .matches(doubt -> !doubt.ofMachine())
                .matches(doubt ->
                        doubt.why()
                                .equals(
                                        "the control case: nothing was dropped in \"UDP incast\","
                                                + " though three hosts sent half a link each to one,"
                                                + " so no drop was explained"));
        assertThat(fourPort(List.of(), 0.4, 20).doubts())
                .singleElement()
                .matches(Doubt::ofMachine)
                .matches(doubt -> doubt.why().startsWith("h1's iperf3 sent 20 Mb/s of the 50"));
    }

    @Test
    void fourPortShowsNothingWhereTheMachineTookATenthOfAPhase() {
        assertThat(fourPort(List.of(TAIL), 1, 501).verdict()).isEqualTo("INVALID");
        assertThat(fourPort(List.of(TAIL), 1, 499).verdict()).isEqualTo("PASS");
    }

    @Test
    void fourPortShowsNothingWhereALinkThatHadRoomLostAFifth() {
        Phase pairs = Phase.all(RATE_BPS, RATE_BPS / 10).get(2);
        for (double share : new double[] {0.81, 0.79}) {
            List<Iperf3.Outcome> flows =
                    pairs.flows().stream()
                            .map(flow ->
                                    received(flow, (double) pairs.udpBps(), share * pairs.udpBps()))
                            .toList();
            RunReport report = new RunReport("test");
            FourPortLab.control(
                    List.of(new Phase.Outcome(pairs, flows, List.of(TAIL), 0, List.of())),
                    new Holds(1, 2, 20 * MS),
                    5,
                    report);
            assertThat(report.verdict()).isEqualTo(share > 0.8 ? "PASS" : "INVALID");
        }
    }

    /** Three of 50 Mb/s into a link of 100, of which a worker without a core used a sixth. */
    @Test
    void fourPortShowsNothingWhereThePortThatDroppedWasIdle() {
        Phase incast = Phase.all(RATE_BPS, RATE_BPS / 10).getLast();
        List<Iperf3.Outcome> flows =
                incast.flows().stream()
                        .map(flow -> received(flow, RATE_BPS / 3.0, RATE_BPS / 18.0))
                        .toList();
        RunReport report = new RunReport("test");
        FourPortLab.control(
                List.of(new Phase.Outcome(incast, flows, List.of(TAIL), 0, List.of())),
                new Holds(1, 2, 52 * MS),
                5,
                report);
        assertThat(report.doubts())
                .singleElement()
                .matches(doubt ->
                        doubt.why()
                                .startsWith(
                                        "16.7 Mb/s of the 100 Mb/s that there was room for arrived"
                                                + " in \"UDP incast\"; 1 worker wants 2 cores"));
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

    private static List<Doubt> own(Hosts hosts, double share, long heldMs) {
        OwnLabSpec spec =
                OwnLabReader.read(
                        "duration: 4s\n"
                                + "topology: {name: t, builder: {leaf-spine: {}}}\n"
                                + "traffic: [{from: h1-1, to: h2-1, protocol: udp, rate: 20Mbps,"
                                + " duration: 2s}, {from: h1-2, to: h2-1}]\n",
                        "lab.yaml");
        Iperf3.Flow udp = new Iperf3.Flow(1, 3, 20_000_000, 0, 0, "");
        RunReport report = new RunReport("test");
        OwnLab.control(
                spec,
                hosts,
                List.of(sent(udp, share * 20e6)),
                new Holds(2, 2, heldMs * MS),
                report);
        return report.doubts();
    }

    @Test
    void anOwnLabShowsNothingWhereAWorkerWasHeldForATenthOfItsShortestFlow() {
        assertThat(own(Hosts.PLAIN, 1, 199)).isEmpty();
        assertThat(own(Hosts.PLAIN, 1, 201)).singleElement().matches(Doubt::ofMachine);
    }

    @Test
    void aSenderThatNothingHoldsBackButTheMachineIsDoubtedByItsName() {
        assertThat(own(Hosts.PLAIN, 0.5, 20))
                .singleElement()
                .matches(doubt ->
                        doubt.why().startsWith("h1-1's iperf3 sent 10 Mb/s of the 20 Mb/s"));
        // An agent paces, and obeys pauses.
        assertThat(own(Hosts.AGENT, 0.5, 20)).isEmpty();
    }
}
