package io.headgate.testbed.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.testbed.scenario.Figure.Style;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SweepFiguresTest {
    private static final List<Parameter> CONTROL =
            List.of(Parameter.words("control", List.of("rocc", "dcqcn"), "what controls flows"));

    private static CellResult run(int index, String control, double queue) {
        Cell cell = new Cell(index, new Values(CONTROL, List.of(control)), 1, BedKind.VIRTUAL, 1);
        Outcome outcome =
                new Outcome(
                        "",
                        List.of(new Measure("queue", "kB", queue)),
                        List.of(),
                        List.of(),
                        Map.of());
        return new CellResult(cell, outcome, null, 0);
    }

    /** On a logarithmic axis there is no zero from which a bar could be as long as its value. */
    @ParameterizedTest
    @CsvSource({"false, BARS", "true, POINTS"})
    void againstWordsThereAreBarsWhereTheAxisHasAZero(boolean logarithmic, Style style) {
        List<CellResult> runs =
                IntStream.range(0, 2)
                        .mapToObj(i -> run(i, List.of("rocc", "dcqcn").get(i), 3 + 200 * i))
                        .toList();
        Figure figure =
                SweepFigures.measure(
                        CONTROL,
                        runs,
                        "queue",
                        new SweepFigures.Layout("control", null, null, false, logarithmic));
        assertThat(figure.lines()).isNotEmpty().allMatch(line -> line.style() == style);
    }

    private static CellResult on(BedKind bed) {
        Cell cell = new Cell(0, new Values(CONTROL, List.of("rocc")), 1, bed, 1);
        Outcome outcome = new Outcome("d", List.of(), List.of(), List.of(), Map.of());
        return new CellResult(cell, outcome, null, 0);
    }

    /**
     * Samples of a queue are of moments; a rate holds from one to the next, and means are steps.
     */
    @ParameterizedTest
    @CsvSource({
        "throughput, STEP, STEP, POINTS",
        "rate, LINE, LINE, POINTS",
        "queue, LINE, POINTS, POINTS"
    })
    void ratesOfRealFramesAreLinesWhereNoneOfVirtualTimeAreNextToThem(
            String kind, Style virtual, Style real, Style nextToVirtual) {
        CellResult ofVirtual = on(BedKind.VIRTUAL);
        CellResult ofReal = on(BedKind.NETNS);
        List<CellResult> both = List.of(ofVirtual, ofReal);
        assertThat(SweepFigures.overTime(both, ofVirtual, kind)).isEqualTo(virtual);
        assertThat(SweepFigures.overTime(both, ofReal, kind)).isEqualTo(nextToVirtual);
        assertThat(SweepFigures.overTime(List.of(ofReal), ofReal, kind)).isEqualTo(real);
    }

    private static CellResult flows(int seed, double... completionUs) {
        double[] ones = new double[completionUs.length];
        Arrays.fill(ones, 1);
        Flows flows = new Flows("web", ones, ones, completionUs, ones, ones, ones);
        Cell cell = new Cell(seed, new Values(CONTROL, List.of("rocc")), seed, BedKind.VIRTUAL, 1);
        return new CellResult(
                cell,
                new Outcome("d" + seed, List.of(), flows.series(), List.of(), Map.of()),
                null,
                0);
    }

    /** Whose flows are those that were slowest of all. */
    @Test
    void aSeedInWhichNoFlowFinishedCounts() {
        double none = Double.NaN;
        List<CellResult> runs =
                List.of(flows(1, 1, 2, 3), flows(2, none, none, none), flows(3, 2, 3, none));
        Figure figure = SweepFigures.distribution(runs, "web", SweepFigures.OfFlows.COMPLETION);
        double[] y = figure.lines().getFirst().y();
        assertThat(y[y.length - 1]).isCloseTo(5 / 9.0, within(1e-9));
        assertThat(figure.measured()).startsWith("9 flows of all seeds together, with the 95 %");
        // With a band there are no steps.
        assertThat(figure.measured()).doesNotContain("each step");
        assertThat(
                        SweepFigures.distribution(
                                        runs.subList(0, 1), "web", SweepFigures.OfFlows.COMPLETION)
                                .measured())
                .isEqualTo("3 flows; each step is a flow");
        assertThat(
                        SweepFigures.distribution(
                                        runs.subList(1, 2), "web", SweepFigures.OfFlows.COMPLETION)
                                .lines())
                .isEmpty();
    }
}
