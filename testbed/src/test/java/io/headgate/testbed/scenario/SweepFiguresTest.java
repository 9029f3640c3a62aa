package io.headgate.testbed.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.scenario.Figure.Style;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
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
}
