package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.QuietRun;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Means, maxima and percentiles of what a scenario file records. */
class SeriesMeasureTest {
    /** Two hosts send 15 Gb/s to a link of 10, behind pauses; all that can be recorded is. */
    private static final String PAUSES =
            """
            name: pauses
            duration: 1ms
            topology:
              name: star
              link: {rate: 10Gbps, delay: 1us}
              builder: {single-switch: {hosts: 3}}
              ports:
                flow-control: pfc
                classify: {trust: port, default: 3}
                buffers: {xoff: 50kB, xon: 20kB}
            traffic:
              - {name: bulk, from: [h1, h2], to: h3, control: {fixed: {rate: 6Gbps}}}
              - {name: bulk, from: h1, to: h3, control: {fixed: {rate: 3Gbps}}}
            record:
              interval: 7us
              queues: [s1/p3]
              buffers: [s1/p1]
              headroom: [s1/p1]
              stopped: [h1, s1/p1]
              on-periods: [h1]
              counters: [s1/p3 queue.frames, h1/wire frames.transmitted]
              rates: [bulk]
            expect:
            """;

    private static final List<String> SERIES =
            List.of(
                    "throughput bulk",
                    "queue s1/p3",
                    "buffer s1/p1",
                    "headroom s1/p1",
                    "stopped h1",
                    "stopped s1/p1",
                    "on h1",
                    "s1/p3 queue.frames",
                    "h1/wire frames.transmitted",
                    "rate bulk h1",
                    "rate bulk h2",
                    "rate bulk h1 2");

    private static final List<String> STATISTICS =
            List.of("mean", "max", "p0", "p12.5", "p50", "p99", "p99.9", "p100");

    private static CellResult run(String text) throws Exception {
        Scenario scenario = ScenarioReader.read(text, "s.yaml");
        Cell cell = new Cell(0, new Values(List.of(), List.of()), 1, BedKind.VIRTUAL, 1);
        Outcome outcome = scenario.run(cell, new QuietRun());
        return new CellResult(cell, outcome, null, 0);
    }

    private static List<Check> checks(String text, CellResult result) throws Exception {
        return ScenarioReader.read(text, "s.yaml").conclude(List.of(result)).checks();
    }

    /** What a statistic of samples is, by its definition. */
    private static double expected(String statistic, double[] samples) {
        double[] sorted = samples.clone();
        Arrays.sort(sorted);
        if (statistic.equals("mean")) {
            double sum = 0;
            for (double sample : samples) {
                sum += sample;
            }
            return sum / samples.length;
        }
        if (statistic.equals("max")) {
            return sorted[sorted.length - 1];
        }
        double percent = Double.parseDouble(statistic.substring(1));
        int notAbove = 1;
        while (notAbove * 100.0 < percent * sorted.length) {
            notAbove++;
        }
        return sorted[notAbove - 1];
    }

    private static double of(String measure, double... samples) {
        SeriesMeasure parsed = Objects.requireNonNull(SeriesMeasure.parse(measure), measure);
        return parsed.measure(new Series("queue s1/p1", "kB", samples, samples)).value();
    }

    @Test
    void aPercentileIsASampleThatAsManyDoNotExceed() {
        assertThat(of("mean of queue s1/p1", 4, 1, 3, 2)).isEqualTo(2.5);
        assertThat(of("max of queue s1/p1", 4, 1, 3, 2)).isEqualTo(4);
        assertThat(of("p0 of queue s1/p1", 4, 1, 3, 2)).isEqualTo(1);
        assertThat(of("p25 of queue s1/p1", 4, 1, 3, 2)).isEqualTo(1);
        assertThat(of("p25.1 of queue s1/p1", 4, 1, 3, 2)).isEqualTo(2);
        assertThat(of("p75 of queue s1/p1", 4, 1, 3, 2)).isEqualTo(3);
        assertThat(of("p99.9 of queue s1/p1", 4, 1, 3, 2)).isEqualTo(4);
        assertThat(of("p100 of queue s1/p1", 4, 1, 3, 2)).isEqualTo(4);
    }

    private static double of(String measure, double[] seconds, double... samples) {
        double[] us = Arrays.stream(seconds).map(second -> second * 1e6).toArray();
        SeriesMeasure parsed = Objects.requireNonNull(SeriesMeasure.parse(measure), measure);
        return parsed.measure(new Series("queue s1/p1", "kB", us, samples)).value();
    }

    @Test
    void theLeastSecondIsTheWorstWheneverItBegins() {
        double[] seconds = {0, 0.5, 1, 1.5, 2, 2.5};
        assertThat(of("least second of queue s1/p1", seconds, 9, 9, 3, 0, 3, 9)).isEqualTo(2);
        assertThat(of("least second of queue s1/p1 from 1500ms", seconds, 0, 0, 0, 3, 3, 9))
                .isEqualTo(5);
        assertThat(of("least second of queue s1/p1 to 1500ms", seconds, 6, 3, 0, 0, 0, 0))
                .isEqualTo(3);
        // Of less than a second all of it.
        assertThat(of("least second of queue s1/p1 from 2s", seconds, 0, 0, 0, 0, 4, 8))
                .isEqualTo(6);
        assertThat(of("least second of queue s1/p1 from 3s", seconds, 0, 0, 0, 0, 4, 8)).isNaN();
    }

    @Test
    void nothingIsLeftOverOfSecondsThatArePast() {
        double[] seconds = {0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4};
        String least = "least second of queue s1/p1";
        assertThat(of(least, seconds, 0.1, 0.2, 0.3, 0.1, 0.7, 0, 0, 0, 0.1)).isZero();
        double none = Double.NaN;
        assertThat(of(least, seconds, 9, none, 9, 9, 9, 3, 3, 3, 9)).isEqualTo(3);
        assertThat(of(least, seconds, 9, 3, 3, 3, 9, none, 9, 9, 9)).isEqualTo(3);
        assertThat(of(least, new double[] {0, 1}, none, none)).isNaN();
    }

    @Test
    void howLongASeriesHadStayedAboveAValueIsInSeconds() {
        double[] seconds = {0, 0.5, 1, 1.5, 2, 2.5};
        String stayed = "stayed above 5.5 of queue s1/p1";
        assertThat(of(stayed, seconds, 9, 5, 6, 7, 8, 9)).isEqualTo(1.5);
        assertThat(of(stayed, seconds, 9, 9, 9, 9, 9, 5)).isZero();
        assertThat(of(stayed + " to 2s", seconds, 9, 9, 5, 9, 9, 5)).isZero();
        assertThat(of(stayed + " from 500ms to 2500ms", seconds, 9, 9, 9, 9, 9, 5)).isEqualTo(1.5);
        assertThat(of(stayed + " from 3s", seconds, 9, 9, 9, 9, 9, 9)).isNaN();
        SeriesMeasure parsed = Objects.requireNonNull(SeriesMeasure.parse(stayed));
        double[] nine = {9, 9};
        assertThat(parsed.measure(new Series("queue s1/p1", "kB", nine, nine)).unit())
                .isEqualTo("s");
        assertThat(SeriesMeasure.parse("stayed above of queue s1/p1")).isNull();
    }

    @Test
    void everyRecordedSeriesHasItsMeanItsMaximumAndItsPercentiles() throws Exception {
        StringBuilder text = new StringBuilder(PAUSES);
        for (String series : SERIES) {
            for (String statistic : STATISTICS) {
                String measure = statistic + " of " + series;
                text.append("  - {measure: ").append(measure).append(", at-least: 0}\n");
            }
        }
        CellResult result = run(text.toString());
        Outcome outcome = result.outcomeOrThrow();
        assertThat(outcome.measures()).extracting(Measure::name).doesNotHaveDuplicates();
        for (String name : SERIES) {
            Series series = outcome.series(name.matches(".*/.* .*") ? "counter " + name : name);
            assertThat(series.values())
                    .as(name)
                    .hasSizeGreaterThan(name.startsWith("on ") ? 5 : 100);
            for (String statistic : STATISTICS) {
                String measure = statistic + " of " + name;
                assertThat(outcome.measure(measure))
                        .as(measure)
                        .isEqualTo(expected(statistic, series.values()), within(1e-9));
                assertThat(outcome.measures())
                        .filteredOn(one -> one.name().equals(measure))
                        .extracting(Measure::unit)
                        .containsExactly(series.unit());
            }
        }
        assertThat(checks(text.toString(), result))
                .hasSize(SERIES.size() * STATISTICS.size())
                .allMatch(Check::passed);
        assertThat(outcome.measure("mean of rate bulk h1")).isEqualTo(6);
        assertThat(outcome.measure("max of rate bulk h1 2")).isEqualTo(3);
        assertThat(outcome.measure("max of stopped h1")).isPositive();
        assertThat(outcome.measure("p50 of queue s1/p3"))
                .isLessThan(outcome.measure("max of queue s1/p3"));
        // What only grows is largest at its end.
        assertThat(outcome.measure("max of h1/wire frames.transmitted"))
                .isEqualTo(outcome.measure("last of h1/wire frames.transmitted"));
    }

    @Test
    void whatNobodyAsksForIsNotMeasured() throws Exception {
        String text =
                PAUSES.replace("expect:\n", "plot: [{y: max of queue s1/p3}]\n")
                        .replace("duration: 1ms", "duration: 50us");
        assertThat(run(text).outcomeOrThrow().measures())
                .extracting(Measure::name)
                .contains("max of queue s1/p3")
                .doesNotContain("mean of queue s1/p3", "p99 of queue s1/p3");
    }

    @Test
    void aSeriesWithoutSamplesHasNone() throws Exception {
        String text =
                PAUSES.replace("interval: 7us", "interval: 2ms")
                        + "  - {measure: p99 of queue s1/p3, at-least: 0}\n";
        CellResult result = run(text);
        assertThat(result.measure("p99 of queue s1/p3")).isNaN();
        assertThat(checks(text, result)).singleElement().matches(check -> !check.passed());
    }
}
