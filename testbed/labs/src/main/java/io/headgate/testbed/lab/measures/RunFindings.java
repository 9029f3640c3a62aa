package io.headgate.testbed.lab.measures;

import io.headgate.config.key.Codecs;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.own.LabDerived;
import io.headgate.testbed.lab.own.LabDerived.Headline;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The numbers that a user's lab computes from the measures of its runs, judged by what its file
 * expects.
 *
 * @param runs the results of the runs, in their order
 */
public record RunFindings(List<? extends RunMeasures> runs, RunReport report) {
    /** How many frames hosts and switches lost. */
    public static final String LOST = "lost anywhere";

    /** How many frames no counter has. */
    public static final String UNACCOUNTED = "not accounted for, of all";

    public RunFindings {
        runs = List.copyOf(runs);
    }

    /**
     * A measure of a run, for programs.
     *
     * @param of the arithmetic of which it is made
     */
    record Row(String run, String name, double value, String unit, String of) {}

    /** A measure of a run, or with its name before it of another; NaN: none. */
    private double measured(RunMeasures own, String name) {
        for (RunMeasures other : runs) {
            String run = other.spec().run() + ": ";
            if (!other.spec().run().isEmpty() && name.startsWith(run)) {
                return other.measured(name.substring(run.length()));
            }
        }
        return own.measured(name);
    }

    /** Shows what was made, and judges what compares runs. */
    public List<Check> judge() {
        new RunHeadlines(runs, report).add();
        Table table = LabColumn.table(Of.MEASURES);
        List<Row> rows = new ArrayList<>();
        for (RunMeasures run : runs) {
            for (LabDerived one : run.spec().derived()) {
                double number = run.measured(one.name());
                rows.add(new Row(run.spec().run(), one.name(), number, one.unit(), one.value()));
                String value = RunHeadlines.shown(one, number);
                String each = "";
                if (run instanceof RunMeasures.Medians medians) {
                    each =
                            medians.of().stream()
                                    .map(again ->
                                            RunHeadlines.shown(one, again.measured(one.name())))
                                    .collect(
                                            Collectors.joining(
                                                    ", ", Codecs.word(one.ofRuns()) + " of ", ""));
                }
                table.row(
                        RunHeadlines.named(one, run.spec()),
                        value,
                        (one.unit() + " " + each).strip());
            }
        }
        if (!rows.isEmpty()) {
            report.add(new Section(Of.MEASURES.section(), rows, table));
        }
        List<Check> checks = new ArrayList<>();
        for (RunMeasures run : runs) {
            for (LabDerived.Expected one : run.spec().compared()) {
                if (!run.has(one)) {
                    checks.add(check(run, one));
                }
            }
        }
        if (!report.problems().isEmpty()) {
            // What failed did so, however late the machine was in another run.
            report.withdrawDoubts();
        }
        return checks;
    }

    /** Adds what each run's own report begins with: where the file chooses, losses alone. */
    public void headlinesOfRuns(Map<String, String> named) {
        boolean areChosen = new RunHeadlines(runs, report).areChosen();
        named.forEach((name, value) -> {
            if (!areChosen || (isLoss(name) && !value.equals("0 frames"))) {
                report.headline(name, value);
            }
        });
    }

    private static boolean isLoss(String name) {
        return name.startsWith(LOST) || name.startsWith(UNACCOUNTED);
    }

    private Check check(RunMeasures run, LabDerived.Expected one) {
        String name = RunHeadlines.named(one.derived(), run.spec());
        Check check = one.check(name, other -> measured(run, other));
        if (!check.passed() && one.isControl()) {
            report.doubt(Doubt.ofControl(check.sentence()));
        } else if (!check.passed()) {
            report.problem(check.sentence());
        }
        return check;
    }

    /** Bars of each run that has them, measures of one unit in one figure. */
    public List<Figure> figures() {
        if (runs.size() < 2) {
            return List.of();
        }
        Map<String, List<LabDerived>> byUnit = new LinkedHashMap<>();
        Set<String> drawn = new HashSet<>();
        for (RunMeasures run : runs) {
            for (LabDerived one : run.spec().derived()) {
                // Bars of yes and no would show less than the table.
                if (one.headline() != Headline.COUNT && drawn.add(one.name())) {
                    byUnit.computeIfAbsent(one.unit(), _ -> new ArrayList<>()).add(one);
                }
            }
        }
        List<String> names = runs.stream().map(run -> run.spec().run()).toList();
        double[] at = IntStream.range(0, runs.size()).asDoubleStream().toArray();
        List<Figure> figures = new ArrayList<>();
        List<String> units = List.copyOf(byUnit.keySet());
        byUnit.forEach((unit, measures) -> {
            List<Line> bars = new ArrayList<>();
            boolean isSeen = false;
            for (LabDerived one : measures) {
                double[] values =
                        runs.stream().mapToDouble(run -> run.measured(one.name())).toArray();
                bars.add(new Line(one.name(), Style.BARS, at, values));
                isSeen |= one.whole() > 0 || Arrays.stream(values).anyMatch(value -> value != 0);
            }
            if (!isSeen) {
                // All are 0, and nothing was asked for: the table says so.
                return;
            }
            List<String> each = measures.stream().map(LabDerived::name).toList();
            figures.add(
                    new Figure(
                                    // The same in each run of the lab, whatever is nothing.
                                    "measures-" + (units.indexOf(unit) + 1),
                                    String.join(", ", each),
                                    Axis.words("run", names),
                                    Axis.of(each, unit),
                                    bars,
                                    "",
                                    "")
                            .withLimits(
                                    measures.stream()
                                            .filter(one -> one.whole() > 0)
                                            .map(one -> Limit.of("asked for", one.whole(), unit))
                                            .distinct()
                                            .toList()));
        });
        return figures;
    }
}
