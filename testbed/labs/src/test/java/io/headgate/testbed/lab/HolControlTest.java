package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.testbed.figure.Column;
import io.headgate.testbed.figure.FigureCheck;
import io.headgate.testbed.figure.FigureFiles;
import io.headgate.testbed.lab.Losses.Loss;
import io.headgate.testbed.lab.measures.RunFindings;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.lab.validity.LabMargins;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What hol's files expect of their runs: of the one without flow control, and of marks. */
class HolControlTest {
    private static final long MS = 1_000_000;
    private static final List<Loss> TAIL_DROP =
            List.of(new Loss("switch, port p4", "QUEUE_FULL", 1000, ""));

    /**
     * What a run came to.
     *
     * @param victimShare of what the victim sent, that it got
     * @param sentShare of what h2 was asked for, that it sent
     * @param victimSent of what the victim was asked for, that it sent
     */
    private static PhaseFindings findings(
            OwnLabSpec spec,
            double victimShare,
            double sentShare,
            double victimSent,
            List<Loss> losses,
            List<LabMarks.Count> marks,
            RunReport report) {
        OwnLabSpec.Phase only = spec.phases().getFirst();
        List<Iperf3.Outcome> outcomes = new ArrayList<>();
        for (OwnLabSpec.Flow flow : only.flows()) {
            Iperf3.Flow own =
                    new Iperf3.Flow(flow.from() + 1, flow.to() + 1, flow.rateBps(), 0, 0, "", 0);
            boolean isVictim = flow.name().equals("victim");
            double sent = isVictim ? victimSent : flow.from() == 1 ? sentShare : 1;
            double sentBps = sent * flow.rateBps();
            double bps = (isVictim ? victimShare : 0.5) * sentBps;
            outcomes.add(
                    new Iperf3.Outcome(own, Protocol.UDP, null, sentBps, bps, 0, 0, 100, 0, 0, ""));
        }
        PhaseOutcome outcome =
                new PhaseOutcome(
                        only, outcomes, List.of(), 0, List.of(), losses, List.of(), marks,
                        List.of(), List.of());
        return new PhaseFindings(spec, List.of(outcome), report);
    }

    private static RunReport judged(
            double victimShare, double sentShare, List<Loss> losses, long heldMs) {
        return judged(victimShare, sentShare, 1, losses, heldMs);
    }

    /** A run without flow control. */
    private static RunReport judged(
            double victimShare,
            double sentShare,
            double victimSent,
            List<Loss> losses,
            long heldMs) {
        RunReport report = new RunReport("test");
        OwnLabSpec spec = ReadyLabs.hol("none", "100Mbps", 3).getFirst();
        PhaseFindings phases =
                findings(spec, victimShare, sentShare, victimSent, losses, List.of(), report);
        Holds holds = new Holds(5, 2, heldMs * MS);
        new OwnFindings.Verdict(
                        spec,
                        phases.outcomes().getFirst().flows(),
                        losses,
                        0,
                        phases.unsentMs(),
                        holds,
                        report)
                .judge(new LabMargins(List.of(), List.of()), "");
        phases.judge(holds);
        OwnRun.control(phases, holds);
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
        RunReport report = judged(0.63, 1, TAIL_DROP, 200);
        assertThat(report.conclusion())
                .isEqualTo(
                        "INVALID: the control case: of what the victim asks for: 63 %, expected at"
                                + " least 90 %; 5 workers want 2 cores; the longest was held for"
                                + " 200 ms");
        assertThat(report.doubts()).allMatch(Doubt::ofMachine);
        assertThat(report.toHtml()).contains("class=\"verdict invalid\">INVALID: ");
    }

    @Test
    void whereNoWorkerWasHeldTheMachineIsNotBlamed() {
        assertThat(judged(0.63, 1, TAIL_DROP, 20).doubts())
                .singleElement()
                .matches(doubt -> !doubt.ofMachine());
        List<Loss> unread = List.of(new Loss("host h3", Losses.SOCKETS, 1000, ""));
        assertThat(judged(0.63, 1, unread, 20).doubts()).singleElement().matches(Doubt::ofMachine);
    }

    @Test
    void aSenderThatGotNoCoreIsTheMachinesDoing() {
        for (List<Loss> losses : List.of(TAIL_DROP, List.<Loss>of())) {
            assertThat(judged(0.97, 0.5, losses, 20).doubts())
                    .singleElement()
                    .matches(Doubt::ofMachine)
                    .matches(doubt ->
                            doubt.why().startsWith("h2's iperf3 sent 40 Mb/s of the 80 Mb/s"));
        }
    }

    /** Its receiver reads all that it sent, which is half of what it was asked for. */
    @Test
    void aVictimThatSendsHalfOfWhatItIsAskedForIsHeldUpByTheMachine() {
        assertThat(judged(1, 1, 0.5, TAIL_DROP, 20).doubts())
                .hasSize(2)
                .allMatch(Doubt::ofMachine)
                .anyMatch(doubt -> doubt.why().contains("of what the victim asks for: 50 %"));
    }

    @Test
    void aPortThatDropsNothingWasNotCongested() {
        assertThat(judged(0.97, 1, List.of(), 20).doubts())
                .singleElement()
                .matches(doubt -> !doubt.ofMachine())
                .matches(doubt -> doubt.why().contains("frames lost: 0 frames, expected at least"));
    }

    @Test
    void ratesAreNotAveragedOverATimeOfWhichTheMachineTookATenth() {
        assertThat(judged(0.97, 1, TAIL_DROP, 290).doubts()).isEmpty();
        assertThat(judged(0.97, 1, TAIL_DROP, 310).doubts())
                .singleElement()
                .matches(doubt ->
                        doubt.why()
                                .equals(
                                        "5 workers want 2 cores; the longest was held for 310 ms,"
                                                + " more than a tenth of the 3 s over which what"
                                                + " each flow got is averaged"));
    }

    /**
     * With TCD and by the queue's length, 1000 frames each of the victim.
     *
     * @param congested by TCD
     * @param undetermined by TCD
     */
    private static RunFindings marked(long congested, long undetermined, RunReport report) {
        List<PhaseFindings> runs = new ArrayList<>();
        for (OwnLabSpec spec : ReadyLabs.holMarks("pfc-tcd,pfc-red", "100Mbps", 3)) {
            boolean isTcd = spec.run().equals("pfc-tcd");
            List<LabMarks.Count> marks =
                    List.of(
                            new LabMarks.Count(0, 1, 4, 1000, 900, 0),
                            new LabMarks.Count(1, 2, 4, 1000, 900, 0),
                            isTcd
                                    ? new LabMarks.Count(2, 1, 3, 1000, congested, undetermined)
                                    : new LabMarks.Count(2, 1, 3, 1000, 100, 0));
            PhaseFindings one = findings(spec, 0.5, 1, 1, List.of(), marks, report);
            one.judge(new Holds(5, 2, 20 * MS));
            runs.add(one);
        }
        return new RunFindings(runs, report);
    }

    private static List<String> problems(long congested, long undetermined) {
        RunReport report = new RunReport("test");
        marked(congested, undetermined, report).judge();
        return report.problems();
    }

    @Test
    void aVictimMayBeMarkedCongestedOnceInAHundredAndATwentiethAsOftenAsByLength() {
        assertThat(problems(5, 900)).isEmpty();
        assertThat(problems(6, 900))
                .containsExactly(
                        "victim's frames marked congested, pfc-tcd: 0.6 %, expected at most 0.5 %");
        assertThat(problems(11, 900)).hasSize(2);
        assertThat(problems(0, 0))
                .singleElement()
                .asString()
                .startsWith("frames marked undetermined of victim: 0 %, expected at least");
    }

    @Test
    void aVictimOfWhichNothingWasCapturedFailsAlsoWhereNothingIsExpectedOfItsMarks() {
        for (long frames : new long[] {0, 1000}) {
            RunReport report = new RunReport("test");
            OwnLabSpec fecn = ReadyLabs.holMarks("credits-fecn", "100Mbps", 3).getFirst();
            List<LabMarks.Count> marks = List.of(new LabMarks.Count(2, 1, 3, frames, 0, 0));
            PhaseFindings run = findings(fecn, 0.5, 1, 1, List.of(), marks, report);
            run.judge(new Holds(5, 2, 20 * MS));
            new PhaseTables(run.spec(), run.outcomes(), run.report()).describeMarks();
            if (frames > 0) {
                assertThat(report.problems()).isEmpty();
                continue;
            }
            assertThat(report.problems())
                    .containsExactly(
                            "nothing of h1→h3 was captured, so its marks cannot be counted");
            assertThat(report.toText()).doesNotContain("NaN");
        }
    }

    /** What a receiver did not read is why frames are missing, and not why they are marked. */
    @Test
    void marksFailAlsoWhereAReceiverDidNotRead() {
        List<Loss> unread = List.of(new Loss("host h4", Losses.SOCKETS, 1, ""));
        RunReport report = new RunReport("test");
        OwnLabSpec tcd = ReadyLabs.holMarks("pfc-tcd", "100Mbps", 3).getFirst();
        List<LabMarks.Count> marks =
                List.of(
                        new LabMarks.Count(0, 1, 4, 1000, 900, 0),
                        new LabMarks.Count(1, 2, 4, 1000, 900, 0),
                        new LabMarks.Count(2, 1, 3, 1000, 20, 900));
        findings(tcd, 0.5, 1, 1, unread, marks, report).judge(new Holds(5, 2, 20 * MS));
        assertThat(report.doubts()).isEmpty();
        assertThat(report.problems())
                .containsExactly("frames marked congested of victim: 2 %, expected at most 1 %");
    }

    /** However late the machine was in another run. */
    @Test
    void whatFailsInARunOrBetweenTwoIsNotInvalid() {
        RunReport report = new RunReport("test");
        RunFindings found = marked(6, 900, report);
        new Holds(5, 2, 310 * MS).doubtRates("what each flow got", 3, report);
        found.judge();
        assertThat(report.doubts()).isEmpty();
        assertThat(report.verdict()).isEqualTo("FAIL");
        RunReport sound = new RunReport("test");
        found = marked(5, 900, sound);
        new Holds(5, 2, 310 * MS).doubtRates("what each flow got", 3, sound);
        found.judge();
        assertThat(sound.verdict()).isEqualTo("INVALID");
    }

    @Test
    void headOfLineBlockingIsABarForEachFlowControl() throws Exception {
        RunReport report = new RunReport("test");
        List<PhaseFindings> runs = new ArrayList<>();
        for (OwnLabSpec spec : ReadyLabs.hol("none,pfc,credits", "100Mbps", 3)) {
            runs.add(findings(spec, 0.5, 1, 1, List.of(), List.of(), report));
        }
        RunFindings found = new RunFindings(runs, report);
        String svg = FigureFiles.draw(found.figures().getFirst(), Column.FITTING).svg();
        assertThat(FigureCheck.mistakes(svg)).isEmpty();
        assertThat(svg).contains("credits", "none", "pfc", "asked for 100 %");
    }

    @Test
    void measuresOfRunsAreBarsOfEach() throws Exception {
        RunReport report = new RunReport("test");
        RunFindings found = marked(4, 900, report);
        found.judge();
        assertThat(report.headlines())
                .containsEntry("victim's frames marked undetermined, pfc-tcd", "90 %")
                .containsEntry("victim's frames marked congested, pfc-red", "10 %");
        for (Column column : Column.values()) {
            String svg = FigureFiles.draw(found.figures().getFirst(), column).svg();
            assertThat(FigureCheck.mistakes(svg)).as(column.name()).isEmpty();
            assertThat(svg).contains("pfc-tcd", "pfc-red", "undetermined");
        }
    }

    @Test
    void aMeasureThatTheFirstRunLacksIsDrawnForThoseThatHaveIt() throws Exception {
        String text =
                """
                parameters: [{name: rate, unit: rate, default: [1Mbps, 2Mbps], min: 1Mbps, max: 1Gbps}]
                topology: {name: t, builder: {single-switch: {hosts: 2}}}
                traffic: [{from: h1, to: h2, protocol: udp, rate: $rate}]
                measures: [{when: $rate > 1Mbps, name: got, unit: Mb/s, value: "[throughput of h1]"}]
                """;
        List<PhaseFindings> runs =
                OwnLabReader.read(text, "lab.yaml", Map.of()).stream()
                        .map(spec -> new PhaseFindings(spec, List.of(), new RunReport("test")))
                        .toList();
        assertThat(new RunFindings(runs, new RunReport("test")).figures())
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.title()).isEqualTo("got");
                    assertThat(FigureFiles.draw(one, Column.TWO).svg()).contains("1Mbps", "2Mbps");
                });
    }
}
