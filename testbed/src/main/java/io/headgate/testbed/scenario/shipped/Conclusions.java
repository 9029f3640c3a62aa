package io.headgate.testbed.scenario.shipped;

import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a scenario concludes from its runs: checks and statements as they come, run by run. Owned by
 * the thread that concludes.
 */
final class Conclusions {
    private final List<CellResult> results;
    private final List<Check> checks = new ArrayList<>();
    private final List<String> statements = new ArrayList<>();

    Conclusions(List<CellResult> results) {
        this.results = results;
    }

    List<Run> runs() {
        return results.stream().map(Run::new).toList();
    }

    void check(Check check) {
        checks.add(check);
    }

    void say(String statement) {
        statements.add(statement);
    }

    /** All statements so far, in one line. */
    String said() {
        return String.join("; ", statements);
    }

    Findings with(Figure... figures) {
        return with(List.of(figures));
    }

    Findings with(List<Figure> figures) {
        return new Findings(checks, figures, statements);
    }

    /** A run. Whatever it names has what tells it from the other runs behind its name. */
    final class Run {
        private final CellResult result;

        private Run(CellResult result) {
            this.result = result;
        }

        CellResult result() {
            return result;
        }

        Values values() {
            return result.cell().values();
        }

        /** Whether a parameter has a value, as a person writes it. */
        boolean has(String parameter, String value) {
            return values().text(parameter).equals(value);
        }

        /** The runs of the same seed and bed with the same values of some parameters. */
        List<CellResult> alike(String... parameters) {
            return results.stream()
                    .filter(other -> other.cell().seed() == result.cell().seed())
                    .filter(other -> other.cell().bed() == result.cell().bed())
                    .filter(other ->
                            Arrays.stream(parameters)
                                    .allMatch(key -> has(key, other.cell().values().text(key))))
                    .toList();
        }

        double measure(String name) {
            return result.measure(name);
        }

        Series series(String name) {
            return result.outcomeOrThrow().series(name);
        }

        String named(String text) {
            return Labels.behind(text, results, result);
        }

        Line line(String name, Style style, String series) {
            return Line.of(named(name), style, series(series));
        }

        void say(String statement) {
            Conclusions.this.say(named(statement));
        }

        /** Says what the run itself has said. */
        void repeat() {
            result.outcomeOrThrow().statements().forEach(this::say);
        }

        /** Expects a measure to be near a value, give or take a share of it. */
        void near(String measure, double expected, double share, String source) {
            within(measure, expected, Math.abs(expected) * share, source);
        }

        /** Expects a measure to be a value give or take {@code tolerance}. */
        void within(String measure, double expected, double tolerance, String source) {
            double measured = measure(measure);
            check(
                    Check.within(
                            named(measure), unit(measure), measured, expected, tolerance, source));
        }

        /** Expects a measure to be no more than a limit. */
        void atMost(String measure, double limit, String source) {
            check(Check.atMost(named(measure), unit(measure), measure(measure), limit, source));
        }

        /** Expects a measure to be no less than a limit. */
        void atLeast(String measure, double limit, String source) {
            check(Check.atLeast(named(measure), unit(measure), measure(measure), limit, source));
        }

        private String unit(String measure) {
            for (Measure one : result.outcomeOrThrow().measures()) {
                if (one.name().equals(measure)) {
                    return one.unit();
                }
            }
            return "";
        }
    }
}
