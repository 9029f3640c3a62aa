package io.headgate.testbed.scenario.file;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Points;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.SweepFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A figure that a scenario file asks for. */
record Plot(Keys said, What what) {
    /** An entry of {@code plot}. */
    record Keys(
            @Key(max = "100")
                    @Says(
                            "A measured number as in runs.csv or a measure of a recorded series"
                                    + " such as p99 of queue s1/p4, a recorded series itself, such"
                                    + " as queue s1/p4, or a list of series; or with ecdf: true"
                                    + " completion, slowdown or rate of flows. A star matches any"
                                    + " text: several measures of a run, or with x: size, of"
                                    + " classes of flows.")
                    @Allowed(
                            "text, such as throughput of web, queue s1/p4, share of x* or slowdown"
                                    + " of web, or a list of series")
                    @Items(min = 1, max = 100, orOne = true, each = "a series, such as queue s1/p4")
                    List<String> y,
            @Key(max = "32")
                    @Says(
                            "A parameter with numbers, time for a series, or size for a measure of"
                                    + " classes with a star.")
                    @Otherwise("time for a series, otherwise the parameter with most values")
                    @Allowed("a parameter's name, time or size")
                    @Nullable String x,
            @Key(max = "32")
                    @Says("A parameter whose values become separate lines.")
                    @Otherwise("what else was varied")
                    @Allowed("a parameter's name")
                    @Nullable String group,
            @Key(max = "32")
                    @Says("A parameter whose values become separate panels.")
                    @Allowed("a parameter's name")
                    @Nullable String facet,
            @Key
                    @Says("Axes that are logarithmic.")
                    @Allowed("a list of x and y, such as [x]")
                    @Items(max = 2, unique = true, each = "x or y")
                    List<Logarithmic> log,
            @Key(pattern = "^[a-z0-9-]{1,32}$")
                    @Says("The name of the figure's files.")
                    @Otherwise("by what is drawn")
                    @Allowed("1 to 32 small letters, digits or -, such as queue")
                    String name,
            @Key(max = "120", example = "The queue before the congested link")
                    @Says("Title of the figure.")
                    @Otherwise("what is drawn")
                    String title,
            @Key(max = "400", example = "The queue is stable at its reference")
                    @Says("What the figure of the source shows.")
                    @Otherwise("the claim")
                    String says,
            @Key(max = "60", example = "queue of the receiver")
                    @Says("Label of the vertical axis, without its unit.")
                    @Otherwise("what is drawn")
                    String label,
            @Key(
                            values = {
                                "b/s", "kb/s", "Mb/s", "Gb/s", "B", "kB", "MB", "GB", "ns", "us",
                                "ms", "s"
                            })
                    @Says(
                            "Unit of the vertical axis; numbers of limits and most keep the unit of"
                                    + " the drawn values.")
                    @Otherwise("a unit in which labels have few digits")
                    @Allowed("one of b/s, kb/s, Mb/s, Gb/s, B, kB, MB, GB, ns, us, ms and s")
                    String unit,
            @Key(codec = Legend.class)
                    @Says(
                            "Texts that replace names of lines and panels and words of the axis, or"
                                    + " parts of them.")
                    @Otherwise("names as they are")
                    @Allowed(
                            "a mapping of names to texts, such as {rocc: RoCC, 'marks true': with"
                                    + " marks}")
                    Map<String, String> legend,
            @Key(values = {"1", "2"})
                    @Says("Width of the figure in columns of a paper.")
                    @Otherwise("as set by --columns")
                    @Allowed("1 or 2")
                    int width,
            @Key(absent = "false") @Says("Whether lines are drawn as points only.") boolean points,
            @Key(absent = "false")
                    @Says(
                            "Whether several series of a run are drawn as their mean with a band"
                                    + " from the smallest to the largest value.")
                    boolean mean,
            @Key(max = "32", absent = "place", example = "hop")
                    @Says("The label of the axis along which the measures of a star are drawn.")
                    String along,
            @Key(absent = "false")
                    @Says(
                            "Whether the value in 'expect' for the measure is also drawn, as a"
                                    + " dashed line.")
                    boolean expected,
            @Key(codec = Said.Amount.class)
                    @Says("End of the vertical axis, even if values are above it.")
                    @Otherwise("above all values")
                    @Allowed(Said.NUMBER)
                    double most,
            @Key
                    @Says("Horizontal lines.")
                    @Otherwise("what the network has")
                    @Items(
                            max = 100,
                            repeats = true,
                            each =
                                    "a mapping with name and value, such as {name: reference,"
                                            + " value: 150}")
                    List<Mark> limits,
            @Key
                    @Says("Vertical lines, at times in us.")
                    @Items(
                            max = 100,
                            repeats = true,
                            each =
                                    "a mapping with name and value, such as {name: burst, value:"
                                            + " 150}")
                    List<Mark> marks,
            @Key(absent = "false")
                    @Says("Draws the share of flows up to each value: an empirical distribution.")
                    boolean ecdf) {
        enum Logarithmic {
            X,
            Y
        }

        record Mark(
                @Key(codec = Said.Word.class, min = "1", max = "40", example = "reference")
                        @Says("Label of the line.")
                        String name,
                @Key(codec = Said.Amount.class)
                        @Says("Position of the line, in the axis's unit.")
                        @Allowed("a number, such as 150, or arithmetic with parameters")
                        double value) {
            static List<Figure.Limit> limits(List<Mark> lines) {
                return lines.stream().map(one -> new Figure.Limit(one.name, one.value)).toList();
            }
        }

        /** Names of lines, with the texts that replace them. */
        static final class Legend extends Said.Words {
            @Override
            public Map<String, Object> schema() {
                return Said.schema(
                        """
                        {"type": "object", "minProperties": 1, "maxProperties": 40,
                         "additionalProperties":
                          {"type": ["string", "number"], "minLength": 1, "maxLength": 60,
                           "x-allowed": "text, such as DCQCN"}}
                        """);
            }
        }
    }

    enum What {
        /** Against a parameter. */
        MEASURE,
        /** One behind the other, of a run. */
        MEASURES,
        /** Of classes of flows, over their sizes. */
        SIZES,
        SERIES,
        /** The distribution of what flows needed. */
        FLOWS
    }

    static final String TIME = "time";
    static final String SIZE = "size";

    /** The kinds that can be drawn over time. */
    private static final Set<String> SERIES =
            Set.of(
                    "throughput",
                    "queue",
                    "buffer",
                    "headroom",
                    "stopped",
                    "on",
                    "rate",
                    "allowed",
                    "spread",
                    "counter",
                    "arrived",
                    "congested",
                    "undetermined");

    /** The drawn measures or series: a measure, several series, or one name with a star. */
    List<String> y() {
        return said.y();
    }

    private SweepFigures.Layout layout() {
        boolean isOfParameter = what != What.SIZES && !TIME.equals(said.x());
        return new SweepFigures.Layout(
                isOfParameter ? said.x() : null,
                said.group(),
                said.facet(),
                said.log().contains(Keys.Logarithmic.X),
                said.log().contains(Keys.Logarithmic.Y));
    }

    /** Whether a recorded series may have this name: a kind and its object. */
    static boolean isSeries(String y) {
        int blank = y.indexOf(' ');
        return blank > 0 && SERIES.contains(y.substring(0, blank)) && !y.contains(" of ");
    }

    /** Whether it draws single numbers of a run, without a star. */
    boolean isMeasure() {
        return what == What.MEASURE;
    }

    private String first() {
        return y().getFirst();
    }

    /** The reason why the figure cannot be drawn, in a sentence; empty if it can. */
    String lacks(List<Parameter> parameters, List<CellResult> results) {
        if (results.stream().noneMatch(this::isIn)) {
            return first() + " is not drawn: no run has it";
        }
        if (what != What.MEASURE || said.expected()) {
            return "";
        }
        List<Parameter> varied = SweepFigures.varied(parameters, results);
        String x = layout().x();
        boolean isVaried = varied.stream().anyMatch(one -> x == null || one.name().equals(x));
        if (isVaried) {
            return "";
        }
        String one = x == null ? "each parameter" : x;
        return "%s is not drawn: %s has one value here, and --set %s=A,B gives it several"
                .formatted(first(), one, x == null ? "NAME" : x);
    }

    private boolean isIn(CellResult result) {
        return switch (what) {
            case FLOWS -> {
                Flows flows =
                        Flows.of(result.outcomeOrThrow(), SweepFigures.OfFlows.group(first()));
                yield flows != null && flows.finishedUs().length > 0;
            }
            case SERIES ->
                    result.outcomeOrThrow().series().stream()
                            .anyMatch(one -> y().contains(one.name()));
            case MEASURES, SIZES -> !starred(result).isEmpty();
            case MEASURE -> !Double.isNaN(result.measure(first()));
        };
    }

    /** The names of measures of any run that have something in place of the star. */
    private List<String> starred(List<CellResult> results) {
        return Starred.among(SweepFigures.measures(results), first());
    }

    /** The measures of a run that have something in place of the star. */
    private List<Measure> starred(CellResult result) {
        List<Measure> all = result.outcomeOrThrow().measures();
        List<String> names = Starred.among(all.stream().map(Measure::name).toList(), first());
        return all.stream().filter(one -> names.contains(one.name())).toList();
    }

    /**
     * @param called its name in definitions
     */
    Figure figure(
            String called,
            List<Parameter> parameters,
            List<CellResult> results,
            String claim,
            Map<Cell, Definition> definitions) {
        Figure made =
                switch (what) {
                    case FLOWS ->
                            SweepFigures.distribution(
                                    results,
                                    SweepFigures.OfFlows.group(first()),
                                    Objects.requireNonNull(SweepFigures.OfFlows.named(first())));
                    case SERIES -> overTime(called, results, claim, definitions);
                    case MEASURES -> inARow(results, claim, definitions);
                    case SIZES -> SweepFigures.bySize(results, starred(results), layout());
                    case MEASURE ->
                            SweepFigures.measure(
                                    parameters,
                                    results,
                                    first(),
                                    layout(),
                                    said.expected()
                                            ? result -> expected(first(), result, definitions)
                                            : null);
                };
        Figure worded =
                made.worded(
                        new Figure.Wording(said.title(), said.label(), said.unit(), said.points()));
        return worded.withName(said.name().isEmpty() ? worded.name() : said.name())
                .withY(said.most() > 0 ? worded.y().withCut(said.most()) : worded.y())
                .withLimits(what == What.MEASURE ? limits() : worded.limits())
                .withMarks(Keys.Mark.limits(said.marks()))
                .withPaperSays(said.says().isEmpty() ? worded.paperSays() : said.says())
                .withPrint(new Figure.Print(said.width(), said.legend()));
    }

    /** What is expected of a measure; not a number where nothing is. */
    private static double expected(
            String measure, CellResult result, Map<Cell, Definition> definitions) {
        return Objects.requireNonNull(definitions.get(result.cell()))
                .findings()
                .expectations()
                .stream()
                .filter(one -> one.judged().equals(measure) && one.than().isEmpty())
                .findFirst()
                .map(one -> one.expected(result))
                .orElse(Double.NaN);
    }

    private Figure inARow(
            List<CellResult> results, String claim, Map<Cell, Definition> definitions) {
        List<Line> lines = new ArrayList<>();
        String unit = "";
        for (CellResult result : results) {
            Points measured = new Points();
            Points expected = new Points();
            int place = 0;
            for (Measure measure : starred(result)) {
                measured.add(++place, measure.value());
                expected.add(place, expected(measure.name(), result, definitions));
                unit = measure.unit();
            }
            if (said.expected()) {
                String name = Labels.behind("expected", results, result);
                lines.add(expected.line(name, Style.DASHED));
            }
            lines.add(measured.line(Labels.behind("measured", results, result), Style.POINTS));
        }
        String of = first().replaceAll("( of)? [^ ]*\\*.*", "");
        return new Figure(
                SweepFigures.word(of),
                of + " along " + said.along(),
                Axis.linear(said.along(), ""),
                new Axis(of, unit, layout().logY()),
                lines,
                claim,
                "");
    }

    private Figure overTime(
            String called,
            List<CellResult> results,
            String claim,
            Map<Cell, Definition> definitions) {
        List<Line> lines = new ArrayList<>();
        List<Limit> limits = new ArrayList<>();
        String unit = "";
        boolean isOne = true;
        for (CellResult result : results) {
            Definition definition = Objects.requireNonNull(definitions.get(result.cell()));
            // Ports and hosts may differ from run to run.
            Plot plot = definition.plots().get(called);
            if (plot == null || plot.what != What.SERIES) {
                continue;
            }
            isOne &= plot.y().equals(y()) && y().size() == 1;
            List<Series> drawn = plot.drawn(result);
            if (said.mean() && !drawn.isEmpty()) {
                unit = drawn.getFirst().unit();
                lines.add(plot.mean(drawn, result, results));
                continue;
            }
            for (Series series : drawn) {
                unit = series.unit();
                Line line = plot.line(series, result, results);
                lines.add(line);
                plot.limits(series.name(), result, definitions)
                        .forEach(limit -> limits.add(limit.withLine(line)));
            }
        }
        String of = isOne ? first() : kind();
        return new Figure(
                        SweepFigures.word("time-" + of),
                        of + " over time",
                        layout().logX()
                                ? new Axis(TIME, "us", true)
                                : OverTime.axis(definitions.values()),
                        new Axis(of, unit, layout().logY()),
                        lines,
                        claim,
                        "")
                .withLimits(limits);
    }

    private List<Limit> limits() {
        return Keys.Mark.limits(said.limits());
    }

    private List<Limit> limits(
            String series, CellResult result, Map<Cell, Definition> definitions) {
        int blank = series.indexOf(' ');
        return said.limits().isEmpty() && blank > 0
                ? OverTime.limits(series.substring(0, blank), result, definitions)
                        .apply(series.substring(blank + 1))
                : limits();
    }

    /** What is in front of the last word, of the first series. */
    private String kind() {
        int blank = first().lastIndexOf(' ');
        return blank < 0 ? first() : first().substring(0, blank);
    }

    private List<Series> drawn(CellResult result) {
        return y().stream()
                .flatMap(name ->
                        result.outcomeOrThrow().series().stream()
                                .filter(series -> series.name().equals(name)))
                .toList();
    }

    /** The mean of series of a run, within a band from the least to the largest. */
    private Line mean(List<Series> all, CellResult result, List<CellResult> results) {
        // Beds of real frames may have taken a last sample of some alone.
        int length = all.stream().mapToInt(one -> one.values().length).min().orElse(0);
        double[] times = Arrays.copyOf(all.getFirst().timesUs(), length);
        double[] mean = new double[times.length];
        double[] least = new double[times.length];
        double[] most = new double[times.length];
        for (int i = 0; i < times.length; i++) {
            int at = i;
            DoubleSummaryStatistics of =
                    all.stream().mapToDouble(one -> one.values()[at]).summaryStatistics();
            mean[i] = of.getAverage();
            least[i] = of.getMin();
            most[i] = of.getMax();
        }
        String name = SweepFigures.named("mean", layout().facet(), results, result);
        return new Line(name, Style.LINE, times, mean, least, most, "")
                .withPanel(SweepFigures.panel(layout().facet(), result));
    }

    private Line line(Series series, CellResult result, List<CellResult> results) {
        String shown =
                y().size() == 1
                        ? series.name()
                        : series.name().substring(series.name().lastIndexOf(' ') + 1);
        return SweepFigures.overTime(shown, layout().facet(), series, results, result);
    }
}
