package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.testbed.lab.Losses.Loss;
import io.headgate.testbed.lab.measures.RunFindings;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.lab.validity.LabMargins;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.scenario.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** What the ring's file expects of a run, by numbers that a run might have come to. */
class DeadlockVerdictTest {
    private static final int STANDS = 10;
    private static final int SECONDS = 5;
    private static final int REMEDY = 2 + STANDS;
    private static final int END = REMEDY + SECONDS;
    private static final double SECOND_US = 1e6;
    private static final double LOOK_US = 1e4;
    private static final double NEVER = Double.NaN;

    private static Series looks(String name, DoubleUnaryOperator bySecond) {
        List<double[]> samples = new ArrayList<>();
        for (double us = 10 * LOOK_US; us <= (END + 0.3) * SECOND_US; us += LOOK_US) {
            samples.add(new double[] {us, bySecond.applyAsDouble(us / SECOND_US)});
        }
        return Series.of(name, "", samples);
    }

    /** A counter that comes to something behind the remedy. */
    private static Series behind(String name, double value) {
        return looks(name, seconds -> seconds <= REMEDY ? 3 : 3 + value);
    }

    /**
     * A run as it might have been.
     *
     * @param formed second of the run from which all three buffers were above xon
     * @param ports that waited for one another
     * @param resumed how often one of the buffers fell to xon behind the remedy
     * @param leastMbps what one flow got behind it
     * @param ended second of the run from which they were no longer above xon
     */
    private static RunReport run(
            String with,
            double formed,
            int ports,
            int resumed,
            double leastMbps,
            double ended,
            int dropped,
            int missing,
            int reordered,
            int unread,
            long heldNs) {
        OwnLabSpec spec = ReadyLabs.deadlock(with, "100Mbps", STANDS, SECONDS, "1").getFirst();
        OwnLabSpec.Phase only = spec.phases().getFirst();
        List<Iperf3.Outcome> flows = new ArrayList<>();
        for (OwnLabSpec.Flow flow : only.flows()) {
            Iperf3.Flow own =
                    new Iperf3.Flow(flow.from() + 1, flow.to() + 1, flow.rateBps(), 0, 0, "", 0);
            flows.add(
                    new Iperf3.Outcome(
                            own, Protocol.UDP, null, 45e6, 45e6, 0, unread, 100, reordered, 0, ""));
        }
        List<Series> recorded = new ArrayList<>();
        recorded.add(
                looks("least of these", seconds -> seconds >= formed && seconds < ended ? 60 : 5));
        List<String> in = List.of("s1/p3", "s2/p2", "s3/p2");
        for (int node = 0; node < 3; node++) {
            recorded.add(looks(in.get(node), _ -> 60));
            recorded.add(behind(in.get(node) + " pfc.xon.sent.p3", node == 1 ? resumed : 20));
            recorded.add(looks("f" + (node + 1), node == 1 ? _ -> leastMbps : _ -> 40));
            String host = "s" + (node + 1) + "/p1 ";
            recorded.add(looks(host + "frames.received", _ -> 1000));
            recorded.add(looks(host + "link.control.received", _ -> 10));
            int late = node == 0 ? missing : 0;
            recorded.add(looks(host + "frames.transmitted", _ -> 990 - late));
        }
        for (String out : List.of("s1/p2", "s2/p3", "s3/p3")) {
            recorded.add(behind(out + " escape.escaped", 100));
            recorded.add(behind(out + " deadlock-breaker.moved", 100));
            recorded.add(behind(out + " loop-breaker.dropped", 100));
        }
        recorded.add(
                Series.of(
                        "ports in a cyclic wait",
                        "ports",
                        List.of(new double[] {(REMEDY - 0.5) * SECOND_US, ports})));
        List<Loss> losses =
                dropped == 0
                        ? List.of()
                        : List.of(new Loss("switch, port p2", "WATCHDOG", dropped, ""));
        PhaseOutcome outcome =
                new PhaseOutcome(
                        only, flows, List.of(), 0, List.of(), losses, List.of(), List.of(),
                        recorded, List.of());
        RunReport report = new RunReport("test");
        PhaseFindings findings = new PhaseFindings(spec, List.of(outcome), report);
        Holds holds = new Holds(5, 2, heldNs);
        new PhaseDoubts(findings).addOfSeconds(holds, losses);
        new OwnFindings.Verdict(spec, flows, losses, 0, 0, holds, report)
                .judge(new LabMargins(List.of(), List.of()), "");
        findings.judge(holds);
        if (report.problems().isEmpty()) {
            OwnRun.control(findings, holds);
        }
        new RunFindings(List.of(findings), report).judge();
        return report;
    }

    /** The machine had the time. */
    private static RunReport run(
            String with,
            double formed,
            int ports,
            int resumed,
            double leastMbps,
            double ended,
            int dropped,
            int missing,
            int reordered) {
        return run(
                with, formed, ports, resumed, leastMbps, ended, dropped, missing, reordered, 0,
                1_000_000);
    }

    /** With Escape, of a machine that held a worker. */
    private static RunReport held(long heldMs, double leastMbps, int dropped) {
        return run(
                "escape",
                1.1,
                3,
                20,
                leastMbps,
                REMEDY,
                dropped,
                dropped,
                0,
                0,
                heldMs * 1_000_000);
    }

    private static RunReport run(
            String with,
            double formed,
            int resumed,
            double leastMbps,
            double ended,
            int dropped,
            int missing) {
        return run(with, formed, 3, resumed, leastMbps, ended, dropped, missing, 0);
    }

    @Test
    void whatTheDissertationShowsIsNoProblem() {
        for (RunReport report :
                List.of(
                        run("escape", 1.1, 20, 40, REMEDY, 0, 0),
                        run("dlb", 1.1, 20, 40, REMEDY, 0, 0),
                        run("gfc", NEVER, 0, 40, REMEDY, 0, 0),
                        run("none", 1.1, 0, 0, END + 1, 0, 500),
                        run("lb", 1.1, 3, 0.1, REMEDY, 500, 500),
                        run("watchdog", 1.1, 3, 0.1, REMEDY, 500, 500))) {
            assertThat(report.problems()).isEmpty();
            assertThat(report.doubts()).isEmpty();
        }
    }

    @Test
    void withoutADeadlockWhatARemedyDoesShowsNothing() {
        RunReport late = run("escape", 10.5, 20, 40, REMEDY, 0, 0);
        assertThat(late.problems()).isEmpty();
        assertThat(late.conclusion())
                .startsWith("INVALID: the control case: all three buffers had been above xon: 1.");
        assertThat(run("watchdog", NEVER, 20, 40, REMEDY, 0, 0).doubts()).isNotEmpty();
    }

    @Test
    void whereTheDeadlockIsWhatIsShownThatThereIsNoneIsAProblem() {
        RunReport none = run("none", NEVER, 0, 0, END + 1, 0, 0);
        assertThat(none.doubts()).isEmpty();
        assertThat(none.problems())
                .satisfiesExactly(
                        one ->
                                assertThat(one)
                                        .startsWith("all three buffers had been above xon: 0 s"),
                        one ->
                                assertThat(one)
                                        .startsWith("all three were above xon at the end: 0 s"));
    }

    @Test
    void aWaitThatDoesNotLeadRoundTheRingIsAProblem() {
        assertThat(run("escape", 1.1, 2, 20, 40, REMEDY, 0, 0, 0).problems())
                .containsExactly("ports in a cyclic wait: 2 ports, expected at least 3 ports");
    }

    @Test
    void soIsEachThingThatEscapeShouldDo() {
        String swing = "fell to xon behind the remedy s2: ";
        assertThat(run("escape", 1.1, 4, 24, REMEDY, 0, 0).problems())
                .containsExactly(swing + "4 times, expected at least 5 times");
        assertThat(run("escape", 1.1, 0, 40, REMEDY, 0, 0).problems())
                .containsExactly(swing + "0 times, expected at least 1 times");
        assertThat(run("escape", 1.1, 20, 0, REMEDY, 0, 0).problems())
                .singleElement()
                .asString()
                .startsWith("least that a flow got in a second behind the remedy: 0 Mb/s");
        assertThat(run("escape", 1.1, 20, 40, REMEDY, 3, 3).problems())
                .hasSize(2)
                .anyMatch(one -> one.equals("3 frames were lost: 3 WATCHDOG"))
                .anyMatch(one -> one.startsWith("missing: 3 frames"));
        assertThat(run("escape", 1.1, 3, 20, 40, REMEDY, 0, 0, 2).problems())
                .containsExactly("out of order: 6 datagrams, expected at most 0 datagrams");
    }

    @Test
    void fewPausesAreNoneWhereEveryFlowHasHalfOfItsShare() {
        assertThat(run("escape", 1.1, 1, 25, REMEDY, 0, 0).problems()).isEmpty();
        assertThat(run("escape", 1.1, 5, 1, REMEDY, 0, 0).problems()).isEmpty();
    }

    @Test
    void aRemedyThatDropsMustLetEveryFlowGetOn() {
        assertThat(run("watchdog", 1.1, 3, 0, REMEDY, 500, 500).problems())
                .singleElement()
                .asString()
                .startsWith("mean of f2: 0 Mb/s");
    }

    @Test
    void whatReceiversMissIsAProblemThoughNoSwitchCountsIt() {
        RunReport report = run("escape", 1.1, 3, 20, 40, REMEDY, 0, 0, 0, 2, 1_000_000);
        assertThat(report.problems())
                .containsExactly(
                        "iperf3 misses 6 datagrams, 6 more than the losses counted in the network");
    }

    @Test
    void aMachineThatHeldAWorkerIsWhyWhateverFailed() {
        RunReport idle = held(501, 0, 0);
        assertThat(idle.problems()).isNotEmpty();
        assertThat(idle.conclusion())
                .startsWith("INVALID: 5 workers want 2 cores; the longest was held for 501 ms")
                .endsWith(", more than half of a judged second");
        assertThat(idle.doubts()).allMatch(Doubt::ofMachine);
        // So it is where nothing failed.
        assertThat(held(501, 40, 0).verdict()).isEqualTo("INVALID");
        assertThat(held(499, 0, 0).verdict()).isEqualTo("FAIL");
        RunReport lossy = held(51, 40, 3);
        assertThat(lossy.problems()).isNotEmpty();
        assertThat(lossy.conclusion())
                .startsWith("INVALID")
                .endsWith("held for 51 ms, and buffers allow for 50 ms");
        assertThat(held(49, 40, 3).verdict()).isEqualTo("FAIL");
        assertThat(held(499, 40, 0).verdict()).isEqualTo("PASS");
    }

    @Test
    void thatNoDeadlockFormedIsForTheMachineWhereItHeldAWorker() {
        // Datagrams out of order: something else failed, too.
        RunReport late = run("escape", NEVER, 3, 20, 40, REMEDY, 0, 0, 2, 0, 51_000_000);
        assertThat(late.problems()).isNotEmpty();
        assertThat(late.verdict()).isEqualTo("INVALID");
        assertThat(late.doubts()).singleElement().matches(Doubt::ofMachine);
        RunReport other = run("escape", NEVER, 3, 20, 40, REMEDY, 0, 0, 2, 0, 49_000_000);
        assertThat(other.verdict()).isEqualTo("INVALID");
        assertThat(other.doubts()).singleElement().matches(doubt -> !doubt.ofMachine());
    }

    @Test
    void aDeadlockThatEndsByItselfIsOne() {
        assertThat(run("none", 1.1, 0, 0, END - 0.5, 0, 0).problems())
                .singleElement()
                .asString()
                .startsWith("all three were above xon at the end: 0 s");
        assertThat(run("none", 1.1, 0, 40, END + 1, 0, 0).problems())
                .singleElement()
                .asString()
                .startsWith("least that a flow got in a second behind the remedy: 40 Mb/s");
    }
}
