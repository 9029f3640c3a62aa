package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.testbed.lab.measures.RunFindings;
import io.headgate.testbed.lab.measures.RunMeasures;
import io.headgate.testbed.lab.own.LabMeasure;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.scenario.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What RoCC's lab, which is a file, finds fault with. */
class RoccVerdictTest {
    private static final int SECONDS = 5;
    private static final double MBPS = 1e6;

    /** Before the means begin anything may be. */
    private static Series series(String name, double value) {
        List<double[]> samples = new ArrayList<>();
        for (int ms = 0; ms < 1000 * SECONDS; ms += 100) {
            samples.add(new double[] {1e3 * ms, ms < 2000 ? 3 * value : value});
        }
        return Series.of(name, "", samples);
    }

    /**
     * A run as it might have been.
     *
     * @param parts of what comes from the hosts, for each flow
     */
    private static PhaseFindings run(
            OwnLabSpec spec,
            double fairMbps,
            double queueKb,
            long pauses,
            List<Double> hosts,
            List<Double> parts) {
        OwnLabSpec.Phase only = spec.phases().getFirst();
        List<Iperf3.Outcome> flows = new ArrayList<>();
        for (int i = 0; i < only.flows().size(); i++) {
            OwnLabSpec.Flow flow = only.flows().get(i);
            Iperf3.Flow own =
                    new Iperf3.Flow(flow.from() + 1, flow.to() + 1, flow.rateBps(), 0, 0, "", 0);
            StringBuilder intervals = new StringBuilder();
            for (int second = 0; second < SECONDS; second++) {
                intervals.append(
                        "%s{\"sum\":{\"start\":%s,\"bits_per_second\":%s}}"
                                .formatted(
                                        second == 0 ? "" : ",",
                                        second + 0.01,
                                        (second < 2 ? 1 : parts.get(i)) * MBPS));
            }
            String json = "{\"intervals\":[" + intervals + "]}";
            flows.add(
                    new Iperf3.Outcome(own, Protocol.UDP, null, MBPS, MBPS, 0, 0, 100, 0, 0, json));
        }
        List<Series> recorded = new ArrayList<>();
        for (int host = 1; host <= hosts.size(); host++) {
            recorded.add(series("h" + host, hosts.get(host - 1)));
            String pauseFrames = "s1/p" + host + " link.control.transmitted";
            recorded.add(
                    Series.of(pauseFrames, "", List.of(new double[] {1, host == 1 ? pauses : 0})));
        }
        recorded.add(series("queue of p4", queueKb));
        recorded.add(series("fair rate", fairMbps));
        recorded.add(Series.of("s1/p4 rocc.notices.p3", "", List.of(new double[] {1, 7})));
        PhaseOutcome outcome =
                new PhaseOutcome(
                        only, flows, List.of(), 0, List.of(), List.of(), List.of(), List.of(),
                        recorded, List.of());
        return new PhaseFindings(spec, List.of(outcome), new RunReport(spec.run()));
    }

    private static final long PAUSES = 1000;
    private static final List<Double> WHOLE = List.of(1.0, 1.0, 1.0);

    private static RunReport judged(
            String demand,
            double fair,
            double queueKb,
            long pauses,
            List<Double> hosts,
            List<Double> parts) {
        List<OwnLabSpec> specs = ReadyLabs.rocc(demand, "100Mbps", SECONDS);
        RunReport report = new RunReport("test");
        PhaseFindings alone = run(specs.getFirst(), 0, 250, PAUSES, hosts, parts);
        PhaseFindings controlled = run(specs.getLast(), fair, queueKb, pauses, hosts, parts);
        for (PhaseFindings one : List.of(alone, controlled)) {
            Holds holds = new Holds(5, 2, 1_000_000);
            one.judge(holds);
            if (one.report().problems().isEmpty()) {
                OwnRun.control(one, holds);
            }
            report.addAll(one.report(), one.spec().run());
        }
        new RunFindings(List.of(alone, controlled), report).judge();
        return report;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "100 | 60 | 61 | 60 | 30 | 10 | -",
                "100 | 62 | 89 | 60 | 30 | 10 | -",
                "0   | 60 | 75 | 60 | 29 | 10.2 | -",
                "101 | 60 | 75 | 60 | 30 | 10 | pauses sent, mixed rocc: 101 frames, expected at most 100",
                "100 | 60 | 59 | 60 | 30 | 10 | queue: 59 kB, expected at least 60 kB",
                "100 | 60 | 91 | 60 | 30 | 10 | queue: 91 kB, expected at most 90 kB",
                "100 | 56 | 75 | 60 | 30 | 10 | fair rate: 56 Mb/s, expected at least 57 Mb/s",
                "100 | 64 | 75 | 60 | 30 | 10 | fair rate: 64 Mb/s, expected at most 63 Mb/s",
                "100 | 65 | 75 | 65 | 25 | 10 | flow-2: 25 Mb/s, expected at least 28.5 Mb/s",
                "100 | 60 | 75 | 57 | 30 | 10.6 | flow-3: 10.6 Mb/s, expected at most 10.5 Mb/s",
                "100 | 60 | 75 | 67 | 29 | 9.8 | flow-1: 67 Mb/s, expected at most 64.26 Mb/s",
            })
    void eachBoundHolds(
            long pauses,
            double fair,
            double queueKb,
            double first,
            double second,
            double third,
            @Nullable String problem) {
        RunReport report =
                judged("mixed", fair, queueKb, pauses, List.of(first, second, third), WHOLE);
        assertThat(report.doubts()).isEmpty();
        if (problem == null) {
            assertThat(report.problems()).isEmpty();
        } else {
            assertThat(report.problems()).singleElement().asString().contains(problem);
        }
    }

    /** Of five flows, three of one host. */
    @Test
    void flowsOfOneHostShareWhatComesFromItAsTheySent() {
        List<Double> hosts = List.of(60.0, 20.0, 20.0);
        List<Double> fair = List.of(5.0, 5.0, 5.0, 1.0, 1.0);
        assertThat(judged("one-host", 20, 75, 0, hosts, fair).problems()).isEmpty();
        List<Double> unfair = List.of(5.0, 4.0, 6.0, 1.0, 1.0);
        assertThat(judged("one-host", 20, 75, 0, hosts, unfair).problems())
                .satisfiesExactlyInAnyOrder(
                        one -> assertThat(one).contains("flow-1b: 16 Mb/s, expected at least 19"),
                        one -> assertThat(one).contains("flow-1c: 24 Mb/s, expected at most 21"));
    }

    /** Senders may have got no core, or may have been held back: no limit is wider for it. */
    @Test
    void whereTheLineIsNotFullAllIsJudgedAllTheSame() {
        RunReport report = judged("mixed", 94, 28, 84, List.of(54.0, 29.5, 9.8), WHOLE);
        assertThat(report.verdict()).isEqualTo("FAIL");
        assertThat(report.problems())
                .satisfiesExactly(
                        one -> assertThat(one).contains("fair rate: 94 Mb/s, expected at most"),
                        one -> assertThat(one).contains("flow-1: 54 Mb/s, expected at least"),
                        one -> assertThat(one).contains("queue: 28 kB, expected at least 60 kB"));
    }

    @Test
    void whereNothingWasPausedWithoutItPausesAreNotCompared() {
        List<OwnLabSpec> specs = ReadyLabs.rocc("uniform", "100Mbps", SECONDS);
        List<Double> hosts = List.of(33.0, 33.0, 33.0);
        RunReport report = new RunReport("test");
        PhaseFindings alone = run(specs.getFirst(), 0, 2, 0, hosts, WHOLE);
        new RunFindings(List.of(alone, run(specs.getLast(), 33, 75, 340, hosts, WHOLE)), report)
                .judge();
        assertThat(report.problems()).isEmpty();
        assertThat(specs.getFirst().expectations())
                .anyMatch(one -> one.isControl() && one.measure() == LabMeasure.TIME_STOPPED);
    }

    /** Rates that are too low leave the line empty, too. */
    @Test
    void aLineThatRatesKeepEmptyFails() {
        RunReport report = judged("uniform", 20, 10, 0, List.of(20.0, 20.0, 20.0), WHOLE);
        assertThat(report.verdict()).isEqualTo("FAIL");
        assertThat(report.problems())
                .hasSize(5)
                .first()
                .asString()
                .contains("fair rate: 20 Mb/s, expected at least 31.67 Mb/s");
    }

    @Test
    void ofSeveralRunsMediansAreJudged() {
        List<OwnLabSpec> specs = ReadyLabs.rocc("uniform", "100Mbps", SECONDS);
        List<Double> hosts = List.of(100 / 3.0, 100 / 3.0, 100 / 3.0);
        List<RunMeasures> runs = new ArrayList<>();
        for (double fair : new double[] {33, 45, 34}) {
            PhaseFindings one =
                    run(specs.getLast().again(runs.size() + 1), fair, 75, 0, hosts, WHOLE);
            one.judge(new Holds(5, 2, 1_000_000));
            assertThat(one.report().problems()).isEmpty();
            runs.add(one);
        }
        RunReport report = new RunReport("test");
        RunMeasures.Medians medians = new RunMeasures.Medians(specs.getLast(), runs);
        PhaseFindings alone = run(specs.getFirst(), 0, 250, 1000, hosts, WHOLE);
        new RunFindings(List.of(alone, medians), report).judge();
        assertThat(report.problems()).isEmpty();
        assertThat(report.headlines()).containsEntry("fair rate, uniform rocc", "34 Mb/s");
        assertThat(report.toText()).contains("Mb/s median of 33, 45, 34");
        runs.set(0, run(specs.getLast().again(1), 46, 75, 0, hosts, WHOLE));
        RunReport worse = new RunReport("test");
        new RunFindings(List.of(alone, new RunMeasures.Medians(specs.getLast(), runs)), worse)
                .judge();
        assertThat(worse.problems())
                .singleElement()
                .asString()
                .contains("fair rate, uniform rocc: 45 Mb/s, expected at most 35 Mb/s");
    }

    @Test
    void meansBeginWhenRatesHaveSettled() throws Exception {
        for (Map.Entry<Integer, String> one : Map.of(5, "2s", 10, "2s", 3, "1.5s").entrySet()) {
            OwnLabSpec spec = ReadyLabs.rocc("uniform", "100Mbps", one.getKey()).getLast();
            assertThat(spec.derived())
                    .anyMatch(measure ->
                            measure.value().contains("fair rate from " + one.getValue()));
        }
    }
}
