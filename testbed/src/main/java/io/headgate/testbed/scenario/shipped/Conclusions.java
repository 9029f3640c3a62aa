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
import java.util.ArrayList;
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
