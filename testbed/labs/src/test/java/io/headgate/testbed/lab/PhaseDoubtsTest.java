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
        return findings(losses, "least second");
    }

    /**
     * @param statistic of what is measured of a series
     */
    private static PhaseFindings findings(List<Loss> losses, String statistic) {
        OwnLabSpec spec =
                OwnLabReader.read(
                        """
                        topology: {name: t, link: {rate: 20Mbps}, builder: {single-switch: {hosts: 2}}}
                        duration: 2s
                        traffic: [{from: h1, to: h2, protocol: udp, rate: 5Mbps}]
                        measures:
                          - {name: got, unit: Mb/s, value: "[throughput of h1]"}
                          - {name: share, value: "[got] / 5"}
                          - {name: worst, unit: Mb/s, value: "[STATISTIC of sent h1]"}
                        expect: [{measure: share, at-least: 0.9, control: true}]
                        """
                                .replace("STATISTIC", statistic),
                        "lab.yaml");
        Iperf3.Flow flow = new Iperf3.Flow(1, 2, 5_000_000, 0, 0, "");
        Iperf3.Outcome outcome =
                new Iperf3.Outcome(flow, Protocol.UDP, null, 5e6, 1e6, 0, 80, 100, 0, 0, "");
        Phase phase =
                new Phase(spec.phases().getFirst().name(), Protocol.UDP, List.of(flow), 5_000_000);
        Phase.Outcome ran =
                new Phase.Outcome(
                        phase,
                        List.of(outcome),
                        List.of(),
                        0,
                        List.of(),
                        losses,
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
                .contains("still held frames", "have the warm-up send less")
                .endsWith("1 worker wants 2 cores; the longest was held for 1 ms");
        assertThat(PhaseDoubts.ofWarmUp(new Holds(1, 2, 51_000_000)).ofMachine()).isTrue();
    }

    @Test
    void whatWasDoneLateIsWhyWhateverFailedWhereSecondsAreMeasured() {
        PhaseFindings prompt = findings(List.of());
        prompt.report().problem("too few pauses");
        new PhaseDoubts(prompt).addOfLateness(500_000_000, FAIR);
        assertThat(prompt.report().doubts()).isEmpty();
        // Where nothing failed, it was not too late.
        PhaseFindings passes = findings(List.of());
        new PhaseDoubts(passes).addOfLateness(1_100_000_000, FAIR);
        assertThat(passes.report().doubts()).isEmpty();
        PhaseFindings ofMeans = findings(List.of(), "mean");
        ofMeans.report().problem("too few pauses");
        new PhaseDoubts(ofMeans).addOfLateness(1_100_000_000, FAIR);
        assertThat(ofMeans.report().doubts()).isEmpty();
        PhaseFindings late = findings(List.of());
        late.report().problem("too few pauses");
        new PhaseDoubts(late).addOfLateness(1_100_000_000, FAIR);
        late.report().withdrawDoubts();
        assertThat(late.report().doubts()).singleElement().matches(Doubt::ofMachine);
        assertThat(late.report().conclusion())
                .startsWith("INVALID: what was due was done up to 1.1 s late, ");
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
