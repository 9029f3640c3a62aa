package io.headgate.testbed.lab;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.own.LabDerived;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Numbers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a user's lab makes of the measures of its runs, and whether that is as its file expects.
 *
 * @param runs what each came to, in their order
 */
record RunFindings(List<? extends RunMeasures> runs, RunReport report) {
    /** The most for all runs together, of each its first measures; the table has all. */
    private static final int MOST_HEADLINES = 12;

    RunFindings {
        runs = List.copyOf(runs);
    }

    private static String named(LabDerived one, OwnLabSpec spec) {
        return spec.run().isEmpty() ? one.name() : one.name() + ", " + spec.run();
    }

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
    List<Check> judge() {
        Table table = LabColumn.table(Of.MEASURES);
        int most = MOST_HEADLINES / runs.size();
        Map<String, Integer> headlines = new HashMap<>();
        for (RunMeasures run : runs) {
            for (LabDerived one : run.spec().derived()) {
                String name = named(one, run.spec());
                String value = Numbers.shown(run.measured(one.name()), "");
                String each = "";
                if (run instanceof RunMeasures.Medians medians) {
                    each =
                            medians.of().stream()
                                    .map(again -> Numbers.shown(again.measured(one.name()), ""))
                                    .collect(Collectors.joining(", ", "median of ", ""));
                }
                table.row(name, value, (one.unit() + " " + each).strip());
                if (most == 0 || headlines.merge(run.spec().run(), 1, Integer::sum) > most) {
                    continue;
                }
                report.headline(name, (value + " " + one.unit()).strip());
            }
        }
        if (most == 0) {
            headlinesOfAll();
        }
        List<LabDerived> all =
                runs.stream().flatMap(run -> run.spec().derived().stream()).distinct().toList();
        if (!all.isEmpty()) {
            report.add(new Section(Of.MEASURES.section(), all, table));
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

    /** Of too many runs to show each: from the least to the most that a measure came to. */
    private void headlinesOfAll() {
        Map<String, List<Double>> byName = new LinkedHashMap<>();
        Map<String, String> units = new HashMap<>();
        for (RunMeasures run : runs) {
            for (LabDerived one : run.spec().derived()) {
                units.put(one.name(), one.unit());
                byName.computeIfAbsent(one.name(), _ -> new ArrayList<>())
                        .add(run.measured(one.name()));
            }
        }
        byName.entrySet().stream()
                .limit(MOST_HEADLINES)
                .forEach(one -> {
                    String least = Numbers.shown(Collections.min(one.getValue()), "");
                    String greatest = Numbers.shown(Collections.max(one.getValue()), "");
                    String all =
                            least.equals(greatest) ? least : "from " + least + " to " + greatest;
                    report.headline(
                            one.getKey() + ", of " + one.getValue().size() + " runs",
                            (all + " " + units.get(one.getKey())).strip());
                });
    }

    private Check check(RunMeasures run, LabDerived.Expected one) {
        String name = named(one.derived(), run.spec());
        Check check = one.check(name, other -> measured(run, other));
        if (!check.passed() && one.isControl()) {
            report.doubt(Doubt.ofControl(check.sentence()));
        } else if (!check.passed()) {
            report.problem(check.sentence());
        }
        return check;
    }

    /** Bars of each run that has them, measures of one unit in one figure. */
    List<Figure> figures() {
        if (runs.size() < 2) {
            return List.of();
        }
        Map<String, List<LabDerived>> byUnit = new LinkedHashMap<>();
        Set<String> drawn = new HashSet<>();
        for (RunMeasures run : runs) {
            for (LabDerived one : run.spec().derived()) {
                if (drawn.add(one.name())) {
                    byUnit.computeIfAbsent(one.unit(), _ -> new ArrayList<>()).add(one);
                }
            }
        }
        List<String> names = runs.stream().map(run -> run.spec().run()).toList();
        double[] at = IntStream.range(0, runs.size()).asDoubleStream().toArray();
        List<Figure> figures = new ArrayList<>();
        byUnit.forEach((unit, measures) -> {
            List<Line> bars = new ArrayList<>();
            for (LabDerived one : measures) {
                double[] values =
                        runs.stream().mapToDouble(run -> run.measured(one.name())).toArray();
                bars.add(new Line(one.name(), Style.BARS, at, values));
            }
            String title =
                    measures.stream().map(LabDerived::name).collect(Collectors.joining(", "));
            figures.add(
                    new Figure(
                            "measures-" + (figures.size() + 1),
                            title,
                            Axis.words("run", names),
                            Axis.linear(measures.size() == 1 ? title : "measure", unit),
                            bars,
                            measures.stream()
                                    .filter(one -> one.whole() > 0)
                                    .map(one -> Limit.of("asked for", one.whole(), unit))
                                    .distinct()
                                    .toList(),
                            "",
                            ""));
        });
        return figures;
    }
}
