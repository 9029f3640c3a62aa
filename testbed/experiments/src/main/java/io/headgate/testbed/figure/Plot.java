package io.headgate.testbed.figure;

import io.headgate.testbed.figure.Panels.Placed;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The layout of a figure: the lines that are drawn, their panels, axes and colours. */
final class Plot {
    /** Font sizes: of an axis's title, of a panel's name, of other text. */
    static final double TITLE = 8;

    static final double STRIP = 7.5;
    static final double SMALL = 7;

    /** A line of at most this number of points also has markers. */
    static final int MARKED = 25;

    /** Width of a key with its gaps in a legend. */
    static final double KEY = 28;

    private static final int LEGEND_LETTERS = 30;
    private static final int POINTS_PER_POINT = 2;

    /** More limits of single lines hide what they are limits of. */
    private static final int MOST_LIMITS = 3;

    private static final double ROOM_FOR_MARKS = 1.2;
    private static final double ROOM_FOR_NAME = 1.06;

    final Figure figure;
    private final Panels panels;
    final List<Limit> limits;
    final List<Placed> drawn = new ArrayList<>();
    private final boolean named;
    final int legendColumns;
    final Sheet sheet;
    final Scale horizontal;
    final Scale vertical;
    private final List<String> colours;

    Plot(Figure given, Column asked) {
        Figure.Print print = given.print();
        Column column = print.columns() > 0 ? Column.of(print.columns()) : asked;
        figure =
                given.withX(
                        given.x().withWords(given.x().words().stream().map(print::shown).toList()));
        this.panels = Panels.of(figure);
        this.limits =
                figure.limits().stream().filter(limit -> Double.isFinite(limit.value())).toList();
        // A bar with its own name below it needs no other.
        this.named = panels.series().size() > 1 && !figure.x().words().containsAll(panels.series());
        Sheet bare = Sheet.of(column, Math.max(1, panels.names().size()), 0);
        double widest = legend().stream().mapToDouble(Plot::legendWidth).max().orElse(1);
        int count = Math.max(1, panels.series().size());
        legendColumns = (int) Math.clamp(bare.width() * 0.95 / widest, 1, count);
        sheet = Sheet.of(column, Math.max(1, panels.names().size()), legendLines());
        // An expected line has the colour of the line that it belongs to, thin and dashed.
        colours = Palette.colours(panels.series());
        int most = (int) (sheet.panelWidth() * POINTS_PER_POINT);
        for (Placed line : panels.lines()) {
            drawn.add(
                    new Placed(line.panel(), line.series(), Thinned.of(line.line(), figure, most)));
        }
        horizontal = horizontalScale();
        vertical = verticalScale();
    }

    /** Names of the panels; a single empty one if there is only one panel. */
    List<String> panelNames() {
        return panels.names().isEmpty() ? List.of("") : panels.names();
    }

    List<String> series() {
        return panels.series();
    }

    String colour(String series) {
        return colours.get(panels.series().indexOf(series));
    }

    /** The legend's text for each series, in one line or two; empty: no legend. */
    List<List<String>> legend() {
        return named ? panels.series().stream().map(Plot::inLegend).toList() : List.of();
    }

    /** Height of the legend in lines of text. */
    int legendLines() {
        int high = legend().stream().mapToInt(List::size).max().orElse(0);
        return Math.ceilDiv(legend().size(), legendColumns) * high;
    }

    /** Width of an entry with its key. */
    static double legendWidth(List<String> entry) {
        return KEY
                + entry.stream().mapToDouble(line -> Typeface.width(line, SMALL)).max().orElse(0);
    }

    /** A name for the legend: the second line has what belongs to one run. */
    private static List<String> inLegend(String name) {
        int run = name.indexOf(" (");
        int middle = name.lastIndexOf(' ', name.length() / 2 + 4);
        int at = run > 0 ? run : middle;
        return name.length() <= LEGEND_LETTERS || at < 0
                ? List.of(name)
                : List.of(name.substring(0, at), name.substring(at + 1));
    }

    private Scale horizontalScale() {
        double[] all = drawn.stream().flatMapToDouble(l -> Arrays.stream(l.line().x())).toArray();
        int most = (int) Math.clamp(sheet.panelWidth() / 26, 3, 6);
        Scale.Range range = Scale.Range.of(all);
        Scale scale = Scale.horizontal(figure.x(), range, most);
        Scale roomy = hasMarkers() && figure.x().words().isEmpty() ? scale.withRoom(range) : scale;
        return sheet.columnsOfPanels() > 1 ? roomy.withoutLast() : roomy;
    }

    private Scale verticalScale() {
        Scale.Range range =
                Scale.Range.of(
                        drawn.stream()
                                .map(Placed::line)
                                .flatMap(line -> Stream.of(line.y(), line.low(), line.high()))
                                .flatMapToDouble(Arrays::stream)
                                .toArray());
        double highest =
                panels.names().stream()
                        .flatMap(panel -> limitsOf(panel).stream())
                        .mapToDouble(Limit::value)
                        .max()
                        .orElse(0);
        double room = figure.marks().isEmpty() ? 1 : ROOM_FOR_MARKS;
        // A limit has its name above it.
        return Scale.vertical(
                figure.y(),
                range.upTo(highest * ROOM_FOR_NAME).higher(room),
                panels.has(Style.BARS) ? 0 : hasMarkers() ? Scale.BESIDE : Scale.BELOW);
    }

    private double highest() {
        return drawn.stream()
                .flatMapToDouble(line -> Arrays.stream(line.line().y()))
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    /** Whether a value is above the end of an axis that is cut. */
    boolean isCut(double value) {
        return value * vertical.factor() > vertical.high();
    }

    private boolean hasMarkers() {
        return drawn.stream()
                .anyMatch(line ->
                        line.line().style() == Style.POINTS || line.line().x().length <= MARKED);
    }

    /** Notes for the caption. */
    List<String> notes() {
        List<String> notes = new ArrayList<>(panels.notes());
        DoubleSummaryStatistics steps =
                drawn.stream()
                        .map(Placed::line)
                        .filter(line -> line.style() == Style.STEP && line.x().length > 1)
                        .mapToDouble(line -> line.x()[1] - line.x()[0])
                        .summaryStatistics();
        if (steps.getCount() > 0) {
            String least = Numbers.shown(steps.getMin(), figure.x().unit());
            String most = Numbers.shown(steps.getMax(), figure.x().unit());
            notes.add(
                    least.equals(most)
                            ? "Means over " + most + "."
                            : "Means over intervals from " + least + " to " + most + ".");
        }
        if (!figure.shade().equals(Figure.Shade.NONE)) {
            notes.add(
                    "Measured from "
                            + Numbers.shown(figure.shade().from(), figure.x().unit())
                            + " until "
                            + Numbers.shown(figure.shade().until(), figure.x().unit())
                            + "; the rest is shaded.");
        }
        double highest = highest();
        if (isCut(highest)) {
            notes.add(
                    "The axis is cut: at most there are "
                            + Numbers.shown(highest, figure.y().unit())
                            + ".");
        }
        return notes;
    }

    /** The limits of all lines, and those of this panel's lines; each only once. */
    List<Limit> limitsOf(String panel) {
        Set<Limit> ofLines = new LinkedHashSet<>();
        Set<Limit> ofAll = new LinkedHashSet<>();
        for (Limit limit : limits) {
            Line line = limit.line();
            if (line == null) {
                ofAll.add(limit);
            } else if (shows(panel, line)) {
                ofLines.add(new Limit(limit.name(), limit.value()));
            }
        }
        if (ofLines.size() <= MOST_LIMITS) {
            ofAll.addAll(ofLines);
        }
        return List.copyOf(ofAll);
    }

    private boolean shows(String panel, Line line) {
        Labels.Labelled wanted = Labels.split(line.name());
        return drawn.stream()
                .filter(placed -> placed.panel().equals(panel))
                .map(Placed::line)
                .filter(one -> one.panel().equals(line.panel()))
                .map(one -> Labels.split(one.name()))
                .anyMatch(name ->
                        name.text().equals(wanted.text())
                                && name.withoutSeed().equals(wanted.withoutSeed()));
    }

    /** The panels that name their limits: only the first if all have the same ones. */
    List<String> panelsWithLimits() {
        boolean same = panels.names().stream().map(this::limitsOf).distinct().count() == 1;
        return same ? panels.names().subList(0, 1) : panels.names();
    }

    /** Whether any line of a series has a property, which its key in the legend must show. */
    boolean hasAny(String series, Predicate<Line> such) {
        return drawn.stream()
                .anyMatch(line -> line.series().equals(series) && such.test(line.line()));
    }

    static boolean isMarked(Line line) {
        return line.style() == Style.POINTS
                || (line.style() == Style.LINE && line.x().length <= MARKED);
    }

    /** The drawn data as CSV, in the units of the axes. */
    String csv() {
        StringBuilder csv = new StringBuilder();
        Csv.row(csv, "panel", "series", horizontal.title(), vertical.title(), "low", "high");
        List<String> words = figure.x().words();
        for (Placed line : drawn) {
            Line of = line.line();
            for (int i = 0; i < of.x().length; i++) {
                boolean whole = of.hasInterval();
                Csv.row(
                        csv,
                        line.panel(),
                        line.series(),
                        words.isEmpty()
                                ? Csv.rounded(of.x()[i] * horizontal.factor())
                                : words.get((int) Math.round(of.x()[i])),
                        Csv.rounded(of.y()[i] * vertical.factor()),
                        whole ? Csv.rounded(of.low()[i] * vertical.factor()) : "",
                        whole ? Csv.rounded(of.high()[i] * vertical.factor()) : "");
            }
        }
        List<String> limited = panelsWithLimits();
        for (String panel : limited) {
            for (Limit limit : limitsOf(panel)) {
                String value = Csv.rounded(limit.value() * vertical.factor());
                Csv.row(csv, limited.size() == 1 ? "" : panel, limit.name(), "", value, "", "");
            }
        }
        return csv.toString();
    }
}
