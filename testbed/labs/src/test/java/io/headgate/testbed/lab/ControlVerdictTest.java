package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.testbed.lab.measures.RunFindings;
import io.headgate.testbed.lab.measures.RunMeasures;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.lab.validity.LabMargins;
import io.headgate.testbed.scenario.Series;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the lab of rate controls, which is a file, finds fault with. */
class ControlVerdictTest {
    private static final int SECONDS = 5;
    private static final int STOP_MS = 3_000;
    private static final int AGAIN_MS = 3_600;
    private static final Holds QUICK = new Holds(5, 2, 1_000_000);

    /**
     * What a run may come to.
     *
     * @param three what each of the three senders has
     * @param two what the others have once the third has stopped
     */
    private record Ran(
            List<Double> three,
            List<Double> two,
            double queueKb,
            double stoppedMs,
            double repeated,
            long lost) {
        static Ran of(double three, double two, double queueKb, double stoppedMs) {
            return new Ran(
                    List.of(three, three, three), List.of(two, two), queueKb, stoppedMs, 0, 0);
        }
    }

    private static final Ran ALONE = Ran.of(32, 48, 300, 5_000);
    private static final Ran GOOD = Ran.of(30, 45, 20, 10);

    /** Before means begin anything may be. */
    private static Series series(String name, double first, double then) {
        List<double[]> samples = new ArrayList<>();
        for (int ms = 0; ms < 1000 * SECONDS; ms += 100) {
            boolean isOfMeans = ms >= 900 && ms < STOP_MS;
            double value = isOfMeans ? first : ms >= AGAIN_MS ? then : 1_000;
            samples.add(new double[] {1e3 * ms, value});
        }
        return Series.of(name, "", samples);
    }

    private static Series one(String name, double value) {
        return Series.of(name, "", List.of(new double[] {1, value}));
    }

    private static PhaseFindings run(OwnLabSpec spec, Ran ran) {
        List<Series> recorded = new ArrayList<>();
        for (int host = 0; host < 3; host++) {
            double then = host < 2 ? ran.two.get(host) : 0;
            recorded.add(series("h" + (host + 1), ran.three.get(host), then));
            recorded.add(one("s1/p" + (host + 1) + " link.control.transmitted", 7));
        }
        recorded.add(series("queue of p4", ran.queueKb, 0));
        recorded.add(one("time stopped", ran.stoppedMs));
        recorded.add(one("packets repeated", ran.repeated));
        Losses.Loss loss = new Losses.Loss("switch, port p4", "QUEUE_FULL", ran.lost, "");
        PhaseOutcome outcome =
                new PhaseOutcome(
                        spec.phases().getFirst(),
                        List.of(),
                        List.of(),
                        0,
                        List.of(),
                        ran.lost == 0 ? List.of() : List.of(loss),
                        List.of(),
                        List.of(),
                        recorded,
                        List.of());
        return new PhaseFindings(spec, List.of(outcome), new RunReport(spec.run()));
    }

    private static List<OwnLabSpec> specs() {
        return ReadyLabs.control("dcqcn", "", "", "100Mbps", SECONDS);
    }

    /** As the lab does with a run. */
    private static PhaseFindings judged(OwnLabSpec spec, Ran ran, Holds holds, RunReport into) {
        PhaseFindings findings = run(spec, ran);
        List<Losses.Loss> lost = findings.outcomes().getFirst().lost();
        findings.judge(holds);
        new OwnFindings.Verdict(spec, List.of(), lost, ran.stoppedMs, 0, holds, findings.report())
                .judge(new LabMargins(List.of(), List.of()), "");
        new PhaseDoubts(findings).addOfSeconds(holds, lost);
        new PhaseDoubts(findings).addOfRates(holds);
        if (findings.report().problems().isEmpty()) {
            OwnRun.control(findings, holds);
        }
        into.addAll(findings.report(), spec.run());
        return findings;
    }

    private static RunReport judged(Ran without, Ran with, Holds holds) {
        RunReport report = new RunReport("test");
        List<OwnLabSpec> specs = specs();
        PhaseFindings alone = judged(specs.getFirst(), without, holds, report);
        PhaseFindings controlled = judged(specs.getLast(), with, holds, report);
        new RunFindings(List.of(alone, controlled), report).judge();
        return report;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "30   | 45 | 20  | 10   | -",
                "30   | 45 | 301 | 10   | queue, dcqcn: 301 kB, expected less than 300 kB",
                "30   | 45 | 300 | 10   | queue, dcqcn: 300 kB, expected less than 300 kB",
                "30   | 45 | 20  | 5001 | senders stopped, dcqcn: 5.001 s, expected less than 5 s",
                "30   | 45 | 20  | 5000 | senders stopped, dcqcn: 5 s, expected less than 5 s",
                "16.6 | 45 | 20  | 10   | dcqcn: three together: 49.8 Mb/s, expected at least 50 Mb/s",
                "30   | 24 | 20  | 10   | dcqcn: two together: 48 Mb/s, expected at least 50 Mb/s",
                "30   | NaN | 20 | 10   | dcqcn: two together: not measured, expected at least 50 Mb/s",
            })
    void aRunIsJudgedByWhatItIsWithoutControl(
            double three, double two, double queueKb, double stoppedMs, @Nullable String problem) {
        RunReport report = judged(ALONE, Ran.of(three, two, queueKb, stoppedMs), QUICK);
        assertThat(report.doubts()).isEmpty();
        if (problem == null) {
            assertThat(report.problems()).isEmpty();
            assertThat(report.headlines())
                    .containsEntry("queue, none", "300 kB")
                    .containsEntry("senders stopped, dcqcn", "10 ms")
                    .containsEntry("Jain's index, dcqcn", "1 of 1");
        } else {
            assertThat(report.problems()).containsExactly(problem);
        }
        assertThat(judged(ALONE, Ran.of(30, 45, 300, 5000), QUICK).problems()).hasSize(2);
    }

    @Test
    void whatIsLostOrSentAgainFails() {
        Ran again = new Ran(GOOD.three, GOOD.two, 20, 10, 2, 0);
        assertThat(judged(ALONE, again, QUICK).problems())
                .containsExactly("dcqcn: packets repeated: 2 packets, expected at most 0 packets");
        Ran lost = new Ran(GOOD.three, GOOD.two, 20, 10, 0, 3);
        assertThat(judged(ALONE, lost, QUICK).problems())
                .containsExactly("dcqcn: 3 frames were lost: 3 QUEUE_FULL");
    }

    /** Nothing is compared with it then, whatever queue and stops the control had. */
    @Test
    void whereThereIsNothingToCompareWithTheRunShowsNothing() {
        Ran free = Ran.of(32, 48, 300, 0);
        Ran again = new Ran(ALONE.three, ALONE.two, 300, 5_000, 2, 0);
        Ran lost = new Ran(ALONE.three, ALONE.two, 300, 5_000, 0, 3);
        for (Ran without : List.of(free, again, lost)) {
            for (Ran with : List.of(GOOD, Ran.of(30, 45, 400, 6_000))) {
                RunReport report = judged(without, with, QUICK);
                assertThat(report.verdict()).isEqualTo("INVALID");
                assertThat(report.problems()).isEmpty();
                assertThat(report.doubts()).singleElement().matches(doubt -> !doubt.ofMachine());
            }
            // That a link is used is a property of the run itself.
            RunReport unused = judged(without, Ran.of(1, 45, 20, 10), QUICK);
            assertThat(unused.verdict()).isEqualTo("FAIL");
            assertThat(unused.problems())
                    .containsExactly("dcqcn: three together: 3 Mb/s, expected at least 50 Mb/s");
            assertThat(judged(without, Ran.of(1, 1, 400, 6_000), QUICK).problems()).hasSize(2);
        }
    }

    /** The third sender sends for 3 s. */
    @Test
    void aWorkerThatWasHeldForATenthOfAFlowExcusesWhateverFails() {
        Ran bad = Ran.of(1, 1, 400, 6_000);
        assertThat(judged(ALONE, bad, new Holds(5, 2, 299_000_000)).verdict()).isEqualTo("FAIL");
        RunReport held = judged(ALONE, bad, new Holds(5, 2, 301_000_000));
        assertThat(held.verdict()).isEqualTo("INVALID");
        assertThat(held.doubts()).hasSize(2).allMatch(Doubt::ofMachine);
        assertThat(judged(ALONE, GOOD, new Holds(5, 2, 301_000_000)).verdict())
                .isEqualTo("INVALID");
    }

    /** Frames sent again are excused alone, and not where the file or the switch lost them. */
    @Test
    void aHoldExcusesNeitherWhatIsNotOfRatesNorLossesThatItDoesNotMake() {
        Holds held = new Holds(5, 2, 301_000_000);
        PhaseFindings other = run(specs().getLast(), GOOD);
        other.report().problem("ports wait for one another");
        new PhaseDoubts(other).addOfRates(held);
        other.report().withdrawDoubts();
        assertThat(other.report().verdict()).isEqualTo("FAIL");
        PhaseFindings again = run(specs().getLast(), new Ran(GOOD.three, GOOD.two, 20, 10, 2, 3));
        again.judge(held);
        assertThat(again.report().verdict()).isEqualTo("FAIL");
        PhaseFindings both = run(specs().getLast(), new Ran(GOOD.three, GOOD.two, 20, 10, 2, 0));
        both.report().problem("ports wait for one another");
        both.judge(held);
        both.report().withdrawDoubts();
        assertThat(both.report().verdict()).isEqualTo("FAIL");
    }

    @Test
    void aFlowUnderASecondDoesNotSayHowLongAHoldMayBe() {
        OwnLabSpec spec =
                OwnLabReader.read(
                        """
                        topology: {name: t, link: {rate: 20Mbps}, builder: {single-switch: {hosts: 2}}}
                        traffic:
                          - {from: h1, to: h2, protocol: rdma, start: 0s, duration: 3s}
                          - {from: h2, to: h1, protocol: rdma, start: 0s, duration: 20ms}
                        series: [{name: queue, value: "[s1/p2 queue.bytes]"}]
                        """,
                        "lab.yaml");
        for (long heldMs : new long[] {3, 299, 301}) {
            PhaseFindings findings = new PhaseFindings(spec, List.of(), new RunReport("test"));
            new PhaseDoubts(findings).addOfRates(new Holds(5, 2, heldMs * 1_000_000));
            assertThat(findings.report().doubts()).hasSize(heldMs > 300 ? 1 : 0);
        }
    }

    @Test
    void lossesAndRepeatsAreTheMachinesWhereAWorkerWasHeldForLongerThanBuffersAllowFor() {
        Ran again = new Ran(GOOD.three, GOOD.two, 20, 10, 2, 0);
        Ran lost = new Ran(GOOD.three, GOOD.two, 20, 10, 0, 3);
        for (Ran with : List.of(again, lost)) {
            assertThat(judged(ALONE, with, new Holds(5, 2, 99_000_000)).verdict())
                    .isEqualTo("FAIL");
            assertThat(judged(ALONE, with, new Holds(5, 2, 101_000_000)).verdict())
                    .isEqualTo("INVALID");
        }
    }

    @Test
    void ofSeveralRunsTheMedianOfEachNumberIsJudged() {
        OwnLabSpec spec = specs().getLast();
        List<RunMeasures> runs = new ArrayList<>();
        for (Ran one :
                List.of(
                        new Ran(List.of(20.0, 30.0, 50.0), GOOD.two, 10, 5, 0, 0),
                        new Ran(List.of(50.0, 20.0, 30.0), GOOD.two, 400, 5, 0, 0),
                        new Ran(List.of(33.0, 33.0, 33.0), GOOD.two, 20, 5, 3, 2))) {
            runs.add(run(spec.again(runs.size() + 1), one));
        }
        RunReport report = new RunReport("test");
        RunMeasures.Medians medians = new RunMeasures.Medians(spec, runs);
        assertThat(medians.measured("fastest of three")).isEqualTo(50);
        assertThat(medians.measured("slowest of three")).isEqualTo(20);
        assertThat(medians.measured("Jain's index")).isEqualTo(1e4 / (3 * 3800)).isLessThan(0.9);
        assertThat(medians.measured("queue")).isEqualTo(20);
        assertThat(medians.measured("lost")).as("of the run with most").isEqualTo(2);
        assertThat(medians.measured("sent again")).isEqualTo(3);
        assertThat(medians.measured("comparable")).isZero();
        PhaseFindings alone = run(specs().getFirst(), ALONE);
        new RunFindings(List.of(alone, medians), report).judge();
        assertThat(report.problems()).isEmpty();
        assertThat(report.toText()).contains("kB median of 10, 400, 20");
        assertThat(spec.again(1).twin()).isEqualTo(spec.twin()).isNotEmpty();
        assertThat(spec.again(2).twin()).as("one of several is enough").isEmpty();
    }
}
