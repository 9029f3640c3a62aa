package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.testbed.lab.HolLab.Comparison;
import io.headgate.testbed.lab.Losses.Loss;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Protocol;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The case without flow control says whether those with it show anything. */
class HolControlTest {
    private static final long MS = 1_000_000;
    private static final List<Loss> TAIL_DROP =
            List.of(new Loss("switch, port p4", "QUEUE_FULL", 1000, ""));

    private static Iperf3.Outcome sent(int from, double share) {
        long told = 45_000_000;
        Iperf3.Flow flow = LosslessRun.flow(from, 4, told);
        double bps = share * told;
        return new Iperf3.Outcome(flow, Protocol.UDP, null, bps, bps, 0, 0, 100, 0, 0, "");
    }

    private static RunReport judged(
            double victimShare, double sentShare, List<Loss> losses, long heldMs) {
        RunReport report = new RunReport("test");
        HolLab.control(
                new Comparison(Mode.NONE, 45e6, victimShare * 45e6, 40e6, 0, 1000),
                List.of(sent(1, 1), sent(2, sentShare)),
                losses,
                new Holds(5, 2, heldMs * MS),
                report);
        return report;
    }

    @Test
    void aVictimThatGetsWhatItAsksForAndAPortThatDropsAreAsTheyMustBe() {
        RunReport report = judged(0.97, 1, TAIL_DROP, 20);
        assertThat(report.doubts()).isEmpty();
        assertThat(report.verdict()).isEqualTo("PASS");
    }

    @Test
    void aVictimThatGets63PercentOfAnIdleLinkMakesTheRunInvalid() {
        RunReport report = judged(0.63, 1, TAIL_DROP, 1900);
        assertThat(report.verdict()).isEqualTo("INVALID");
        assertThat(report.conclusion())
                .isEqualTo(
                        "INVALID: the control case: the victim got 63 % of what it asked for on an"
                                + " idle link, and 90 % is the least; 5 workers want 2 cores; the"
                                + " longest was held for 1.9 s");
        assertThat(report.doubts()).allMatch(Doubt::ofMachine);
        assertThat(report.toText()).contains("Invalid, because");
        assertThat(report.toHtml()).contains("class=\"verdict invalid\">INVALID: ");
    }

    @Test
    void whereNoWorkerWasHeldTheMachineIsNotBlamed() {
        assertThat(judged(0.63, 1, TAIL_DROP, 20).doubts())
                .singleElement()
                .matches(doubt -> !doubt.ofMachine());
    }

    @Test
    void aSenderThatGotNoCoreIsTheMachinesDoing() {
        assertThat(judged(0.97, 0.5, TAIL_DROP, 20).doubts())
                .singleElement()
                .matches(Doubt::ofMachine)
                .matches(doubt ->
                        doubt.why().startsWith("h2's iperf3 sent 22.5 Mb/s of the 45 Mb/s"));
    }

    @Test
    void aPortThatDropsNothingWasNotCongested() {
        assertThat(judged(0.97, 1, List.of(), 20).doubts())
                .singleElement()
                .matches(doubt -> doubt.why().contains("the port of h4 was not congested"));
    }

    @Test
    void ratesAreNotAveragedOverATimeOfWhichTheMachineTookATenth() {
        RunReport report = new RunReport("test");
        new Holds(5, 2, 290 * MS).doubtRates("what each flow got", 3, report);
        assertThat(report.doubts()).isEmpty();
        new Holds(5, 2, 310 * MS).doubtRates("what each flow got", 3, report);
        assertThat(report.doubts())
                .singleElement()
                .matches(doubt ->
                        doubt.why()
                                .equals(
                                        "5 workers want 2 cores; the longest was held for 310 ms,"
                                                + " more than a tenth of the 3 s over which what"
                                                + " each flow got is averaged"));
    }
}
