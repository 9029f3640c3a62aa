package io.headgate.testbed.scenario.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.SweepFigures.Layout;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.campaign.SweepRequest;
import io.headgate.testbed.scenario.report.PlotOfResults.Wanted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlotOfResultsTest {
    private static final Parameter LOAD = Parameter.words("load", List.of("low", "high"), "");
    private static final Parameter XOFF = Parameter.words("xoff", List.of("10kB", "20kB"), "");
    private static final Wanted QUEUE = new Wanted("queue", Layout.AUTOMATIC, false);

    private record Described(List<Parameter> parameters) implements Scenario {
        @Override
        public About about() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Outcome run(Cell cell, RunContext context) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Findings conclude(List<CellResult> results) {
            throw new UnsupportedOperationException();
        }
    }

    /** Runs of two seeds with each of the values, of which some may have failed. */
    private static Result result(
            List<Parameter> parameters, List<List<Object>> settings, int failed, int missing) {
        List<CellResult> runs = new ArrayList<>();
        for (List<Object> setting : settings) {
            for (long seed = 1; seed <= 2; seed++) {
                int index = runs.size();
                Cell cell =
                        new Cell(index, new Values(parameters, setting), seed, BedKind.VIRTUAL, 1);
                boolean isGood = index >= failed;
                double[] one = {1 + index};
                List<Series> series =
                        new ArrayList<>(new Flows("web", one, one, one, one, one, one).series());
                series.add(new Series("queue s1/p3", "kB", one, one));
                Outcome outcome =
                        new Outcome(
                                "digest " + index,
                                List.of(new Measure("queue", "kB", index * index)),
                                series,
                                List.of(),
                                Map.of());
                runs.add(new CellResult(cell, isGood ? outcome : null, isGood ? null : "no", 0));
            }
        }
        SweepDescription sweep =
                new SweepDescription(
                        "s",
                        null,
                        new SweepRequest("s", List.of(), "1", null, null, null),
                        "id",
                        runs.size() + missing,
                        List.of());
        return new Result(new Described(parameters), sweep, List.of(), runs, null);
    }

    private static PlotOfResults of(Result... results) throws ScenarioException {
        Map<String, Result> named = new LinkedHashMap<>();
        for (Result one : results) {
            named.put(List.of("before", "after").get(named.size()), one);
        }
        return PlotOfResults.of(named);
    }

    private static Result byLoad(int failed, int missing) {
        return result(List.of(LOAD), List.of(List.of("low"), List.of("high")), failed, missing);
    }

    /** They would count as seeds of one setting. */
    @Test
    void aParameterThatOneResultVariedAndAnotherLacksIsRefused() throws Exception {
        Result varied =
                result(
                        List.of(LOAD, XOFF),
                        List.of(
                                List.of("low", "10kB"),
                                List.of("low", "20kB"),
                                List.of("high", "10kB"),
                                List.of("high", "20kB")),
                        0,
                        0);
        String why =
                "result %s has runs with several values of xoff, which is not a parameter of all"
                        + " these results: runs of different settings would count as seeds; run it"
                        + " again with one value (--set xoff=VALUE), or draw it separately";
        assertThatThrownBy(() -> of(varied, byLoad(0, 0)))
                .isInstanceOf(ScenarioException.class)
                .hasMessage(why, "before");
        assertThatThrownBy(() -> of(byLoad(0, 0), varied)).hasMessage(why, "after");
        Result one =
                result(
                        List.of(LOAD, XOFF),
                        List.of(List.of("low", "10kB"), List.of("high", "10kB")),
                        0,
                        0);
        assertThat(of(one, byLoad(0, 0)).varied()).containsExactly("load", "result");
        assertThat(of(varied).varied()).containsExactly("load", "xoff");
    }

    @Test
    void runsThatFailedOrAreMissingAreCounted() throws Exception {
        assertThat(of(byLoad(1, 2), byLoad(0, 1)).figure(QUEUE).measured())
                .startsWith("7 runs")
                .endsWith("; 1 run failed and 3 are missing: left out");
        assertThat(of(byLoad(2, 0)).figure(ofSeries("queue s1/p3")).measured())
                .isEqualTo("2 runs failed: left out");
        assertThat(of(byLoad(0, 1)).figure(QUEUE).measured())
                .endsWith("; 1 run is missing: left out");
        assertThat(of(byLoad(0, 0)).figure(QUEUE).measured()).doesNotContain("left out");
    }

    private static Wanted ofSeries(String name) {
        return new Wanted(name, Layout.AUTOMATIC, false);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            textBlock =
                    """
                    completion of web, true, load, -, -, false, --x
                    completion of web, true, -, load, -, false, --group
                    completion of web, true, -, -, load, false, --facet
                    completion of web, true, -, -, -, true, --log
                    queue s1/p3, false, time, load, -, false, --group
                    """)
    void whatWouldChangeNothingIsRefused(
            String y, boolean ecdf, String x, String group, String facet, boolean log, String said)
            throws Exception {
        PlotOfResults all = of(byLoad(0, 0));
        assertThatThrownBy(() ->
                        all.figure(new Wanted(y, new Layout(x, group, facet, log, false), ecdf)))
                .isInstanceOf(ScenarioException.class)
                .hasMessageStartingWith(said + (said.equals("--group") && !ecdf ? " load: " : ""))
                .hasMessageContaining(ecdf ? "--ecdf" : "is a series");
    }

    /** Lines are compared, and not the points of one line. */
    @Test
    void whatStandsAlongTheAxisIsNotCompared() throws Exception {
        assertThat(of(byLoad(0, 0)).differences(QUEUE)).isNull();
        assertThat(of(byLoad(0, 0), byLoad(0, 0)).differences(QUEUE)).isNotNull();
        Wanted grouped = new Wanted("queue", new Layout(null, "load", null, false, false), false);
        assertThat(of(byLoad(0, 0)).differences(grouped)).isNotNull();
    }
}
