package io.headgate.testbed.scenario.file;

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

/** A figure that a scenario file asks for. */
record Plot(PlotEntry said, What what) {
    /** What is drawn. */
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

    /** What can be over time. */
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

    /** What is drawn: a measure, several series, or one name with a star. */
    List<String> y() {
        return said.y();
    }

    private SweepFigures.Layout layout() {
        boolean isOfParameter = what != What.SIZES && !TIME.equals(said.x());
        return new SweepFigures.Layout(
                isOfParameter ? said.x() : null,
                said.group(),
                said.facet(),
                said.log().contains(PlotEntry.Axis.X),
                said.log().contains(PlotEntry.Axis.Y));
    }

    /** Whether a recorded series of that name may be there: a kind and what it is of. */
    static boolean isSeries(String y) {
        int blank = y.indexOf(' ');
        return blank > 0 && SERIES.contains(y.substring(0, blank)) && !y.contains(" of ");
    }

    /** Whether it is of numbers that a run has one of, without a star. */
    boolean isMeasure() {
        return what == What.MEASURE;
    }

    private String first() {
        return y().getFirst();
    }

    /** Why there is nothing to draw, in a sentence; empty if there is. */
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
        return first()
                + " is not drawn: "
                + one
                + " has one value here, and "
                + (x == null ? "--set NAME=A,B" : "--set " + x + "=A,B")
                + " gives it several";
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
     * @param called what definitions call it
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
        return new Figure(
                        said.name().isEmpty() ? worded.name() : said.name(),
                        worded.title(),
                        worded.x(),
                        said.most() > 0 ? worded.y().cutAt(said.most()) : worded.y(),
                        worded.lines(),
                        what == What.MEASURE ? limits() : worded.limits(),
                        PlotEntry.Line.limits(said.marks()),
                        said.says().isEmpty() ? worded.paperSays() : said.says(),
                        worded.measured())
                .printed(new Figure.Print(said.width(), said.legend()));
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
                        .forEach(limit -> limits.add(limit.to(line)));
            }
        }
        String of = isOne ? first() : kind();
        return new Figure(
                SweepFigures.word("time-" + of),
                of + " over time",
                layout().logX() ? new Axis(TIME, "us", true) : OverTime.axis(definitions.values()),
                new Axis(of, unit, layout().logY()),
                lines,
                limits,
                claim,
                "");
    }

    private List<Limit> limits() {
        return PlotEntry.Line.limits(said.limits());
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
        return new Line(name, Style.LINE, times, mean, least, most)
                .in(SweepFigures.panel(layout().facet(), result));
    }

    private Line line(Series series, CellResult result, List<CellResult> results) {
        String shown =
                y().size() == 1
                        ? series.name()
                        : series.name().substring(series.name().lastIndexOf(' ') + 1);
        String name = SweepFigures.named(shown, layout().facet(), results, result);
        int blank = series.name().indexOf(' ');
        String kind = blank < 0 ? series.name() : series.name().substring(0, blank);
        return Line.of(name, SweepFigures.overTime(results, result, kind), series)
                .in(SweepFigures.panel(layout().facet(), result));
    }
}
