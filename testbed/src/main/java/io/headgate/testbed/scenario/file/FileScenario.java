package io.headgate.testbed.scenario.file;

import io.headgate.config.ConfigException;
import io.headgate.dataplane.memory.DropReason;
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
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Beds;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A scenario out of a file. */
final class FileScenario implements Scenario {
    private final About about;
    private final List<Parameter> parameters;
    private final Function<Values, Definition> definitions;

    /**
     * @param definitions what the file says with values of its parameters; throws {@link
     *     ConfigException} if it says nothing sound with them
     */
    FileScenario(
            About about, List<Parameter> parameters, Function<Values, Definition> definitions) {
        this.about = about;
        this.parameters = List.copyOf(parameters);
        this.definitions = definitions;
    }

    @Override
    public About about() {
        return about;
    }

    @Override
    public List<Parameter> parameters() {
        return parameters;
    }

    /**
     * What the file says with these values.
     *
     * @throws ConfigException if it says nothing sound with them
     */
    Definition with(Values values) {
        return definitions.apply(values);
    }

    /**
     * @throws ConfigException if the file says nothing sound with these values
     */
    @Override
    public void check(Values values) {
        with(values);
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Experiment experiment = with(cell.values()).experiment();
        Observation seen = Beds.run(experiment, cell, context);
        long limitBytes = experiment.topology().sizes().queueLimitBytes();
        List<String> statements = new ArrayList<>(List.of(seen.statement(limitBytes)));
        List<Integer> lossless = experiment.topology().losslessPriorities();
        if (!lossless.isEmpty() && seen.drops().containsKey(DropReason.QUEUE_FULL.name())) {
            statements.add(
                    "what was dropped as QUEUE_FULL was of lossy priorities: lossless here is "
                            + lossless.stream()
                                    .map(String::valueOf)
                                    .collect(Collectors.joining(", "))
                            + ", and 'classify' under 'ports' says which frames that is");
        }
        return seen.outcome(List.of(), statements);
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        List<Check> checks = new ArrayList<>();
        List<String> statements = new ArrayList<>();
        for (CellResult result : results) {
            for (Expectation expectation : with(result.cell().values()).expectations()) {
                String what = Labels.behind(expectation.measure(), results, result);
                checks.add(expectation.check(result, what));
            }
            for (String statement : result.outcomeOrThrow().statements()) {
                statements.add(Labels.behind(statement, results, result));
            }
        }
        List<Figure> figures = new ArrayList<>();
        add(figures, results, "throughput", "Throughput of frames without FCS", "Gb/s");
        add(figures, results, "queue", "Queues", "kB");
        return new Findings(checks, figures, statements);
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
            Style style = result.cell().bed() == BedKind.NETNS ? Style.DASHED : Style.LINE;
            for (Series series : result.outcomeOrThrow().series()) {
                if (series.name().startsWith(kind + " ")) {
                    String name = series.name().substring(kind.length() + 1);
                    lines.add(Line.of(Labels.behind(name, results, result), style, series));
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
