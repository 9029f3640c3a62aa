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
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Shade;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.SweepFigures;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Beds;
import io.headgate.testbed.scenario.bed.Change;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.GroupFacts;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A scenario that was read from a file.
 *
 * @param definitions gives the file's content for values of its parameters; throws {@link
 *     ConfigException} if the content is not valid with them
 */
record FileScenario(
        About about,
        FileParameters given,
        BiFunction<Values, FileParameters.Run, Definition> definitions,
        Beds.Runner runner)
        implements Scenario {
    /** More runs than this are not drawn over time; all of them are in series.csv. */
    private static final int DRAWN_RUNS = 1_000;

    /** Prefix of the measure for the last value of a counter of {@code record}. */
    static final String LAST = "last of ";

    private static final String COUNTER = "counter";

    /** Series that have a figure each: what the figure shows, and the series' unit. */
    private static final Map<String, String[]> DRAWN = new LinkedHashMap<>();

    static {
        DRAWN.put("throughput", new String[] {"Throughput: frames that receivers took", "Gb/s"});
        DRAWN.put(
                "carried",
                new String[] {"Carried: including discarded and repeated frames", "Gb/s"});
        DRAWN.put("queue", new String[] {"Queues", "kB"});
        DRAWN.put("rate", new String[] {"Rates that hosts allow for their flows", "Gb/s"});
        DRAWN.put("allowed", new String[] {"Mean allowed rate of connections", "Mb/s"});
        DRAWN.put("buffer", new String[] {"Received bytes that ports still hold", "kB"});
        DRAWN.put("headroom", new String[] {"What ports hold above xoff", "kB"});
        DRAWN.put("stopped", new String[] {"Share of the time in which links are stopped", "%"});
        DRAWN.put("on", new String[] {"Length of the periods between two pauses (ON)", "us"});
    }

    @Override
    public List<Parameter> parameters() {
        return given.parameters();
    }

    Definition with(Values values, BedKind bed, long seed) {
        return definitions.apply(values, given.run(bed, seed));
    }

    /**
     * @throws ConfigException if the file says nothing sound with these values
     */
    @Override
    public void check(Values values) throws ScenarioException {
        given.check(values);
        Change change = Change.of(values);
        for (BedKind bed : about.beds()) {
            Definition definition = with(values, bed, 1);
            if (change != null) {
                change.apply(definition.experiment());
            }
        }
    }

    @Override
    public String lacks(Cell cell) {
        return runner.lacks(with(cell.values(), cell.bed(), cell.seed()).experiment());
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Definition definition = with(cell.values(), cell.bed(), cell.seed());
        Experiment experiment = definition.experiment();
        if (cell.bed() == BedKind.NETNS) {
            definition.warnings().forEach(context::say);
        }
        Observation all = runner.run(experiment, cell, context);
        Window window = definition.findings().window();
        Observation seen = withDerived(window == null ? all : all.within(window), definition);
        List<Integer> lossless = experiment.topology().losslessPriorities();
        long limitBytes =
                lossless.isEmpty()
                        ? experiment.topology().sizes().queueLimitBytes()
                        : Observation.NO_LIMIT;
        List<String> statements = new ArrayList<>(List.of(seen.statement(limitBytes)));
        if (!lossless.isEmpty() && seen.drops().containsKey(DropReason.QUEUE_FULL.name())) {
            statements.add(
                    "the frames dropped as QUEUE_FULL had lossy priorities: lossless here is "
                            + lossless.stream()
                                    .map(String::valueOf)
                                    .collect(Collectors.joining(", "))
                            + "; 'classify' under 'ports' assigns frames to priorities");
        }
        List<Measure> more = new ArrayList<>(ofSeries(seen, definition));
        more.addAll(ofClasses(seen, definition));
        addOwn(seen, definition, more);
        for (GroupFacts group : seen.groups().values()) {
            long away = group.framesCarried() - group.framesReceived();
            if (away > 0) {
                statements.add(
                        ("%s of %s arrived frames of %s were discarded as repeated or out of order:"
                                        + " they count in 'carried', but not in 'throughput'")
                                .formatted(away, group.framesCarried(), group.name()));
            }
        }
        return seen.outcome(more, statements);
    }

    /** Measures of classes of flows, which the run's configuration names from here on. */
    private static List<Measure> ofClasses(Observation seen, Definition definition) {
        Map<String, Map<String, Object>> classes = definition.findings().classes();
        if (classes.isEmpty()) {
            return List.of();
        }
        seen.configuration().put(Flows.CLASSES, classes);
        Outcome all = seen.outcome(List.of(), List.of());
        return classes.keySet().stream()
                .map(name -> Flows.of(all, name))
                .filter(Objects::nonNull)
                .flatMap(flows -> flows.measures().stream())
                .toList();
    }

    private static Observation withDerived(Observation seen, Definition definition) {
        List<Series> made = new ArrayList<>();
        double intervalUs = definition.times().intervalUs();
        for (DerivedSeries one : definition.findings().series()) {
            made.add(one.from(made, seen.series(), intervalUs));
        }
        made.addAll(seen.series());
        return seen.withSeries(made);
    }

    /** Measures of the file's own, each of which may be of those before it. */
    private static void addOwn(Observation seen, Definition definition, List<Measure> more) {
        Known known = new Known(seen, new LinkedHashMap<>());
        seen.measures().forEach(known::add);
        more.forEach(known::add);
        for (OwnMeasure own : definition.findings().measures()) {
            Measure measure = own.measure(seen.series(), known, definition.times());
            known.add(measure);
            more.add(measure);
        }
    }

    private record Known(Observation seen, Map<String, Double> values)
            implements Arithmetic.Measured {
        void add(Measure measure) {
            values.put(measure.name(), measure.value());
        }

        @Override
        public double of(String name) {
            Double value = values.get(name);
            return value == null ? ofSeries(name, seen) : value;
        }

        @Override
        public List<Double> all(String starred) {
            // What a file measures of some of the series already is not all that is meant.
            SeriesMeasure asked = SeriesMeasure.parse(starred);
            List<Double> all = asked == null ? List.of() : ofSeries(asked, seen).toList();
            return all.isEmpty()
                    ? Starred.among(values.keySet(), starred).stream().map(this::of).toList()
                    : all;
        }
    }

    private static double ofSeries(String name, Observation seen) {
        SeriesMeasure asked = SeriesMeasure.parse(name);
        return asked == null ? Double.NaN : ofSeries(asked, seen).findFirst().orElse(Double.NaN);
    }

    /** The measure of each series that a star stands for. */
    private static Stream<Double> ofSeries(SeriesMeasure asked, Observation seen) {
        return seen.series().stream()
                .filter(one -> isOf(one, asked))
                .map(one -> asked.measure(one).value());
    }

    private static boolean isOf(Series series, SeriesMeasure asked) {
        String called = SeriesMeasure.called(series.name());
        return series.values().length > 0 && RecordedSeries.isMeant(asked.of(), called);
    }

    /** How each counter ended, and what the file asks of its series. */
    private static List<Measure> ofSeries(Observation seen, Definition definition) {
        List<Measure> measures = new ArrayList<>();
        List<Series> sampled =
                seen.series().stream().filter(series -> series.values().length > 0).toList();
        for (Series series : sampled) {
            if (series.name().startsWith(COUNTER + " ")) {
                String name = SeriesMeasure.called(series.name());
                double last = series.values()[series.values().length - 1];
                measures.add(new Measure(LAST + name, series.unit(), last));
            }
        }
        for (SeriesMeasure asked : definition.ofSeries()) {
            sampled.stream()
                    .filter(series -> isOf(series, asked))
                    .findFirst()
                    .ifPresent(series -> measures.add(asked.measure(series)));
        }
        return measures;
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        List<Check> checks = new ArrayList<>();
        Set<String> warnings = new LinkedHashSet<>();
        List<String> statements = new ArrayList<>();
        Map<String, Expectation> idle = new LinkedHashMap<>();
        Set<String> judged = new HashSet<>();
        // Runs that differ only in their seeds have one definition, unless it names the seed.
        Map<List<Object>, Definition> known = new LinkedHashMap<>();
        Map<Cell, Definition> ofCells = new HashMap<>();
        for (CellResult result : results) {
            Values values = result.cell().values();
            FileParameters.Run run = given.run(result.cell().bed(), result.cell().seed());
            Definition definition =
                    known.computeIfAbsent(
                            List.of(run, List.copyOf(values.texts().values())),
                            _ -> definitions.apply(values, run));
            ofCells.put(result.cell(), definition);
            if (result.cell().bed() == BedKind.NETNS) {
                warnings.addAll(definition.warnings());
            }
            List<String> places = definition.findings().places();
            for (int i = 0; i < places.size(); i++) {
                Expectation expectation = definition.findings().expectations().get(i);
                String label = Labels.behind("", results, result);
                Check check = expectation.check(result, results, label);
                if (check != null) {
                    checks.add(check);
                }
                String unjudged = expectation.unjudged(result, results, label);
                if (!unjudged.isEmpty()) {
                    statements.add(unjudged);
                    idle.putIfAbsent(places.get(i), expectation);
                } else if (expectation.judges(result, results)) {
                    judged.add(places.get(i));
                }
            }
            for (Saying saying : definition.findings().sayings()) {
                statements.add(Labels.behind(saying.of(result), results, result));
            }
            for (String statement : result.outcomeOrThrow().statements()) {
                statements.add(Labels.behind(statement, results, result));
            }
        }
        idle.keySet().removeAll(judged);
        idle.values().forEach(expectation -> checks.add(expectation.ofNone()));
        statements.addAll(0, warnings);
        List<Figure> figures = new ArrayList<>();
        addPlots(figures, results, ofCells, statements);
        DRAWN.forEach((kind, title) -> add(figures, results, ofCells, kind, title[0], title[1]));
        addCounters(figures, results, ofCells);
        Definition first = Objects.requireNonNull(ofCells.get(results.getFirst().cell()));
        shade(figures, first.findings().window());
        List<Definition.Wanted> wanted = known.values().stream().map(Definition::findings).toList();
        List<Findings.Titled> tables = tables(wanted, results, statements);
        return new Findings(checks, figures, statements, tables);
    }

    /** Figures over time show what is measured of it. */
    private static void shade(List<Figure> figures, @Nullable Window window) {
        if (window != null) {
            figures.replaceAll(figure ->
                    figure.isOverTime()
                            ? figure.withShade(new Shade(window.fromUs(), window.untilUs()))
                            : figure);
        }
    }

    /**
     * The tables that the file asks for, each with the measures that any run's definition has in
     * it; why there is nothing to compare goes to statements.
     */
    private List<Findings.Titled> tables(
            List<Definition.Wanted> all, List<CellResult> results, List<String> statements) {
        Map<String, Ranked> ranked = new LinkedHashMap<>();
        Map<String, MeansTable> means = new LinkedHashMap<>();
        for (Definition.Wanted wanted : all) {
            wanted.ranked().forEach(one -> ranked.merge(one.title(), one, Ranked::with));
            wanted.tables().forEach(one -> means.merge(one.title(), one, MeansTable::with));
        }
        List<Findings.Titled> tables = new ArrayList<>();
        ranked.values().forEach(table -> tables.add(table.of(parameters(), results)));
        means.values().forEach(table -> tables.add(table.of(parameters(), results)));
        for (Compared compared : all.getFirst().compared()) {
            String lack = compared.lacks(results);
            if (lack.isEmpty()) {
                tables.add(compared.table(parameters(), results));
            } else {
                statements.add(lack);
            }
        }
        return tables;
    }

    /** The figures that any of the definitions asks for, or why there is nothing to draw. */
    private void addPlots(
            List<Figure> figures,
            List<CellResult> results,
            Map<Cell, Definition> definitions,
            List<String> statements) {
        Map<String, Plot> plots = new LinkedHashMap<>();
        results.forEach(result ->
                Objects.requireNonNull(definitions.get(result.cell()))
                        .plots()
                        .forEach(plots::putIfAbsent));
        for (Map.Entry<String, Plot> entry : plots.entrySet()) {
            Plot plot = entry.getValue();
            String lack = plot.lacks(parameters(), results);
            if (lack.isEmpty()) {
                figures.add(
                        plot.figure(
                                entry.getKey(), parameters(), results, about.claim(), definitions));
            } else {
                statements.add(lack);
            }
        }
    }

    /** A figure for each unit: what is in different ones has no axis in common. */
    private void addCounters(
            List<Figure> figures, List<CellResult> results, Map<Cell, Definition> definitions) {
        Set<String> units = new LinkedHashSet<>();
        for (CellResult result : results) {
            for (Series series : result.outcomeOrThrow().series()) {
                if (series.name().startsWith(COUNTER + " ")) {
                    units.add(series.unit());
                }
            }
        }
        units.forEach(unit -> add(figures, results, definitions, COUNTER, "Counters", unit));
    }

    private void add(
            List<Figure> figures,
            List<CellResult> results,
            Map<Cell, Definition> definitions,
            String kind,
            String title,
            String unit) {
        List<Line> lines = new ArrayList<>();
        List<Limit> limits = new ArrayList<>();
        double max = 0;
        int runs = 0;
        for (CellResult result : results) {
            boolean isDrawn = runs++ < DRAWN_RUNS;
            Style style = SweepFigures.overTime(results, result, kind);
            var limitsOf = OverTime.limits(kind, result, definitions);
            Set<String> drawnOf =
                    Objects.requireNonNull(definitions.get(result.cell()))
                            .drawn(result.outcomeOrThrow().series());
            for (Series series : result.outcomeOrThrow().series()) {
                // One sample, as of a counter at the end, is nothing over time.
                boolean isOf =
                        series.name().startsWith(kind + " ")
                                && series.unit().equals(unit)
                                && series.values().length > 1;
                if (isOf && !drawnOf.contains(series.name())) {
                    if (isDrawn) {
                        String name = series.name().substring(kind.length() + 1);
                        String line = Labels.behind(name, results, result);
                        lines.add(Line.of(line, style, series));
                        limitsOf.apply(name).forEach(l -> limits.add(l.withLine(lines.getLast())));
                    }
                    max = Math.max(max, series.max());
                }
            }
        }
        if (!lines.isEmpty()) {
            String name = kind.equals(COUNTER) ? kind + "-" + word(unit) : kind;
            boolean isTaken = figures.stream().anyMatch(one -> one.name().equals(name));
            figures.add(
                    new Figure(
                                    isTaken ? name + "-over-time" : name,
                                    title,
                                    OverTime.axis(definitions.values()),
                                    Axis.linear(kind, unit),
                                    lines,
                                    about.claim(),
                                    "largest "
                                            + Numbers.shown(max, unit)
                                            + (results.size() > DRAWN_RUNS
                                                    ? "; drawn are the first "
                                                            + DRAWN_RUNS
                                                            + " runs"
                                                    : ""))
                            .withLimits(limits));
        }
    }

    /** A unit as a part of a file's name. */
    private static String word(String unit) {
        return unit.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }
}
