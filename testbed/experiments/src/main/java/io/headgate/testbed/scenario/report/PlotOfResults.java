package io.headgate.testbed.scenario.report;

import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Differences;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.SweepFigures;
import io.headgate.testbed.scenario.SweepFigures.Layout;
import io.headgate.testbed.scenario.SweepFigures.OfFlows;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.Words;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Combines runs of several results for one figure: the result of a run is an additional parameter.
 */
public final class PlotOfResults {
    /** The parameter that distinguishes runs of several results. */
    public static final String RESULT = "result";

    private static final String TIME = "time";

    private final List<Parameter> parameters;
    private final List<CellResult> runs;

    /** How many runs are not among them; empty where all are. */
    private final String leftOut;

    private PlotOfResults(List<Parameter> parameters, List<CellResult> runs, String leftOut) {
        this.leftOut = leftOut;
        this.parameters = List.copyOf(parameters);
        this.runs = List.copyOf(runs);
    }

    /**
     * Reads results. Runs that failed or are missing are left out, and figures say how many.
     *
     * @param paths path of each result, by its name in figures
     * @throws ScenarioException if one cannot be read, no run ended well, or one varied a parameter
     *     that another lacks
     */
    public static PlotOfResults read(Map<String, Path> paths, ResultReader.Finder finder)
            throws ScenarioException {
        Map<String, Result> results = new LinkedHashMap<>();
        for (Map.Entry<String, Path> path : paths.entrySet()) {
            results.put(path.getKey(), Conclusion.all(path.getValue(), finder));
        }
        return of(results);
    }

    /** Combines results that were read, by their names. */
    static PlotOfResults of(Map<String, Result> results) throws ScenarioException {
        List<Parameter> parameters = common(results);
        if (results.size() > 1) {
            parameters.add(
                    Parameter.words(RESULT, List.copyOf(results.keySet()), "whose runs they are"));
        }
        List<CellResult> runs = new ArrayList<>();
        results.forEach((name, result) -> {
            for (CellResult run : result.results()) {
                List<Object> values = new ArrayList<>();
                for (Parameter one : parameters) {
                    boolean isResult = results.size() > 1 && one.name().equals(RESULT);
                    values.add(isResult ? name : run.cell().values().value(one.name()));
                }
                Cell cell = run.cell();
                Cell placed =
                        cell.withIndex(runs.size()).withValues(new Values(parameters, values));
                if (run.outcome() != null) {
                    runs.add(new CellResult(placed, run.outcome(), null, run.wallSeconds()));
                }
            }
        });
        if (runs.isEmpty()) {
            throw new ScenarioException("no run of these results succeeded: nothing can be drawn");
        }
        return new PlotOfResults(parameters, runs, leftOut(results.values()));
    }

    private static String leftOut(Collection<Result> results) {
        long missing = 0;
        long failed = 0;
        for (Result result : results) {
            missing += result.sweep().cellsInAll() - result.results().size();
            failed += result.results().stream().filter(run -> run.outcome() == null).count();
        }
        if (failed + missing == 0) {
            return "";
        }
        List<String> said = new ArrayList<>();
        if (failed > 0) {
            said.add(runs(failed) + " failed");
        }
        if (missing > 0) {
            String count = failed > 0 ? Long.toString(missing) : runs(missing);
            said.add(count + (missing == 1 ? " is missing" : " are missing"));
        }
        return String.join(" and ", said) + ": left out";
    }

    private static String runs(long count) {
        return count + (count == 1 ? " run" : " runs");
    }

    /** Parameters that all have, with one unit; refused where a result varies another one. */
    private static List<Parameter> common(Map<String, Result> named) throws ScenarioException {
        List<Result> results = List.copyOf(named.values());
        List<Parameter> common = new ArrayList<>();
        for (Parameter one : results.getFirst().scenario().parameters()) {
            boolean isInAll =
                    results.stream()
                            .allMatch(result ->
                                    result.scenario().parameters().stream()
                                            .anyMatch(other ->
                                                    other.name().equals(one.name())
                                                            && other.unit() == one.unit()));
            if (isInAll && !(results.size() > 1 && one.name().equals(RESULT))) {
                common.add(one);
            }
        }
        Set<String> names = common.stream().map(Parameter::name).collect(Collectors.toSet());
        for (Map.Entry<String, Result> result : named.entrySet()) {
            List<Parameter> all = result.getValue().scenario().parameters();
            for (Parameter one : SweepFigures.varied(all, result.getValue().results())) {
                if (!names.contains(one.name())) {
                    throw new ScenarioException(
                            ("result %s has runs with several values of %s, which is not a"
                                            + " parameter of all these results: runs of different"
                                            + " settings would count as seeds; run it again with"
                                            + " one value (--set %s=VALUE), or draw it separately")
                                    .formatted(result.getKey(), one.name(), one.name()));
                }
            }
        }
        return common;
    }

    /**
     * The requested figure.
     *
     * @param y a measure, a series, or with {@code ecdf} a quantity of flows
     * @param along the roles of parameters; x may be time
     */
    public record Wanted(String y, Layout along, boolean ecdf) {}

    /** Names of measures that any run has. */
    public List<String> measures() {
        return SweepFigures.measures(runs);
    }

    /** Names of series that any run has. */
    public List<String> series() {
        return names(
                runs.stream()
                        .flatMap(run -> run.outcomeOrThrow().series().stream())
                        .map(Series::name));
    }

    /** Names of parameters that were varied. */
    public List<String> varied() {
        return SweepFigures.varied(parameters, runs).stream().map(Parameter::name).toList();
    }

    /** The quantities of flows, if runs have flows. */
    public List<String> ofFlows() {
        return names(
                runs.stream()
                        .flatMap(run -> Flows.groups(run.outcomeOrThrow()).stream())
                        .flatMap(group -> Stream.of(OfFlows.values()).map(of -> of.of(group))));
    }

    private static List<String> names(Stream<String> names) {
        Set<String> all = new LinkedHashSet<>();
        names.forEach(all::add);
        return List.copyOf(all);
    }

    /**
     * The figure.
     *
     * @throws ScenarioException if runs have no such measure, series or parameter, or something
     *     that is wanted would change nothing
     */
    public Figure figure(Wanted wanted) throws ScenarioException {
        return plain(wanted).noting(leftOut);
    }

    private Figure plain(Wanted wanted) throws ScenarioException {
        requireParameter("--group", wanted.along.group());
        requireParameter("--facet", wanted.along.facet());
        if (wanted.ecdf) {
            refuseOfFlows("--x", wanted.along.x() != null);
            refuseOfFlows("--group", wanted.along.group() != null);
            refuseOfFlows("--facet", wanted.along.facet() != null);
            refuseOfFlows("--log", wanted.along.logX() || wanted.along.logY());
            require("--y", wanted.y, ofFlows());
            return SweepFigures.distribution(
                    runs, OfFlows.group(wanted.y), Objects.requireNonNull(OfFlows.named(wanted.y)));
        }
        if (series().contains(wanted.y)) {
            if (wanted.along.x() != null && !wanted.along.x().equals(TIME)) {
                throw new ScenarioException(
                        "--x "
                                + wanted.along.x()
                                + ": "
                                + wanted.y
                                + " is a series, which is drawn over time");
            }
            if (wanted.along.group() != null) {
                throw new ScenarioException(
                        "--group "
                                + wanted.along.group()
                                + ": "
                                + wanted.y
                                + " is a series, in which each setting is a line; --facet makes"
                                + " panels");
            }
            return overTime(wanted);
        }
        require("--y", wanted.y, Stream.of(measures(), series()).flatMap(List::stream).toList());
        requireParameter("--x", wanted.along.x());
        if (wanted.along.x() == null && varied().isEmpty()) {
            throw new ScenarioException(
                    "all runs have the same parameters: a measure is drawn against a varied"
                            + " parameter, or over several results");
        }
        return SweepFigures.measure(parameters, runs, wanted.y, wanted.along);
    }

    private static void refuseOfFlows(String option, boolean isGiven) throws ScenarioException {
        if (isGiven) {
            throw new ScenarioException(
                    option
                            + " has no effect with --ecdf, which draws one curve per setting over"
                            + " the values of flows: leave it out");
        }
    }

    private Figure overTime(Wanted wanted) {
        List<Line> lines = new ArrayList<>();
        double endUs = 0;
        String unit = "";
        for (CellResult run : runs) {
            for (Series series : run.outcomeOrThrow().series()) {
                if (series.name().equals(wanted.y) && series.values().length > 0) {
                    lines.add(
                            SweepFigures.overTime(
                                    wanted.y, wanted.along.facet(), series, runs, run));
                    endUs = Math.max(endUs, series.timesUs()[series.timesUs().length - 1]);
                    unit = series.unit();
                }
            }
        }
        return new Figure(
                SweepFigures.word("time-" + wanted.y),
                wanted.y + " over time",
                wanted.along.logX() ? new Axis(TIME, "us", true) : Axis.time(endUs),
                new Axis(wanted.y, unit, wanted.along.logY()),
                lines,
                "",
                "");
    }

    /** The differences between lines, with their significance; null if there is only one line. */
    public Findings.@Nullable Titled differences(Wanted wanted) {
        String by = wanted.along.group();
        if (by == null) {
            String x =
                    wanted.along.x() == null
                            ? SweepFigures.along(parameters, runs)
                            : wanted.along.x();
            by =
                    varied().stream()
                            .filter(name -> name.equals(RESULT) || !name.equals(x))
                            .reduce((first, second) -> second.equals(RESULT) ? second : first)
                            .orElse(null);
        }
        if (by == null || !measures().contains(wanted.y)) {
            return null;
        }
        List<String> values = Differences.values(runs, by);
        Differences all =
                Differences.of(parameters, runs, by, values.getFirst(), List.of(wanted.y));
        return all.rows().isEmpty() ? null : all.table();
    }

    private void requireParameter(String option, @Nullable String name) throws ScenarioException {
        if (name != null) {
            require(option, name, parameters.stream().map(Parameter::name).toList());
        }
    }

    private static void require(String option, String name, List<String> all)
            throws ScenarioException {
        if (!all.contains(name)) {
            String near = YamlConfig.nearest(name, all);
            throw new ScenarioException(
                    option
                            + " cannot be '"
                            + Words.shown(name)
                            + "': "
                            + (near == null ? "" : near + "? ")
                            + (all.isEmpty()
                                    ? "these runs have none"
                                    : "allowed is one of "
                                            + String.join(", ", all.stream().limit(12).toList())
                                            + (all.size() > 12 ? " and so on" : "")));
        }
    }
}
