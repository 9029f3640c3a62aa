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
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Describes a figure to Lets-Plot: one plot as nested maps. */
final class PlotSpec {
    /** Lets-Plot's paddings are fixed numbers of units and look too big at one to a point. */
    static final double UNITS_PER_POINT = 2;

    private static final double TITLE = 8;
    private static final double STRIP = 7.5;
    private static final double SMALL = 7;

    /** Width of a line of one point, in Lets-Plot's sizes. */
    private static final double LINE = UNITS_PER_POINT / 2.2;

    /** What the bars of one place take of the distance to the next. */
    private static final double BARS_WIDTH = 0.7;

    private static final double MARKER = 2.7 * LINE;
    private static final double KEY = 30;
    private static final int LEGEND_LETTERS = 30;
    private static final int POINTS_PER_POINT = 2;
    private static final int MARKED = 25;
    private static final int MARK_ROWS = 2;

    /** More limits of single lines hide what they are limits of. */
    private static final int MOST_LIMITS = 3;

    /** Above this share of a panel names of marks and of limits meet. */
    private static final double TOP = 0.7;

    private static final double ROOM_FOR_MARKS = 1.2;
    private static final double ROOM_FOR_NAME = 1.06;
    private static final List<Integer> SHAPES = List.of(21, 22, 23, 24, 25, 21, 22);

    /** A marker that is not seen on a line. */
    private static final int DOT = 46;

    private static final List<Style> STROKED = List.of(Style.LINE, Style.STEP);

    /** Told apart without colours, and one above another shows it; a formula has the last. */
    private static final List<String> STROKES =
            List.of("solid", "longdash", "dotted", "twodash", "dotdash", "dashed", "dashed");

    private static final String X = "x";
    private static final String Y = "y";
    private static final String LOW = "low";
    private static final String HIGH = "high";
    private static final String SERIES = "series";
    private static final String PANEL = "panel";
    private static final String PART = "part";
    private static final String COLOR = "color";
    private static final String FILL = "fill";
    private static final String SHAPE = "shape";
    private static final String SIZE = "size";
    private static final String GEOM = "geom";
    private static final String SHOW_LEGEND = "show_legend";
    private static final String RANGE = "linerange";
    private static final String BLANK = "blank";
    private static final String LINETYPE = "linetype";

    private final Figure figure;
    private final Panels panels;
    private final List<Limit> limits;
    private final List<Placed> drawn = new ArrayList<>();
    private final Map<String, String> strips = new HashMap<>();
    private final boolean named;
    private final int legendColumns;
    private final Sheet sheet;
    private final Scale horizontal;
    private final Scale vertical;
    private final List<String> colours;

    PlotSpec(Figure given, Column asked) {
        Figure.Print print = given.print();
        Column column = print.columns() > 0 ? Column.of(print.columns()) : asked;
        figure = given.along(given.x().words().stream().map(print::shown).toList());
        this.panels = Panels.of(figure);
        this.limits =
                figure.limits().stream().filter(limit -> Double.isFinite(limit.value())).toList();
        // A bar with its own name below it needs no other.
        this.named = panels.series().size() > 1 && !figure.x().words().containsAll(panels.series());
        Sheet bare = Sheet.of(column, Math.max(1, panels.names().size()), 0);
        double widest =
                panels.series().stream()
                        .flatMap(name -> inLegend(name).lines())
                        .mapToDouble(line -> Typeface.width(line, SMALL) + KEY)
                        .max()
                        .orElse(1);
        int count = Math.max(1, panels.series().size());
        legendColumns = (int) Math.clamp(bare.width() * 0.95 / widest, 1, count);
        boolean isBroken = panels.series().stream().anyMatch(name -> isLong(name));
        int lines = named ? Math.ceilDiv(count, legendColumns) * (isBroken ? 2 : 1) : 0;
        sheet = Sheet.of(column, Math.max(1, panels.names().size()), lines);
        // An expected line has the colour of the line that it belongs to, thin and dashed.
        colours = Palette.colours(panels.series());
        int most = (int) (sheet.panelWidth() * POINTS_PER_POINT);
        for (Placed line : panels.lines()) {
            drawn.add(
                    new Placed(line.panel(), line.series(), Thinned.of(line.line(), figure, most)));
        }
        horizontal = horizontalScale();
        vertical = verticalScale();
        for (int i = 0; i < panels.names().size(); i++) {
            String text = panels.names().get(i);
            String strip = "(" + (char) ('a' + i) + ") " + text;
            strips.put(text, Typeface.fitting(strip, STRIP, sheet.panelWidth() - 4));
        }
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

    private boolean isCut(double value) {
        return value * vertical.factor() > vertical.high();
    }

    private boolean hasMarkers() {
        return drawn.stream()
                .anyMatch(line ->
                        line.line().style() == Style.POINTS || line.line().x().length <= MARKED);
    }

    /** What belongs into the caption. */
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

    /** The plot. */
    Map<String, Object> toMap() {
        Map<String, Object> plot = new LinkedHashMap<>();
        plot.put("kind", "plot");
        plot.put(
                "ggsize",
                Map.of(
                        "width", sheet.width() * UNITS_PER_POINT,
                        "height", sheet.height() * UNITS_PER_POINT));
        if (panels.names().size() > 1) {
            plot.put("facet", facet());
        }
        List<Map<String, Object>> layers = new ArrayList<>();
        shades(layers);
        layers.addAll(limits());
        List<Map<String, Object>> markNames = marks(layers);
        bars(layers);
        intervals(layers);
        lines(layers, Style.DASHED, "line", 0.65 * LINE);
        lines(layers, Style.LINE, "line", LINE);
        lines(layers, Style.STEP, "step", LINE);
        points(layers);
        layers.addAll(markNames);
        layers.addAll(limitNames());
        if (drawn.isEmpty()) {
            layers.add(note("nothing recorded"));
        }
        plot.put("layers", layers);
        plot.put("scales", scales());
        Map<String, Object> guide = guide();
        plot.put("guides", Map.of(COLOR, guide, FILL, guide, SHAPE, guide, LINETYPE, guide));
        plot.put("theme", theme());
        return plot;
    }

    private Map<String, Object> guide() {
        return Map.of("name", "legend", "ncol", legendColumns);
    }

    private Map<String, Object> facet() {
        return Map.of(
                "name", "wrap",
                "facets", List.of(PANEL),
                "ncol", sheet.columnsOfPanels(),
                "order", List.of(1));
    }

    /** Columns of data: a row for each point. */
    private final class Rows {
        private final Map<String, List<Object>> columns = new LinkedHashMap<>();

        void add(String column, Object value) {
            columns.computeIfAbsent(column, _ -> new ArrayList<>()).add(value);
        }

        boolean isEmpty() {
            return columns.isEmpty();
        }

        void head(Placed line) {
            add(SERIES, inLegend(line.series()));
            add(PANEL, strips.getOrDefault(line.panel(), ""));
        }
    }

    private static boolean isLong(String name) {
        return name.length() > LEGEND_LETTERS;
    }

    /**
     * A name for the legend. Lets-Plot breaks names of more than thirty letters, also within words,
     * but neither at no-break spaces nor if they have two lines already. The second line has what
     * belongs to one run.
     */
    private static String inLegend(String name) {
        if (!isLong(name)) {
            return name.replace(' ', '\u00a0');
        }
        int run = name.indexOf(" (");
        int middle = name.lastIndexOf(' ', name.length() / 2 + 4);
        int at = run > 0 ? run : middle;
        return at < 0
                ? name
                : (name.substring(0, at) + "\n" + name.substring(at + 1)).replace(' ', '\u00a0');
    }

    private static Map<String, Object> layer(String geom, Rows rows, Map<String, ?> mapping) {
        Map<String, Object> layer = new LinkedHashMap<>();
        layer.put(GEOM, geom);
        layer.put("data", rows.columns);
        layer.put("mapping", mapping);
        layer.put("sampling", "none");
        layer.put("tooltips", "none");
        return layer;
    }

    private void lines(List<Map<String, Object>> layers, Style style, String geom, double size) {
        Rows rows = new Rows();
        boolean stepping = geom.equals("step");
        int part = 0;
        for (Placed line : drawn) {
            if (line.line().style() == style) {
                Line of = line.line();
                double shift = stepping ? halfStep(of) : 0;
                for (int i = 0; i < of.x().length; i++) {
                    if (!vertical.shows(of.y()[i])) {
                        part++;
                        continue;
                    }
                    if (i > 0 && isCut(of.y()[i - 1]) != isCut(of.y()[i])) {
                        double end = vertical.high() / vertical.factor();
                        double share = (end - of.y()[i - 1]) / (of.y()[i] - of.y()[i - 1]);
                        double at = of.x()[i - 1] + share * (of.x()[i] - of.x()[i - 1]);
                        add(rows, line, part, at - shift, end);
                    }
                    if (isCut(of.y()[i])) {
                        part++;
                        continue;
                    }
                    add(rows, line, part, of.x()[i] - shift, of.y()[i]);
                    if (stepping && i == of.x().length - 1) {
                        add(rows, line, part, of.x()[i] + shift, of.y()[i]);
                    }
                }
                part++;
            }
        }
        if (rows.isEmpty()) {
            return;
        }
        Map<String, String> mapping =
                Map.of(X, X, Y, Y, COLOR, SERIES, LINETYPE, SERIES, "group", PART);
        Map<String, Object> layer = layer(geom, rows, mapping);
        layer.put(SIZE, size);
        layers.add(layer);
    }

    private void add(Rows rows, Placed line, int part, double x, double y) {
        rows.head(line);
        rows.add(PART, part);
        rows.add(X, Math.clamp(x * horizontal.factor(), horizontal.low(), horizontal.high()));
        rows.add(Y, y * vertical.factor());
    }

    /** Half of an interval; 0 where there are too many for a step to be seen. */
    private static double halfStep(Line line) {
        double[] x = line.x();
        return x.length < 2 || x.length > Thinned.STEPS ? 0 : (x[1] - x[0]) / 2;
    }

    private void intervals(List<Map<String, Object>> layers) {
        Rows ribbons = new Rows();
        Rows ranges = new Rows();
        Rows onBars = new Rows();
        for (Placed line : drawn) {
            Line of = line.line();
            for (int i = 0; of.hasInterval() && i < of.x().length; i++) {
                if (vertical.shows(of.low()[i]) && vertical.shows(of.high()[i])) {
                    int most = of.style() == Style.POINTS ? 4 * MARKED : MARKED;
                    boolean points = of.x().length <= most;
                    Rows rows = of.style() == Style.BARS ? onBars : points ? ranges : ribbons;
                    rows.head(line);
                    rows.add(X, middle(line, i) * horizontal.factor());
                    rows.add(LOW, of.low()[i] * vertical.factor());
                    rows.add(HIGH, of.high()[i] * vertical.factor());
                }
            }
        }
        if (!ribbons.isEmpty()) {
            Map<String, Object> layer =
                    layer("ribbon", ribbons, Map.of(X, X, "ymin", LOW, "ymax", HIGH, FILL, SERIES));
            layer.putAll(Map.of("alpha", 0.18, SIZE, 0, SHOW_LEGEND, false));
            layers.add(layer);
        }
        if (!ranges.isEmpty()) {
            Map<String, Object> layer =
                    layer(RANGE, ranges, Map.of(X, X, "ymin", LOW, "ymax", HIGH, COLOR, SERIES));
            layer.putAll(Map.of(SIZE, 0.7 * LINE, SHOW_LEGEND, false));
            layers.add(layer);
        }
        if (!onBars.isEmpty()) {
            // In their bar's colour their lower half would not be seen.
            Map<String, Object> layer =
                    layer(RANGE, onBars, Map.of(X, X, "ymin", LOW, "ymax", HIGH));
            layer.putAll(Map.of(SIZE, LINE, COLOR, Palette.LIMIT, SHOW_LEGEND, false));
            layers.add(layer);
        }
    }

    /** Bars of one place are next to each other, in the order of their series. */
    private void bars(List<Map<String, Object>> layers) {
        Rows rows = new Rows();
        for (Placed line : drawn) {
            Line of = line.line();
            for (int i = 0; of.style() == Style.BARS && i < of.x().length; i++) {
                if (Double.isFinite(of.y()[i])) {
                    double half = BARS_WIDTH / seriesAt(line, of.x()[i]).size() / 2 - 0.02;
                    double middle = middle(line, i);
                    rows.head(line);
                    rows.add("left", middle - half);
                    rows.add("right", middle + half);
                    rows.add(LOW, 0.0);
                    rows.add(HIGH, of.y()[i] * vertical.factor());
                }
            }
        }
        if (!rows.isEmpty()) {
            Map<String, String> mapping =
                    Map.of(
                            "xmin", "left", "xmax", "right", "ymin", LOW, "ymax", HIGH, FILL,
                            SERIES);
            Map<String, Object> layer = layer("rect", rows, mapping);
            layer.put(SIZE, 0);
            layers.add(layer);
        }
    }

    /** Where a point is: that of a bar is the bar's middle. */
    private double middle(Placed line, int point) {
        double x = line.line().x()[point];
        if (line.line().style() != Style.BARS) {
            return x;
        }
        List<String> here = seriesAt(line, x);
        return x + BARS_WIDTH * ((here.indexOf(line.series()) + 0.5) / here.size() - 0.5);
    }

    /** The bars at a place of the panel that a line is in. */
    private List<String> seriesAt(Placed of, double x) {
        return drawn.stream()
                .filter(line -> line.line().style() == Style.BARS)
                .filter(line -> line.panel().equals(of.panel()))
                .filter(line -> Arrays.stream(line.line().x()).anyMatch(at -> at == x))
                .map(Placed::series)
                .distinct()
                .toList();
    }

    /** What is not measured, in each panel. */
    private void shades(List<Map<String, Object>> layers) {
        Rows rows = new Rows();
        double from = figure.shade().from() * horizontal.factor();
        double until = figure.shade().until() * horizontal.factor();
        for (String panel : panels.names()) {
            if (from > horizontal.low()) {
                shade(rows, panel, horizontal.low(), Math.min(from, horizontal.high()));
            }
            if (until < horizontal.high()) {
                shade(rows, panel, Math.max(until, horizontal.low()), horizontal.high());
            }
        }
        if (!rows.isEmpty()) {
            Map<String, Object> layer =
                    layer(
                            "rect",
                            rows,
                            Map.of("xmin", "left", "xmax", "right", "ymin", LOW, "ymax", HIGH));
            layer.putAll(Map.of(FILL, Palette.GRID, "alpha", 0.6, SIZE, 0, SHOW_LEGEND, false));
            layers.add(layer);
        }
    }

    private void shade(Rows rows, String panel, double left, double right) {
        rows.add(PANEL, strips.getOrDefault(panel, ""));
        rows.add("left", left);
        rows.add("right", right);
        rows.add(LOW, vertical.low());
        rows.add(HIGH, vertical.high());
    }

    private void points(List<Map<String, Object>> layers) {
        Rows rows = new Rows();
        for (Placed line : drawn) {
            Line of = line.line();
            for (int i = 0; isMarked(of) && i < of.x().length; i++) {
                if (vertical.shows(of.y()[i])) {
                    rows.head(line);
                    rows.add(X, of.x()[i] * horizontal.factor());
                    rows.add(Y, of.y()[i] * vertical.factor());
                }
            }
        }
        if (!rows.isEmpty()) {
            Map<String, String> mapping = Map.of(X, X, Y, Y, COLOR, SERIES, SHAPE, SERIES);
            Map<String, Object> layer = layer("point", rows, mapping);
            layer.putAll(Map.of(SIZE, MARKER, "stroke", 0.6 * LINE, FILL, "white"));
            layers.add(layer);
        }
    }

    private List<Map<String, Object>> limits() {
        List<Map<String, Object>> layers = new ArrayList<>();
        for (String panel : panels.names()) {
            for (Limit limit : limitsOf(panel)) {
                Rows rows = new Rows();
                rows.add(PANEL, strips.getOrDefault(panel, ""));
                rows.add(Y, limit.value() * vertical.factor());
                Map<String, Object> layer = layer("hline", rows, Map.of("yintercept", Y));
                layer.putAll(Map.of(COLOR, Palette.LIMIT, SIZE, LINE / 2, LINETYPE, "dashed"));
                layer.put(SHOW_LEGEND, false);
                layers.add(layer);
            }
        }
        return layers;
    }

    /** Those of all lines, and those of lines that are there; each only once. */
    private List<Limit> limitsOf(String panel) {
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

    /** Those that say them: where they are the same in all it is the first. */
    private List<String> panelsWithLimits() {
        boolean same = panels.names().stream().map(this::limitsOf).distinct().count() == 1;
        return same ? panels.names().subList(0, 1) : panels.names();
    }

    /**
     * Upright lines; their names, returned, are at the top, right of them or left, those without
     * room in a second row.
     */
    private List<Map<String, Object>> marks(List<Map<String, Object>> layers) {
        List<Map<String, Object>> names = new ArrayList<>();
        double[] free = new double[MARK_ROWS];
        double end = 1 - limitsAtTop();
        for (Limit mark : figure.marks()) {
            double place = horizontal.place(mark.value() * horizontal.factor());
            if (place < 0 || place > 1) {
                continue;
            }
            Map<String, Object> layer = new LinkedHashMap<>();
            layer.put(GEOM, "vline");
            layer.put("xintercept", mark.value() * horizontal.factor());
            layer.putAll(Map.of(COLOR, Palette.LIMIT, SIZE, LINE / 2, LINETYPE, "dotted"));
            layer.put("data", Map.of("z", List.of(0)));
            layers.add(layer);
            double width = width(mark.name());
            for (int row = 0; row < MARK_ROWS; row++) {
                double up = 0.98 - 0.09 * row;
                if (place >= free[row] && place + width <= end) {
                    free[row] = place + width;
                    names.add(text(firstPanel(), mark.name(), place + 0.006, up, 0, 1));
                    break;
                }
                if (place - width >= free[row] && place <= end) {
                    free[row] = place;
                    names.add(text(firstPanel(), mark.name(), place - 0.006, up, 1, 1));
                    break;
                }
            }
        }
        return names;
    }

    /** What names of limits take of the width where those of marks are. */
    private double limitsAtTop() {
        return limits.stream()
                .filter(limit -> vertical.place(limit.value() * vertical.factor()) > TOP)
                .mapToDouble(limit -> width(limit.name()))
                .max()
                .orElse(0);
    }

    private double width(String name) {
        return (Typeface.width(name, SMALL) + 6) / sheet.panelWidth();
    }

    /** Names stand above their lines at the right, and below them where the next one is close. */
    private List<Map<String, Object>> limitNames() {
        return panelsWithLimits().stream().flatMap(panel -> limitNames(panel).stream()).toList();
    }

    private List<Map<String, Object>> limitNames(String panel) {
        List<Map<String, Object>> layers = new ArrayList<>();
        List<Limit> ordered =
                limitsOf(panel).stream()
                        .sorted(Comparator.comparingDouble(Limit::value).reversed())
                        .toList();
        double taken = 2;
        for (int i = 0; i < ordered.size(); i++) {
            double place = vertical.place(ordered.get(i).value() * vertical.factor());
            double letters = 1.25 * SMALL / sheet.panelHeight();
            boolean above = place + letters < Math.min(1, taken);
            double at = above ? place + 0.025 : place - 0.015;
            if (at - (above ? 0 : letters) < 0 || (!above && place > taken)) {
                continue;
            }
            taken = above ? place : place - letters;
            layers.add(text(panel, ordered.get(i).name(), 0.985, at, 1, above ? 0 : 1));
        }
        return layers;
    }

    private Map<String, Object> note(String words) {
        return text(firstPanel(), words, 0.5, 0.5, 0.5, 0.5);
    }

    private String firstPanel() {
        return panels.names().isEmpty() ? "" : panels.names().getFirst();
    }

    private Map<String, Object> text(
            String panel, String words, double right, double up, double hjust, double vjust) {
        Rows rows = new Rows();
        rows.add(X, horizontal.at(right));
        rows.add(Y, vertical.at(up));
        rows.add("label", words);
        rows.add(PANEL, strips.getOrDefault(panel, ""));
        // Curves shine through, and do not cross out what is said.
        Map<String, Object> layer = layer("label", rows, Map.of(X, X, Y, Y, "label", "label"));
        layer.putAll(Map.of(FILL, "white", "alpha", 0.8, "label_size", 0, "label_padding", 0.1));
        layer.putAll(Map.of(SIZE, SMALL, "hjust", hjust, "vjust", vjust));
        layer.putAll(Map.of("family", Typeface.FAMILIES, COLOR, Palette.LIMIT));
        layer.put(SHOW_LEGEND, false);
        return layer;
    }

    private List<Map<String, Object>> scales() {
        List<Map<String, Object>> scales = new ArrayList<>();
        scales.add(scale(X, horizontal));
        scales.add(scale(Y, vertical.titled(broken(vertical.title()))));
        List<String> names = panels.series().stream().map(PlotSpec::inLegend).toList();
        scales.add(Map.of("aesthetic", COLOR, "values", colours, "limits", names));
        scales.add(Map.of("aesthetic", FILL, "values", colours, "limits", names));
        List<Integer> shapes = new ArrayList<>();
        List<String> strokes = new ArrayList<>();
        int lines = 0;
        for (int i = 0; i < names.size(); i++) {
            String series = panels.series().get(i);
            shapes.add(hasAny(series, PlotSpec::isMarked) ? SHAPES.get(i) : DOT);
            boolean line = hasAny(series, of -> STROKED.contains(of.style()));
            boolean dashed = hasAny(series, of -> of.style() == Style.DASHED);
            strokes.add(line ? STROKES.get(lines++) : dashed ? "dashed" : BLANK);
        }
        scales.add(Map.of("aesthetic", SHAPE, "values", shapes, "limits", names));
        scales.add(Map.of("aesthetic", LINETYPE, "values", strokes, "limits", names));
        return scales;
    }

    /** Whether any line of a series is such: its key in the legend shows no more than that. */
    private boolean hasAny(String series, Predicate<Line> such) {
        return drawn.stream()
                .anyMatch(line -> line.series().equals(series) && such.test(line.line()));
    }

    private static boolean isMarked(Line line) {
        return line.style() == Style.POINTS
                || (line.style() == Style.LINE && line.x().length <= MARKED);
    }

    /** A title that is longer than its axis, in two lines. */
    private String broken(String title) {
        double room = sheet.panelHeight();
        int middle = title.lastIndexOf(' ', title.length() / 2 + 4);
        return Typeface.width(title, TITLE) <= room || middle < 0
                ? title
                : title.substring(0, middle) + "\n" + title.substring(middle + 1);
    }

    private static Map<String, Object> scale(String aesthetic, Scale of) {
        Map<String, Object> scale = new LinkedHashMap<>();
        scale.put("aesthetic", aesthetic);
        scale.put("name", of.title());
        if (of.logarithmic()) {
            scale.put("trans", "log10");
        }
        // Lets-Plot leaves a tick out that its rounding puts beyond the end.
        scale.put("limits", List.of(of.low(), of.at(1 + 1e-6)));
        scale.put("expand", List.of(0, 0));
        scale.put("breaks", of.breaks());
        scale.put("labels", of.labels());
        return scale;
    }

    private Map<String, Object> theme() {
        Map<String, Object> theme = new LinkedHashMap<>();
        theme.put("name", "classic");
        theme.put("text", letters(SMALL));
        theme.put("plot_background", BLANK);
        theme.put("panel_background", BLANK);
        theme.put("panel_border", stroke(Palette.INK, 1));
        // Above the names of panels there is an empty band: a legend below leaves it out.
        boolean several = panels.names().size() > 1;
        int top = several ? -12 : named ? -8 : 4;
        theme.put("plot_margin", Map.of("t", top, "r", 10, "b", 2, "l", 2));
        theme.put("axis_line", BLANK);
        theme.put("axis_ticks", stroke(Palette.INK, 1));
        theme.put("axis_ticks_length", 5);
        theme.put("axis_text_x", Map.of("angle", 0, BLANK, false));
        theme.put("axis_text", letters(SMALL));
        theme.put("axis_title", letters(TITLE));
        theme.put("panel_grid_major", stroke(Palette.GRID, 0.7));
        theme.put("panel_grid_minor", BLANK);
        theme.put("strip_background", BLANK);
        theme.put("strip_text", letters(STRIP));
        theme.put("legend_background", BLANK);
        theme.put("legend_title", BLANK);
        theme.put("legend_text", letters(SMALL));
        theme.put("legend_position", !named ? "none" : several ? "bottom" : "top");
        theme.put("legend_direction", "horizontal");
        theme.put("axis_tooltip", BLANK);
        if (!figure.x().words().isEmpty()) {
            theme.put("panel_grid_major_x", BLANK);
            theme.put("axis_ticks_x", BLANK);
        }
        return theme;
    }

    private static Map<String, Object> letters(double points) {
        return Map.of(
                SIZE,
                points * UNITS_PER_POINT,
                COLOR,
                Palette.INK,
                "family",
                Typeface.FAMILIES,
                BLANK,
                false);
    }

    private static Map<String, Object> stroke(String colour, double size) {
        return Map.of(COLOR, colour, SIZE, size, BLANK, false);
    }

    /** Exactly what is drawn, in the units of the axes. */
    String csv() {
        StringBuilder csv = new StringBuilder();
        Csv.row(csv, PANEL, SERIES, horizontal.title(), vertical.title(), LOW, HIGH);
        for (Placed line : drawn) {
            Line of = line.line();
            for (int i = 0; i < of.x().length; i++) {
                boolean whole = of.hasInterval();
                Csv.row(
                        csv,
                        line.panel(),
                        line.series(),
                        Csv.rounded(of.x()[i] * horizontal.factor()),
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
