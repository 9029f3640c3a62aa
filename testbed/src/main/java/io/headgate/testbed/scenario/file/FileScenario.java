package io.headgate.testbed.scenario.file;

import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.bed.Beds;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Observation;
import java.util.ArrayList;
import java.util.List;

/** A scenario out of a file. It has no parameters: another value is another file. */
final class FileScenario implements Scenario {
    private final About about;
    private final Experiment experiment;
    private final List<Expectation> expectations;

    FileScenario(About about, Experiment experiment, List<Expectation> expectations) {
        this.about = about;
        this.experiment = experiment;
        this.expectations = List.copyOf(expectations);
    }

    @Override
    public About about() {
        return about;
    }

    @Override
    public List<Parameter> parameters() {
        return List.of();
    }

    /** What is run. */
    Experiment experiment() {
        return experiment;
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Observation seen = Beds.run(experiment, cell, context);
        long limitBytes = experiment.topology().sizes().queueLimitBytes();
        return seen.outcome(List.of(), List.of(seen.statement(limitBytes)));
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        List<Check> checks = new ArrayList<>();
        List<String> statements = new ArrayList<>();
        for (CellResult result : results) {
            String label = label(results, result);
            String behind = label.isEmpty() ? "" : " (" + label + ")";
            for (Expectation expectation : expectations) {
                checks.add(expectation.check(result, expectation.measure() + behind));
            }
            result.outcomeOrThrow().statements().forEach(s -> statements.add(s + behind));
        }
        List<Figure> figures = new ArrayList<>();
        add(figures, results, "throughput", "Throughput of frames without FCS", "Gb/s");
        add(figures, results, "queue", "Queues", "kB");
        return new Findings(checks, figures, statements);
    }

    private static String label(List<CellResult> results, CellResult result) {
        boolean manySeeds = results.stream().anyMatch(r -> r.cell().seed() != result.cell().seed());
        boolean manyBeds = results.stream().anyMatch(r -> r.cell().bed() != result.cell().bed());
        return result.cell().label(List.of(), manySeeds, manyBeds);
    }

    private void add(
            List<Figure> figures,
            List<CellResult> results,
            String kind,
            String title,
            String unit) {
        List<Line> lines = new ArrayList<>();
        double max = 0;
        for (CellResult result : results) {
            String label = label(results, result);
            Style style = result.cell().bed() == BedKind.NETNS ? Style.DASHED : Style.LINE;
            for (Series series : result.outcomeOrThrow().series()) {
                if (series.name().startsWith(kind + " ")) {
                    String name = series.name().substring(kind.length() + 1);
                    lines.add(
                            Line.of(
                                    label.isEmpty() ? name : name + " (" + label + ")",
                                    style,
                                    series));
                    max = Math.max(max, series.max());
                }
            }
        }
        if (!lines.isEmpty()) {
            figures.add(
                    new Figure(
                            kind,
                            title,
                            Axis.linear("time", "us"),
                            Axis.linear(kind, unit),
                            lines,
                            about.claim(),
                            "largest " + Numbers.text(max, unit)));
        }
    }
}
