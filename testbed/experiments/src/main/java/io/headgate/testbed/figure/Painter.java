package io.headgate.testbed.figure;

import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Style;
import java.awt.geom.Path2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Draws a plot: frames and axes, their contents, names, and a legend. Lengths are in points. */
final class Painter {
    private static final double EDGE = 2;
    private static final double TICK = 2.5;
    private static final double GAP = 2;
    private static final double BETWEEN = 7;
    private static final double FRAME = 0.5;
    private static final double GRID = 0.35;
    private static final double SAMPLE = 16;
    private static final double SHADE = 0.6;
    private static final double VEIL = 0.8;

    /** Shares of a letter's size: line to line, its height, what hangs below, its middle. */
    private static final double LEADING = 1.17;

    private static final double ASCENT = 0.75;
    private static final double DESCENT = 0.22;
    private static final double MIDDLE = 0.35;

    private static final List<Double> DASHED = List.of(3.0, 2.0);
    private static final List<Double> DOTTED = List.of(0.8, 1.4);
    private static final int MARK_ROWS = 2;

    /** Above this share of a panel names of marks and of limits meet. */
    private static final double TOP = 0.7;

    private final Plot plot;
    private final List<Ink> ink = new ArrayList<>();
    private final List<List<String>> words;
    private final List<String> title;
    private final List<Pane> panes;

    private Painter(Plot plot) {
        this.plot = plot;
        title = broken(plot.vertical.title());
        words = words();
        panes = panes();
    }

    static Drawing paint(Plot plot) {
        Painter painter = new Painter(plot);
        painter.panes.forEach(painter::ground);
        painter.panes.forEach(pane -> Curves.paint(pane, painter.ink));
        painter.panes.forEach(painter::frame);
        painter.marks();
        painter.limitNames();
        if (plot.drawn.isEmpty()) {
            painter.note(painter.panes.getFirst(), "nothing recorded", 0.5, 0.5, 0.5, 0.5);
        }
        painter.axes();
        painter.legend();
        return new Drawing(plot.sheet.width(), plot.sheet.height(), painter.ink);
    }

    private List<String> broken(String text) {
        int middle = text.lastIndexOf(' ', text.length() / 2 + 4);
        return Typeface.width(text, Plot.TITLE) <= plot.sheet.panelHeight() || middle < 0
                ? List.of(text)
                : List.of(text.substring(0, middle), text.substring(middle + 1));
    }

    /** Labels of the horizontal axis; words that are wider than their place are broken. */
    private List<List<String>> words() {
        List<String> labels = plot.horizontal.labels();
        if (plot.figure.x().words().isEmpty()) {
            return labels.stream().map(List::of).toList();
        }
        double room = plot.sheet.panelWidth() / labels.size() - GAP;
        return labels.stream().map(label -> wrapped(label, room)).toList();
    }

    private static List<String> wrapped(String text, double room) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            String longer = line + (line.isEmpty() ? "" : " ") + word;
            if (!line.isEmpty() && Typeface.width(longer, Plot.SMALL) > room) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines.stream().map(one -> Typeface.fitting(one, Plot.SMALL, room)).toList();
    }

    private List<Pane> panes() {
        Sheet sheet = plot.sheet;
        int count = plot.panelNames().size();
        int across = sheet.columnsOfPanels();
        int rows = Math.ceilDiv(count, across);
        boolean isNamed = count > 1;
        double strip = isNamed ? Plot.STRIP * LEADING + GAP : 0;
        double left = EDGE + title.size() * Plot.TITLE * LEADING + GAP + widestTick() + GAP + TICK;
        double top = isNamed ? EDGE + strip : EDGE + GAP + legendHeight();
        double bottom =
                TICK
                        + GAP
                        + lines() * Plot.SMALL * LEADING
                        + GAP
                        + Plot.TITLE * LEADING
                        + EDGE
                        + (isNamed ? legendHeight() : 0);
        double right = Math.max(EDGE + GAP, lastTick(left, across));
        double width = (sheet.width() - left - right - (across - 1) * BETWEEN) / across;
        double height = (sheet.height() - top - bottom - (rows - 1) * (strip + GAP)) / rows;
        return IntStream.range(0, count)
                .mapToObj(i ->
                        new Pane(
                                plot,
                                plot.panelNames().get(i),
                                left + i % across * (width + BETWEEN),
                                top + Math.floorDiv(i, across) * (height + strip + GAP),
                                width,
                                height))
                .toList();
    }

    private double widestTick() {
        return plot.vertical.labels().stream()
                .mapToDouble(label -> Typeface.width(label, Plot.SMALL))
                .max()
                .orElse(0);
    }

    /** What the last label of the horizontal axis sticks out of the last panel. */
    private double lastTick(double left, int across) {
        Scale scale = plot.horizontal;
        if (scale.labels().isEmpty() || !plot.figure.x().words().isEmpty()) {
            return 0;
        }
        double width = (plot.sheet.width() - left) / across;
        double inside = (1 - scale.place(scale.breaks().getLast())) * width;
        return Typeface.width(scale.labels().getLast(), Plot.SMALL) / 2 + 1 - inside;
    }

    private int lines() {
        return words.stream().mapToInt(List::size).max().orElse(1);
    }

    private double legendHeight() {
        int lines = plot.legendLines();
        return lines == 0 ? 0 : lines * Sheet.LEGEND_LINE;
    }

    /** Grid, what is not measured, and limits. */
    private void ground(Pane pane) {
        double from = plot.figure.shade().from();
        double until = plot.figure.shade().until();
        shade(pane, pane.left(), Double.isInfinite(from) ? pane.left() : pane.x(from));
        shade(pane, Double.isInfinite(until) ? pane.right() : pane.x(until), pane.right());
        Scale vertical = plot.vertical;
        for (double at : vertical.breaks()) {
            double y = pane.up(vertical.place(at));
            stroke(Pane.line(pane.left(), y, pane.right(), y), Palette.GRID, GRID);
        }
        Scale horizontal = plot.horizontal;
        for (double at :
                plot.figure.x().words().isEmpty() ? horizontal.breaks() : List.<Double>of()) {
            double x = pane.across(horizontal.place(at));
            stroke(Pane.line(x, pane.top(), x, pane.bottom()), Palette.GRID, GRID);
        }
        for (Limit limit : plot.limitsOf(pane.panel())) {
            double y = pane.y(limit.value());
            Path2D line = Pane.line(pane.left(), y, pane.right(), y);
            ink.add(Ink.Shape.stroked(line, Palette.LIMIT, FRAME, DASHED));
        }
        for (Limit mark : shownMarks()) {
            double x = pane.x(mark.value());
            Path2D line = Pane.line(x, pane.top(), x, pane.bottom());
            ink.add(Ink.Shape.stroked(line, Palette.LIMIT, FRAME, DOTTED));
        }
    }

    private void shade(Pane pane, double from, double until) {
        if (until > from) {
            Path2D area = Pane.rectangle(from, pane.top(), until, pane.bottom());
            ink.add(Ink.Shape.filled(area, Palette.GRID, SHADE));
        }
    }

    private void stroke(Path2D path, String colour, double width) {
        ink.add(Ink.Shape.stroked(path, colour, width, List.of()));
    }

    private void frame(Pane pane) {
        stroke(
                Pane.rectangle(pane.left(), pane.top(), pane.right(), pane.bottom()),
                Palette.INK,
                FRAME);
        if (panes.size() > 1) {
            int index = panes.indexOf(pane);
            String name = "(" + (char) ('a' + index) + ") " + pane.panel();
            text(
                    Typeface.fitting(name, Plot.STRIP, pane.width()),
                    pane.across(0.5),
                    pane.top() - GAP - DESCENT * Plot.STRIP,
                    Plot.STRIP,
                    0.5);
        }
    }

    private void text(String words, double x, double y, double points, double align) {
        ink.add(new Ink.Words(words, x, y, points, Palette.INK, align, false));
    }

    /** Ticks and their labels at the left and below, and what the axes are. */
    private void axes() {
        int across = plot.sheet.columnsOfPanels();
        for (int i = 0; i < panes.size(); i++) {
            if (i % across == 0) {
                ticksLeft(panes.get(i));
            }
            if (i + across >= panes.size()) {
                ticksBelow(panes.get(i));
            }
        }
        Pane first = panes.getFirst();
        Pane last = panes.getLast();
        double middle = (first.top() + last.bottom()) / 2;
        for (int line = 0; line < title.size(); line++) {
            double x = EDGE + ASCENT * Plot.TITLE + line * Plot.TITLE * LEADING;
            ink.add(new Ink.Words(title.get(line), x, middle, Plot.TITLE, Palette.INK, 0.5, true));
        }
        double center = (first.left() + panes.get(Math.min(across, panes.size()) - 1).right()) / 2;
        text(
                plot.horizontal.title(),
                center,
                last.bottom()
                        + TICK
                        + GAP
                        + lines() * Plot.SMALL * LEADING
                        + GAP
                        + ASCENT * Plot.TITLE,
                Plot.TITLE,
                0.5);
    }

    private void ticksLeft(Pane pane) {
        Scale scale = plot.vertical;
        for (int i = 0; i < scale.breaks().size(); i++) {
            double y = pane.up(scale.place(scale.breaks().get(i)));
            stroke(Pane.line(pane.left() - TICK, y, pane.left(), y), Palette.INK, FRAME);
            double x = pane.left() - TICK - GAP;
            text(scale.labels().get(i), x, y + MIDDLE * Plot.SMALL, Plot.SMALL, 1);
        }
    }

    private void ticksBelow(Pane pane) {
        Scale scale = plot.horizontal;
        for (int i = 0; i < scale.breaks().size(); i++) {
            double x = pane.across(scale.place(scale.breaks().get(i)));
            if (plot.figure.x().words().isEmpty()) {
                stroke(Pane.line(x, pane.bottom(), x, pane.bottom() + TICK), Palette.INK, FRAME);
            }
            double y = pane.bottom() + TICK + GAP + ASCENT * Plot.SMALL;
            for (String line : words.get(i)) {
                text(line, x, y, Plot.SMALL, 0.5);
                y += Plot.SMALL * LEADING;
            }
        }
    }

    private List<Limit> shownMarks() {
        return plot.figure.marks().stream()
                .filter(mark -> {
                    double place = place(mark);
                    return place >= 0 && place <= 1;
                })
                .toList();
    }

    private double place(Limit mark) {
        return plot.horizontal.place(mark.value() * plot.horizontal.factor());
    }

    /**
     * Names of upright lines, at the top, right of them or left, those without room in a second
     * row.
     */
    private void marks() {
        Pane first = panes.getFirst();
        double[] free = new double[MARK_ROWS];
        double end = 1 - limitsAtTop();
        for (Limit mark : shownMarks()) {
            double place = place(mark);
            double width = width(mark.name());
            for (int row = 0; row < MARK_ROWS; row++) {
                double up = 0.98 - row * LEADING * Plot.SMALL / first.height();
                if (place >= free[row] && place + width <= end) {
                    free[row] = place + width;
                    note(first, mark.name(), place + 0.006, up, 0, 1);
                    break;
                }
                if (place - width >= free[row] && place <= end) {
                    free[row] = place;
                    note(first, mark.name(), place - 0.006, up, 1, 1);
                    break;
                }
            }
        }
    }

    /** What names of limits take of the width where those of marks are. */
    private double limitsAtTop() {
        return plot.limits.stream()
                .filter(limit -> plot.vertical.place(limit.value() * plot.vertical.factor()) > TOP)
                .mapToDouble(limit -> width(limit.name()))
                .max()
                .orElse(0);
    }

    private double width(String name) {
        return (Typeface.width(name, Plot.SMALL) + 2 * GAP) / panes.getFirst().width();
    }

    /** Names stand above their lines at the right, and below them where the next one is close. */
    private void limitNames() {
        List<String> named = plot.panelsWithLimits();
        for (Pane pane : panes) {
            if (!named.contains(pane.panel())) {
                continue;
            }
            List<Limit> ordered =
                    plot.limitsOf(pane.panel()).stream()
                            .sorted(Comparator.comparingDouble(Limit::value).reversed())
                            .toList();
            double letters = 1.25 * Plot.SMALL / pane.height();
            double taken = 2;
            for (Limit limit : ordered) {
                double place = plot.vertical.place(limit.value() * plot.vertical.factor());
                boolean above = place + letters < Math.min(1, taken);
                double at = above ? place + 0.02 : place - 0.01;
                if (at - (above ? 0 : letters) < 0 || (!above && place > taken)) {
                    continue;
                }
                taken = above ? place : place - letters;
                note(pane, limit.name(), 0.985, at, 1, above ? 0 : 1);
            }
        }
    }

    /**
     * Words within a panel, on a veil: curves shine through, and do not cross out what is said.
     *
     * @param below what of the words is below the place: 0 nothing, 1 all
     */
    private void note(Pane pane, String said, double right, double up, double align, double below) {
        double size = Plot.SMALL;
        double x = pane.across(right);
        double lower = pane.up(up) + below * (ASCENT + DESCENT) * size;
        double left = x - align * Typeface.width(said, size);
        ink.add(
                Ink.Shape.filled(
                        Pane.rectangle(
                                left - 1,
                                lower - (ASCENT + DESCENT) * size,
                                left + Typeface.width(said, size) + 1,
                                lower),
                        "#FFFFFF",
                        VEIL));
        ink.add(new Ink.Words(said, x, lower - DESCENT * size, size, Palette.LIMIT, align, false));
    }

    /** A key and a name for each series, in rows: above a single panel, below several. */
    private void legend() {
        List<List<String>> entries = plot.legend();
        if (entries.isEmpty()) {
            return;
        }
        int columns = plot.legendColumns;
        double widest = entries.stream().mapToDouble(Plot::legendWidth).max().orElse(0);
        int high = entries.stream().mapToInt(List::size).max().orElse(1);
        double left = Math.max(EDGE, (plot.sheet.width() - columns * widest) / 2);
        double top = panes.size() > 1 ? plot.sheet.height() - EDGE - legendHeight() + GAP : EDGE;
        for (int i = 0; i < entries.size(); i++) {
            double x = left + i % columns * widest;
            double y = top + (Math.floorDiv(i, columns) + 0.5) * high * Sheet.LEGEND_LINE;
            key(plot.series().get(i), x, y);
            List<String> lines = entries.get(i);
            double first =
                    y + MIDDLE * Plot.SMALL - (lines.size() - 1) / 2.0 * Plot.SMALL * LEADING;
            for (int line = 0; line < lines.size(); line++) {
                double base = first + line * Plot.SMALL * LEADING;
                text(lines.get(line), x + SAMPLE + 2 * GAP, base, Plot.SMALL, 0);
            }
        }
    }

    private void key(String series, double left, double y) {
        String colour = plot.colour(series);
        double middle = left + SAMPLE / 2;
        if (plot.hasAny(series, line -> line.style() == Style.BARS)) {
            ink.add(
                    Ink.Shape.filled(
                            Pane.rectangle(middle - 3, y - 3, middle + 3, y + 3), colour, 1));
        }
        boolean isDrawn =
                plot.hasAny(
                        series, line -> line.style() == Style.LINE || line.style() == Style.STEP);
        if (isDrawn || plot.hasAny(series, line -> line.style() == Style.DASHED)) {
            ink.add(
                    Ink.Shape.stroked(
                            Pane.line(left, y, left + SAMPLE, y),
                            colour,
                            isDrawn ? Curves.LINE : Curves.THIN,
                            Curves.dash(plot, series)));
        }
        if (plot.hasAny(series, Plot::isMarked)) {
            ink.add(Marker.of(plot.series().indexOf(series)).at(middle, y, colour));
        }
    }
}
