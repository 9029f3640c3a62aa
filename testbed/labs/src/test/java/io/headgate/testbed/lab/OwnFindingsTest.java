package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.testbed.lab.Losses.Loss;
import io.headgate.testbed.lab.own.LabExpectation;
import io.headgate.testbed.lab.own.LabMeasure;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.lab.validity.LabMargins;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.scenario.Check.Relation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnFindingsTest {
    private static final double RATE_BPS = 20e6;
    private static final Loss HEADROOM = new Loss("switch, port p4", "HEADROOM_EXHAUSTED", 5, "");
    private static final Loss SOCKETS = new Loss("host h2", "sockets", 3, "");
    private static final String NO_HEADROOM = "5 frames of lossless priorities found no headroom";

    /** The report of a lab that no worker was held in. */
    private static RunReport judged(
            String expect, List<Loss> lost, double share, long reordered, double stoppedMs) {
        OwnLabSpec spec =
                OwnLabReader.read(
                        """
                        topology:
                          name: t
                          builder: {single-switch: {hosts: 2}}
                          ports: {classify: {trust: dscp}, flow-control: pfc, lossless: [3]}
                        traffic: [{from: h1, to: h2, protocol: udp, rate: 20Mbps}]
                        expect: [%s]
                        """
                                .formatted(expect),
                        "lab.yaml");
        Iperf3.Flow flow = new Iperf3.Flow(1, 2, (long) RATE_BPS, 0, 0, "", 0);
        double bps = share * RATE_BPS;
        Iperf3.Outcome sent =
                new Iperf3.Outcome(
                        flow, Protocol.UDP, null, bps, bps, 0, 0, 100, reordered, 0, "{}");
        RunReport report = new RunReport("test");
        List<PhaseOutcome> outcomes =
                List.of(
                        new PhaseOutcome(
                                spec.phases().getFirst(),
                                List.of(sent),
                                List.of(),
                                0,
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of()));
        new OwnFindings.Verdict(
                        spec,
                        List.of(sent),
                        lost,
                        stoppedMs,
                        new PhaseFindings(spec, outcomes, report).unsentMs(),
                        new Holds(2, 2, 20_000_000),
                        report)
                .judge(new LabMargins(List.of(), List.of()), "");
        return report;
    }

    @Test
    void aSenderWithoutACoreIsWhySomethingDidNotComeAbout() {
        String stopped = "{measure: time stopped, at-least: 1}";
        RunReport late = judged(stopped, List.of(), 0.5, 0, 0);
        assertThat(late.problems()).isEmpty();
        assertThat(late.doubts())
                .singleElement()
                .matches(Doubt::ofMachine)
                .matches(doubt -> doubt.why().startsWith("h1's iperf3 sent 10 Mb/s of the 20"));
        // Nor does a pause for a moment explain that a sender sent half.
        assertThat(judged(stopped, List.of(), 0.5, 0, 0.9).doubts())
                .singleElement()
                .matches(Doubt::ofMachine);
        assertThat(judged(stopped, List.of(), 1, 0, 0).verdict()).isEqualTo("FAIL");
        assertThat(judged(stopped, List.of(), 1, 0, 0.9).verdict()).isEqualTo("FAIL");
        assertThat(judged(stopped, List.of(), 0.5, 0, 2).verdict()).isEqualTo("PASS");
    }

    @Test
    void whatASenderDidNotSendIsOfItsOwnPhaseAlone() {
        OwnLabSpec spec =
                OwnLabReader.read(
                        """
                        topology: {name: t, builder: {single-switch: {hosts: 2}}}
                        phases:
                          - {name: a, duration: 2s, traffic: [{from: h1, to: h2, protocol: udp, rate: 20Mbps}]}
                          - {name: b, duration: 8s, traffic: [{from: h1, to: h2, protocol: udp, rate: 20Mbps}]}
                        """,
                        "lab.yaml");
        Iperf3.Flow flow = new Iperf3.Flow(1, 2, (long) RATE_BPS, 0, 0, "", 0);
        List<PhaseOutcome> outcomes = new ArrayList<>();
        for (double share : new double[] {0.5, 0.75}) {
            double bps = share * RATE_BPS;
            Iperf3.Outcome sent =
                    new Iperf3.Outcome(flow, Protocol.UDP, null, bps, bps, 0, 0, 100, 0, 0, "{}");
            outcomes.add(
                    new PhaseOutcome(
                            spec.phases().get(outcomes.size()),
                            List.of(sent),
                            List.of(),
                            0,
                            List.of(),
                            List.of(),
                            List.of(),
                            List.of(),
                            List.of(),
                            List.of()));
        }
        assertThat(new PhaseFindings(spec, outcomes, new RunReport("test")).unsentMs())
                .isEqualTo(0.5 * 2_000 + 0.25 * 8_000);
    }

    @Test
    void belowOneIsNoneAndBelowNothingIsRefused() {
        assertThat(new LabExpectation(LabMeasure.FRAMES_LOST, "", Relation.BELOW, 1, false))
                .matches(LabExpectation::allowsNone);
        assertThat(new LabExpectation(LabMeasure.FRAMES_LOST, "", Relation.BELOW, 2, false))
                .matches(one -> !one.allowsNone());
        assertThatThrownBy(() -> judged("{measure: frames lost, below: 0}", List.of(), 1, 0, 0))
                .hasMessageContaining("a number above 0");
    }

    @Test
    void aSenderWithoutACoreReordersNothing() {
        String order = "{measure: datagrams out of order, at-most: 0}";
        RunReport report = judged(order, List.of(), 0.5, 3, 0);
        assertThat(report.doubts()).isEmpty();
        assertThat(report.problems())
                .singleElement()
                .asString()
                .startsWith("datagrams out of order");
        assertThat(judged(order, List.of(), 0.5, 0, 0).verdict()).isEqualTo("PASS");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{measure: frames lost, at-least: 1}",
                "{measure: frames lost, at-most: 100}",
                "{measure: time stopped, at-most: 1}",
            })
    void aLosslessFrameWithoutHeadroomIsAProblemWhateverElseIsExpected(String expect) {
        assertThat(judged(expect, List.of(HEADROOM), 1, 0, 0).problems())
                .containsExactly(NO_HEADROOM);
        assertThat(judged("{measure: frames lost, at-most: 100}", List.of(SOCKETS), 1, 0, 0))
                .matches(report -> report.verdict().equals("PASS"));
    }

    @Test
    void whatMayNotBeLostIsSaidOnce() {
        String none = "{measure: frames lost, at-most: 0}, {measure: frames lost, at-most: 4}";
        assertThat(judged(none, List.of(HEADROOM), 1, 0, 0).problems())
                .containsExactly("5 frames were lost: 5 HEADROOM_EXHAUSTED");
        assertThat(judged(none, List.of(), 1, 0, 0).verdict()).isEqualTo("PASS");
    }

    @Test
    void aControlCaseThatLosesMoreThanItMayShowsNothing() {
        String control = "{measure: frames lost, at-most: 2, control: true}";
        RunReport report = judged(control, List.of(SOCKETS), 1, 0, 0);
        assertThat(report.problems()).isEmpty();
        assertThat(report.doubts()).singleElement().matches(doubt -> !doubt.ofMachine());
        assertThat(judged(control, List.of(HEADROOM), 1, 0, 0).problems())
                .containsExactly(NO_HEADROOM);
    }
}
