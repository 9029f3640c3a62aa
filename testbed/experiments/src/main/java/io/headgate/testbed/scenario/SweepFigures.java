package io.headgate.testbed.scenario;

import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Builds figures over all runs of a sweep: a measure against a parameter, and distributions of
 * flows.
 */
public final class SweepFigures {
    private static final int CLASSES = 10;
    private static final int FEWEST_FLOWS = 100;
    private static final int FEWEST_SIZES = 3;
    private static final int MOST_AUTOMATIC = 4;
    private static final double WIDE = 30;

    /** Points of a distribution with a band: more than a print shows. */
    private static final int GRID = 200;

    /** Measures of flows that finished, in front of their name. */
    private static final Pattern OF_FLOWS =
            Pattern.compile(
                    ".*(completion|slowdown)|mean rate|rate deviation|makespan|last arrival");

    /** Kinds of series that are means over each interval, or shares of it. */
    private static final Set<String> MEANS = Set.of("throughput", "carried", "stopped");

    /** Those that hold until they are changed, so that a line from sample to sample is true. */
    private static final Set<String> HELD = Set.of("rate", "allowed");

    private SweepFigures() {}

    /**
     * The roles of a sweep's parameters in a figure.
     *
     * @param x parameter of the horizontal axis; null: the one with most values
     * @param group a parameter whose values become lines; null: the other varied parameters
     * @param facet a parameter whose values become panels; null: none
     */
    public record Layout(
            @Nullable String x,
            @Nullable String group,
            @Nullable String facet,
            boolean logX,
            boolean logY) {
        /** All roles are chosen from the varied parameters. */
        public static final Layout AUTOMATIC = new Layout(null, null, null, false, false);
    }

    /** The quantities of flows that have a distribution. */
    public enum OfFlows {
        COMPLETION("completion", "flow completion time", "us"),
        SLOWDOWN("slowdown", "slowdown", ""),
        RATE("rate", "size over completion time", "Gb/s");

        private final String word;
        private final String title;
        private final String unit;

        OfFlows(String word, String title, String unit) {
            this.word = word;
            this.title = title;
            this.unit = unit;
        }

        /** Such as {@code completion of web}. */
        public String of(String group) {
            return word + " of " + group;
        }

        /** The quantity in a name such as {@code completion of web}; null: none of these. */
        public static @Nullable OfFlows named(String name) {
            for (OfFlows one : values()) {
                if (name.startsWith(one.of(""))) {
                    return one;
                }
            }
            return null;
        }

        /** The flows' name in {@code completion of web}. */
        public static String group(String name) {
            return name.substring(name.indexOf(" of ") + " of ".length());
        }

        private double[] values(Flows flows) {
            return switch (this) {
                case COMPLETION -> flows.finishedUs();
                case SLOWDOWN -> flows.slowdowns();
                case RATE -> flows.ratesGbps();
            };
        }
    }

    /** Parameters with several values, those with most of them first; numbers before words. */
    public static List<Parameter> varied(List<Parameter> parameters, List<CellResult> results) {
        return parameters.stream()
                .filter(parameter -> values(results, parameter.name()).size() > 1)
                .sorted(
                        Comparator.comparing((Parameter parameter) -> parameter.unit() == null)
                                .thenComparingInt(p -> -values(results, p.name()).size()))
                .toList();
    }

    private static Set<String> values(List<CellResult> results, String parameter) {
        Set<String> values = new LinkedHashSet<>();
        results.forEach(result -> values.add(result.cell().values().text(parameter)));
        return values;
    }

    /**
     * A figure for each of the first measures that were checked, against what was varied most; none
     * if no parameter has three values, or two and several seeds.
     */
    public static List<Figure> automatic(
            List<Parameter> parameters, List<CellResult> results, List<Check> checks) {
        List<Parameter> varied = varied(parameters, results);
        if (varied.isEmpty() || varied.getFirst().unit() == null) {
            return List.of();
        }
        int points = values(results, varied.getFirst().name()).size();
        boolean seeds = results.stream().map(r -> r.cell().seed()).distinct().count() > 1;
        if (points < (seeds ? 2 : 3)) {
            return List.of();
        }
        Set<String> measures = new LinkedHashSet<>();
        checks.forEach(check -> measures.add(Labels.split(check.what()).text()));
        return measures.stream()
                .filter(measure -> !isConstant(results, measure))
                .limit(MOST_AUTOMATIC)
                .map(measure -> measure(parameters, results, measure, Layout.AUTOMATIC))
                .toList();
    }

    private static boolean isConstant(List<CellResult> results, String measure) {
        return results.stream()
                        .mapToDouble(result -> result.measure(measure))
                        .filter(Double::isFinite)
                        .distinct()
                        .count()
                < 2;
    }

    /**
     * A measure against a parameter: means over seeds, with 95 % t-intervals where there are
     * several of which the seed changes something.
     */
    public static Figure measure(
            List<Parameter> parameters, List<CellResult> results, String measure, Layout layout) {
        return measure(parameters, results, measure, layout, null);
    }

    /**
     * A measure against a parameter, with the expected value as a dashed line.
     *
     * @param expected expected value of a run; NaN if it has none; null: no such line
     */
    public static Figure measure(
            List<Parameter> parameters,
            List<CellResult> results,
            String measure,
            Layout layout,
            @Nullable ToDoubleFunction<CellResult> expected) {
        List<Parameter> varied = varied(parameters, results);
        String x = layout.x == null ? along(parameters, results) : layout.x;
        Parameter along =
                parameters.stream().filter(p -> p.name().equals(x)).findFirst().orElseThrow();
        List<String> words = List.copyOf(values(results, x));
        boolean manyBeds = results.stream().map(r -> r.cell().bed()).distinct().count() > 1;
        List<String> others =
                varied.stream()
                        .map(Parameter::name)
                        .filter(name -> !name.equals(x) && !name.equals(layout.facet))
                        .toList();
        Function<ToDoubleFunction<CellResult>, Map<List<String>, TreeMap<Double, List<Double>>>>
                points =
                        value -> {
                            Map<List<String>, TreeMap<Double, List<Double>>> lines =
                                    new LinkedHashMap<>();
                            for (CellResult result : Seeds.distinct(results)) {
                                Values values = result.cell().values();
                                double at =
                                        along.unit() == null
                                                ? words.indexOf(values.text(x))
                                                : values.number(x);
                                lines.computeIfAbsent(
                                                line(result, layout, others, manyBeds),
                                                _ -> new TreeMap<>())
                                        .computeIfAbsent(at, _ -> new ArrayList<>())
                                        .add(value.applyAsDouble(result));
                            }
                            return lines;
                        };
        List<Line> drawn = new ArrayList<>();
        if (expected != null) {
            points.apply(expected)
                    .forEach((key, at) ->
                            drawn.add(line(key.get(1), Style.DASHED, at).withPanel(key.get(0))));
        }
        Style style = style(along, layout, expected != null);
        points.apply(result -> result.measure(measure))
                .forEach((key, at) -> {
                    boolean isReal = manyBeds && key.get(2).equals(BedKind.NETNS.word());
                    Style drawnAs = isReal && style == Style.LINE ? Style.POINTS : style;
                    drawn.add(line(key.get(1), drawnAs, at).withPanel(key.get(0)));
                });
        return new Figure(
                word("sweep-" + measure),
                measure + " against " + x,
                axis(along, words, layout.logX),
                new Axis(measure, unit(results, measure), layout.logY),
                drawn,
                "",
                runs(results) + ofFlows(results, measure));
    }

    /** The parameter that a measure is drawn against if no other is wanted: the most varied. */
    public static String along(List<Parameter> parameters, List<CellResult> results) {
        List<Parameter> varied = varied(parameters, results);
        return (varied.isEmpty() ? parameters : varied).getFirst().name();
    }

    private static Axis axis(Parameter along, List<String> words, boolean logarithmic) {
        return along.unit() == null
                ? Axis.words(along.name(), words)
                : new Axis(along.name(), along.unit().symbol(), logarithmic);
    }

    /** A bar's length says something only where the axis has a zero. */
    private static Style style(Parameter along, Layout layout, boolean isCompared) {
        if (along.unit() == null) {
            return layout.logY ? Style.POINTS : Style.BARS;
        }
        return isCompared ? Style.POINTS : Style.LINE;
    }

    /** The panel and the name of the line that a run is a point of, and its bed. */
    private static List<String> line(
            CellResult result, Layout layout, List<String> others, boolean manyBeds) {
        Values values = result.cell().values();
        // Whatever else was varied is said, too: runs of several settings have no mean.
        List<String> named = new ArrayList<>(others);
        if (layout.group != null && named.remove(layout.group)) {
            named.addFirst(layout.group);
        }
        String name =
                named.stream()
                        .map(one -> one + " " + values.text(one))
                        .collect(Collectors.joining(", "));
        String bed = result.cell().bed().word();
        String withBed = name.isEmpty() ? bed : name + ", " + bed;
        return List.of(panel(layout.facet, values), manyBeds ? withBed : name, bed);
    }

    private static String panel(@Nullable String facet, Values values) {
        return facet == null ? "" : facet + " " + values.text(facet);
    }

    /** The panel of a run, by the parameter whose values become panels; empty without one. */
    public static String panel(@Nullable String facet, CellResult result) {
        return panel(facet, result.cell().values());
    }

    /**
     * The style of a series over time: means over intervals are steps; real frames are dots if
     * virtual time is drawn too, or if moments between the samples were missed.
     *
     * @param kind the series' first word
     */
    public static Style overTime(List<CellResult> results, CellResult result, String kind) {
        boolean isMean = MEANS.contains(kind);
        boolean isReal = result.cell().bed() == BedKind.NETNS;
        boolean isAlone = results.stream().allMatch(one -> one.cell().bed() == result.cell().bed());
        if (isReal && !(isAlone && (isMean || HELD.contains(kind)))) {
            return Style.POINTS;
        }
        return isMean ? Style.STEP : Style.LINE;
    }

    /** A run's series over time in its panel, with the name from {@link #named}. */
    public static Line overTime(
            String shown,
            @Nullable String facet,
            Series series,
            List<CellResult> results,
            CellResult result) {
        Style style = overTime(results, result, series.name().split(" ", 2)[0]);
        return Line.of(named(shown, facet, results, result), style, series)
                .withPanel(panel(facet, result));
    }

    /**
     * The name of a run's line: the quantity, and in brackets the parameters that its panel does
     * not name.
     */
    public static String named(
            String shown, @Nullable String facet, List<CellResult> results, CellResult result) {
        String panel = panel(facet, result);
        String label =
                Labels.split(Labels.behind(shown, results, result)).parts().stream()
                        .filter(part -> !part.equals(panel))
                        .collect(Collectors.joining(", "));
        return label.isEmpty() ? shown : shown + " (" + label + ")";
    }

    /** How many flows a measure of flows is of in each run; empty for others. */
    private static String ofFlows(List<CellResult> results, String measure) {
        int of = measure.indexOf(" of ");
        boolean isOfFlows = of > 0 && OF_FLOWS.matcher(measure.substring(0, of)).matches();
        return isOfFlows ? "; of " + counted(results, List.of(OfFlows.group(measure))) : "";
    }

    /** How many flows of these names finished in each run. */
    private static String counted(List<CellResult> results, List<String> groups) {
        return counted(
                results.stream()
                        .mapToInt(run ->
                                groups.stream()
                                        .map(group -> Flows.of(run.outcomeOrThrow(), group))
                                        .filter(Objects::nonNull)
                                        .mapToInt(flows -> flows.finishedUs().length)
                                        .sum()));
    }

    private static String runs(List<CellResult> results) {
        long seeds = results.stream().map(result -> result.cell().seed()).distinct().count();
        long alike = Seeds.bySetting(results).values().stream().filter(Seeds::areOneRun).count();
        boolean all = alike == Seeds.bySetting(results).size();
        return results.size()
                + (results.size() == 1 ? " run" : " runs")
                + (seeds > 1 && !all ? "; means and 95 % t-intervals over " + seeds + " seeds" : "")
                + (alike > 0 ? "; " + Seeds.caution(results) : "");
    }

    /**
     * Means of the measured values at each x, with 95 % t-intervals. A single value has no
     * interval.
     */
    public static Line line(String name, Style style, SortedMap<Double, List<Double>> points) {
        double[] x = new double[points.size()];
        double[] y = new double[x.length];
        double[] low = new double[x.length];
        double[] high = new double[x.length];
        boolean several = points.values().stream().anyMatch(all -> all.size() > 1);
        int i = 0;
        for (Map.Entry<Double, List<Double>> point : points.entrySet()) {
            StudentInterval of =
                    StudentInterval.of(
                            point.getValue().stream().mapToDouble(Double::doubleValue).toArray());
            x[i] = point.getKey();
            y[i] = of.mean();
            low[i] = of.low();
            high[i++] = of.high();
        }
        double[] none = {};
        return new Line(name, style, x, y, several ? low : none, several ? high : none, "");
    }

    /** Names of measures that any run has. */
    public static List<String> measures(List<CellResult> results) {
        Set<String> names = new LinkedHashSet<>();
        results.forEach(run -> run.measures().forEach(one -> names.add(one.name())));
        return List.copyOf(names);
    }

    /** The unit of a measure, from the first run that has it. */
    public static String unit(List<CellResult> results, String measure) {
        return results.stream()
                .flatMap(result -> result.measures().stream())
                .filter(one -> one.name().equals(measure))
                .findFirst()
                .map(Measure::unit)
                .orElse("");
    }

    /** Distributions of completion times, and slowdowns by size, where runs have enough flows. */
    public static List<Figure> flows(List<CellResult> results) {
        Set<String> groups = new LinkedHashSet<>();
        results.forEach(result -> groups.addAll(Flows.groups(result.outcomeOrThrow())));
        List<Figure> figures = new ArrayList<>();
        for (String group : groups) {
            if (flows(results, group) >= FEWEST_FLOWS) {
                figures.add(distribution(results, group, OfFlows.COMPLETION));
                Figure bySize = slowdownBySize(results, group);
                if (bySize.lines().stream().anyMatch(line -> line.x().length >= FEWEST_SIZES)) {
                    figures.add(bySize);
                }
            }
        }
        return figures;
    }

    private static int flows(List<CellResult> results, String group) {
        int most = 0;
        for (CellResult result : results) {
            Flows flows = Flows.of(result.outcomeOrThrow(), group);
            most = Math.max(most, flows == null ? 0 : flows.finishedUs().length);
        }
        return most;
    }

    /**
     * The cumulative distribution over flows. For completion times and slowdowns the share is of
     * all flows that began, so if some had not finished the curve ends below 1; for rates it is of
     * the finished flows.
     */
    public static Figure distribution(List<CellResult> results, String group, OfFlows of) {
        List<Line> lines = new ArrayList<>();
        List<Pool> pools = pools(results, group, of);
        double least = pools.stream().mapToDouble(Pool::least).min().orElse(0);
        double most = pools.stream().mapToDouble(Pool::most).max().orElse(0);
        int fewest = pools.stream().mapToInt(Pool::count).min().orElse(0);
        boolean wide = most > WIDE * least && least > 0;
        pools.forEach(pool -> lines.add(pool.line(wide)));
        boolean isBand = pools.stream().anyMatch(pool -> pool.bySeed.size() > 1);
        return new Figure(
                        word("ecdf-" + of.word + "-" + group),
                        "Distribution of " + of.title + ", flows of " + group,
                        new Axis(of.title, of.unit, wide),
                        Axis.linear("share of flows", ""),
                        lines,
                        "",
                        counted(pools.stream().mapToInt(Pool::count))
                                + (isBand ? " of all seeds together, with the 95 % t-interval" : "")
                                + (wide
                                        ? "; the horizontal axis is logarithmic"
                                        : isBand ? "" : "; each step is a flow")
                                + behind(Cautions.ofGroup(results, group)))
                .withLimits(
                        Flows.isEnough(fewest, 99)
                                ? List.of(new Limit("p99", 0.99), new Limit("p50", 0.5))
                                : List.of(new Limit("p50", 0.5)));
    }

    /** How many flows curves are of. */
    private static String counted(IntStream flows) {
        IntSummaryStatistics all = flows.summaryStatistics();
        if (all.getCount() == 0) {
            return "0 flows";
        }
        String most = String.format(Locale.ROOT, "%,d", all.getMax());
        return all.getMin() == all.getMax()
                ? most
                        + (all.getMax() == 1 ? " flow" : " flows")
                        + (all.getCount() > 1 ? " each" : "")
                : String.format(Locale.ROOT, "%,d", all.getMin()) + " to " + most + " flows";
    }

    /**
     * The flows of one setting.
     *
     * @param bySeed what those needed that finished, sorted; empty where none did
     * @param begun how many began, by seed
     */
    private record Pool(String name, List<double[]> bySeed, List<Integer> begun) {
        int count() {
            return begun.stream().mapToInt(Integer::intValue).sum();
        }

        double least() {
            return values().min().orElse(0);
        }

        double most() {
            return values().max().orElse(0);
        }

        private DoubleStream values() {
            return bySeed.stream().flatMapToDouble(Arrays::stream);
        }

        /** The share over all seeds, with the interval of the single seeds' shares around it. */
        Line line(boolean wide) {
            if (bySeed.size() == 1) {
                return steps(name, bySeed.getFirst(), begun.getFirst());
            }
            double[] x = new double[GRID];
            double[] y = new double[GRID];
            double[] low = new double[GRID];
            double[] high = new double[GRID];
            for (int i = 0; i < GRID; i++) {
                double part = i / (GRID - 1.0);
                x[i] =
                        i == GRID - 1
                                ? most()
                                : wide
                                        ? least() * Math.pow(most() / least(), part)
                                        : least() + part * (most() - least());
                double[] shares = new double[bySeed.size()];
                int all = 0;
                for (int seed = 0; seed < shares.length; seed++) {
                    int count = atMost(bySeed.get(seed), x[i]);
                    all += count;
                    shares[seed] = (double) count / begun.get(seed);
                }
                StudentInterval of = StudentInterval.of(shares);
                y[i] = (double) all / count();
                low[i] = Math.clamp(of.low(), 0, y[i]);
                high[i] = Math.clamp(of.high(), y[i], 1);
            }
            return new Line(name, Style.LINE, x, y, low, high, "");
        }

        private static int atMost(double[] sorted, double value) {
            int count = 0;
            while (count < sorted.length && sorted[count] <= value) {
                count++;
            }
            return count;
        }
    }

    /** The flows of each setting, all of its seeds together. */
    private static List<Pool> pools(List<CellResult> results, String group, OfFlows of) {
        Map<String, Pool> pools = new LinkedHashMap<>();
        for (CellResult result : Seeds.distinct(results)) {
            Flows flows = Flows.of(result.outcomeOrThrow(), group);
            double[] sorted = flows == null ? new double[0] : of.values(flows);
            if (flows != null && sorted.length + flows.unfinished() > 0) {
                Arrays.sort(sorted);
                String name = setting("flows of " + group, results, result);
                Pool pool =
                        pools.computeIfAbsent(
                                name, _ -> new Pool(name, new ArrayList<>(), new ArrayList<>()));
                pool.bySeed.add(sorted);
                // What did not finish has a rate below all others, or none.
                int open = of == OfFlows.RATE ? 0 : flows.unfinished();
                pool.begun.add(sorted.length + open);
            }
        }
        // Of nothing there is no curve.
        return pools.values().stream().filter(pool -> pool.values().findAny().isPresent()).toList();
    }

    private static String behind(String caution) {
        return caution.isEmpty() ? "" : "; " + caution;
    }

    /**
     * @param all how many flows the share is of
     */
    private static Line steps(String name, double[] sorted, int all) {
        double[] x = new double[2 * sorted.length];
        double[] y = new double[x.length];
        for (int i = 0; i < sorted.length; i++) {
            x[2 * i] = sorted[i];
            x[2 * i + 1] = sorted[i];
            y[2 * i] = (double) i / all;
            y[2 * i + 1] = (i + 1.0) / all;
        }
        return new Line(name, Style.LINE, x, y);
    }

    /**
     * Measures of classes of flows, each at the median size of its flows in all runs: means over
     * seeds, with 95 % t-intervals, a line for each setting.
     *
     * @param measures such as {@code p99 slowdown of short}
     */
    public static Figure bySize(List<CellResult> results, List<String> measures, Layout layout) {
        Map<String, Double> sizes = new HashMap<>();
        for (String measure : measures) {
            double[] all =
                    results.stream()
                            .map(run -> Flows.of(run.outcomeOrThrow(), OfFlows.group(measure)))
                            .filter(Objects::nonNull)
                            .flatMapToDouble(flows -> Arrays.stream(flows.sizeBytes()))
                            .toArray();
            sizes.put(measure, Flows.percentile(all, 50));
        }
        Map<List<String>, TreeMap<Double, List<Double>>> points = new LinkedHashMap<>();
        for (CellResult result : Seeds.distinct(results)) {
            String panel = panel(layout.facet, result.cell().values());
            String name =
                    Labels.split(Labels.behind("", results, result)).withoutSeed().stream()
                            .filter(part -> !part.equals(panel))
                            .collect(Collectors.joining(", "));
            TreeMap<Double, List<Double>> line =
                    points.computeIfAbsent(List.of(panel, name), _ -> new TreeMap<>());
            for (String measure : measures) {
                double value = result.measure(measure);
                if (Double.isFinite(value)) {
                    line.computeIfAbsent(sizes.get(measure), _ -> new ArrayList<>()).add(value);
                }
            }
        }
        String what = measures.getFirst().substring(0, measures.getFirst().indexOf(" of "));
        List<Line> lines = new ArrayList<>();
        points.forEach(
                (key, line) -> lines.add(line(key.get(1), Style.LINE, line).withPanel(key.get(0))));
        return new Figure(
                word("size-" + what),
                what + " over flow size",
                new Axis("flow size", "byte", layout.logX),
                new Axis(what, unit(results, measures.getFirst()), layout.logY),
                lines,
                "",
                runs(results)
                        + "; of "
                        + counted(results, measures.stream().map(OfFlows::group).toList())
                        + "; each size class is at its median, if it has enough flows for this"
                        + " measure");
    }

    private static Figure slowdownBySize(List<CellResult> results, String group) {
        List<Line> lines = new ArrayList<>();
        Map<String, List<Flows>> settings = new LinkedHashMap<>();
        for (CellResult result : Seeds.distinct(results)) {
            Flows flows = Flows.of(result.outcomeOrThrow(), group);
            if (flows != null) {
                settings.computeIfAbsent(setting("", results, result), _ -> new ArrayList<>())
                        .add(flows);
            }
        }
        settings.forEach((setting, runs) -> {
            Flows flows = Flows.together(runs);
            int finished = flows.finishedUs().length;
            if (finished > 0 && flows.slowdowns().length == finished) {
                lines.add(bySize("median" + setting, flows, 50));
                if (Flows.isEnough(finished / CLASSES, 99)) {
                    lines.add(bySize("99th percentile" + setting, flows, 99));
                }
            }
        });
        return new Figure(
                word("slowdown-by-size-" + group),
                "Slowdown by size, flows of " + group,
                new Axis("flow size", "byte", true),
                new Axis("slowdown", "", true),
                lines,
                "",
                counted(settings.values().stream().mapToInt(runs -> Flows.together(runs).count()))
                        + (settings.values().stream().anyMatch(runs -> runs.size() > 1)
                                ? " of all seeds together"
                                : "")
                        + "; 1: alone in the network; "
                        + CLASSES
                        + " classes of equal numbers of flows, with the 99th percentile if each"
                        + " class has 100 flows; both axes are logarithmic"
                        + behind(Cautions.ofGroup(results, group)));
    }

    private static Line bySize(String name, Flows flows, double percent) {
        List<double[]> points = flows.slowdownBySize(percent, CLASSES);
        return new Line(
                name,
                Style.LINE,
                points.stream().mapToDouble(point -> point[0]).toArray(),
                points.stream().mapToDouble(point -> point[1]).toArray());
    }

    /** What is shown of runs that differ in their seeds alone. */
    private static String setting(String shown, List<CellResult> results, CellResult result) {
        return Labels.split(Labels.behind(shown, results, result)).ofAllSeeds();
    }

    /** A part of a file's name. */
    public static String word(String text) {
        return text.toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-")
                .replaceAll("(^-|-$)", "");
    }
}
