package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.testbed.lab.Losses.Loss;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Protocol;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a control case that does not hold is blamed on. */
class PhaseDoubtsTest {
    private static final Holds FAIR = new Holds(1, 2, 1_000_000);

    /**
     * A lab that measures seconds, and whose control is made of a measure that is made of flows.
     */
    private static PhaseFindings findings(List<Loss> losses) {
        return findings(losses, "least second", "{measure: share, at-least: 0.9, control: true}");
    }

    /**
     * @param statistic of what is measured of a series
     */
    private static PhaseFindings findings(List<Loss> losses, String statistic, String expected) {
        OwnLabSpec spec =
                OwnLabReader.read(
                        """
                        topology: {name: t, link: {rate: 20Mbps}, builder: {single-switch: {hosts: 2}}}
                        duration: 2s
                        traffic: [{from: h1, to: h2, protocol: udp, rate: 5Mbps}]
                        measures:
                          - {name: got, unit: Mb/s, value: "[throughput of h1]"}
                          - {name: share, value: "[got] / 5"}
                          - {name: worst, unit: Mb/s, value: "[%s of sent h1]"}
                        expect: [%s]
                        """
                                .formatted(statistic, expected),
                        "lab.yaml");
        Iperf3.Flow flow = new Iperf3.Flow(1, 2, 5_000_000, 0, 0, "", 0);
        Iperf3.Outcome outcome =
                new Iperf3.Outcome(flow, Protocol.UDP, null, 5e6, 1e6, 0, 80, 100, 0, 0, "");
        PhaseOutcome ran =
                new PhaseOutcome(
                        spec.phases().getFirst(),
                        List.of(outcome),
                        List.of(),
                        0,
                        List.of(),
                        losses,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of());
        return new PhaseFindings(spec, List.of(ran), new RunReport("test"));
    }

    @Test
    void thatAWarmUpDoesNotComeToRestIsForTheMachineWhereItHeldAWorker() {
        Doubt fair = PhaseDoubts.ofWarmUp(FAIR);
        assertThat(fair.ofMachine()).isFalse();
        assertThat(fair.why())
                .contains("still held frames", "reduce the traffic of the warm-up")
                .endsWith("1 worker wants 2 cores; the longest was held for 1 ms");
        assertThat(PhaseDoubts.ofWarmUp(new Holds(1, 2, 51_000_000)).ofMachine()).isTrue();
    }

    @Test
    void whatWasBegunLateIsWhySeriesFailedWhereAWorkerWasHeld() {
        Holds held = new Holds(1, 2, 51_000_000);
        assertThat(late(500_000_000, held, "")).isEqualTo("FAIL");
        assertThat(late(1_100_000_000, held, "")).isEqualTo("INVALID");
        // Nothing says that it was the machine.
        assertThat(late(1_100_000_000, FAIR, "")).isEqualTo("FAIL");
        // No lateness explains this.
        assertThat(late(1_100_000_000, held, "too few pauses")).isEqualTo("FAIL");
        // Where nothing failed, it was not too late.
        PhaseFindings passes = findings(List.of());
        new PhaseDoubts(passes).addOfLateness(1_100_000_000, held);
        assertThat(passes.report().doubts()).isEmpty();
        // Seconds are not measured.
        assertThat(late("mean", 1_100_000_000, held, "")).isEqualTo("FAIL");
    }

    private static String late(long lateNs, Holds holds, String problem) {
        return late("least second", lateNs, holds, problem);
    }

    private static String late(String statistic, long lateNs, Holds holds, String problem) {
        PhaseFindings findings = findings(List.of(), statistic, "{measure: worst, at-least: 1}");
        findings.judge(FAIR);
        if (!problem.isEmpty()) {
            findings.report().problem(problem);
        }
        new PhaseDoubts(findings).addOfLateness(lateNs, holds);
        findings.report().withdrawDoubts();
        return findings.report().verdict();
    }

    @Test
    void aControlMadeOfAnotherNumberIsOfWhatThatIsMadeOf() {
        PhaseFindings findings = findings(List.of());
        // It is of flows, not of series: a failure takes its doubt back.
        new PhaseDoubts(findings).addOfSeconds(FAIR, List.of());
        assertThat(findings.report().doubts()).isEmpty();
        new PhaseDoubts(findings).add(FAIR);
        assertThat(findings.report().doubts())
                .singleElement()
                .matches(doubt -> doubt.why().startsWith("the control case: share: 0.2"))
                .matches(doubt -> !doubt.ofMachine());
        findings.report().withdrawDoubts();
        assertThat(findings.report().doubts()).isEmpty();
        PhaseFindings held = findings(List.of(new Loss("switch, port p2", "NO_SLOT", 80, "")));
        new PhaseDoubts(held).add(FAIR);
        assertThat(held.report().doubts()).singleElement().matches(Doubt::ofMachine);
    }
}
