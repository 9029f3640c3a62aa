package io.headgate.testbed.figure;

import io.headgate.testbed.figure.Panels.Placed;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import java.awt.geom.Path2D;
import java.awt.geom.Point2D;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Draws the measured and expected values of one panel: bars, intervals, lines, steps and points.
 */
final class Curves {
    static final double LINE = 1;
    static final double THIN = 0.65;

    /** What the bars of one place take of the distance to the next, and the gap between them. */
    private static final double BARS_WIDTH = 0.7;

    private static final double BARS_GAP = 0.04;
    private static final double INTERVAL = 0.7;
    private static final double RIBBON = 0.18;

    /** Told apart without colours, and one above another shows it. */
    private static final List<List<Double>> STROKES =
            List.of(
                    List.of(),
                    List.of(7.0, 2.5),
                    List.of(1.0, 1.8),
                    List.of(5.0, 1.5, 1.5, 1.5),
                    List.of(1.0, 1.8, 4.0, 1.8),
                    List.of(4.0, 2.5));

    private static final List<Double> EXPECTED = List.of(3.0, 2.0);

    private final Plot plot;
    private final Pane pane;
    private final List<Ink> ink;

    private Curves(Pane pane, List<Ink> ink) {
        this.plot = pane.plot();
        this.pane = pane;
        this.ink = ink;
    }

    static void paint(Pane pane, List<Ink> ink) {
        Curves curves = new Curves(pane, ink);
        List<Placed> lines = pane.plot().drawn.stream().filter(pane::has).toList();
        lines.forEach(curves::bars);
        lines.forEach(curves::intervals);
        for (Style style : List.of(Style.DASHED, Style.LINE, Style.STEP)) {
            for (Placed line : lines) {
                if (line.line().style() == style) {
                    curves.strokes(line);
                }
            }
        }
        lines.forEach(curves::points);
    }

    static List<Double> dash(Plot plot, String series) {
        int lines = 0;
        for (String other : plot.series()) {
            boolean isLine =
                    plot.hasAny(other, of -> of.style() == Style.LINE || of.style() == Style.STEP);
            if (other.equals(series)) {
                return isLine ? STROKES.get(lines % STROKES.size()) : EXPECTED;
            }
            lines += isLine ? 1 : 0;
        }
        return List.of();
    }

    private void strokes(Placed line) {
        boolean isExpected = line.line().style() == Style.DASHED;
        List<Double> dash = isExpected ? EXPECTED : dash(plot, line.series());
        for (List<Point2D> part : parts(plot, line.line())) {
            Path2D path = new Path2D.Double();
            for (Point2D point : part) {
                double x = pane.x(point.getX());
                double y = pane.y(point.getY());
                if (path.getCurrentPoint() == null) {
                    path.moveTo(x, y);
                } else {
                    if (line.line().style() == Style.STEP) {
                        path.lineTo(x, path.getCurrentPoint().getY());
                    }
                    path.lineTo(x, y);
                }
            }
            String colour = plot.colour(line.series());
            ink.add(Ink.Shape.stroked(path, colour, isExpected ? THIN : LINE, dash));
        }
    }

    /**
     * The parts of a line between its gaps: missing values, and values above a cut axis, are gaps.
     */
    static List<List<Point2D>> parts(Plot plot, Line line) {
        List<List<Point2D>> parts = new ArrayList<>();
        List<Point2D> part = new ArrayList<>();
        boolean isStep = line.style() == Style.STEP;
        double shift = isStep ? halfStep(line) : 0;
        double[] x = line.x();
        double[] y = line.y();
        double end = plot.vertical.high() / plot.vertical.factor();
        for (int i = 0; i < x.length; i++) {
            boolean isShown = plot.vertical.shows(y[i]);
            if (isShown && i > 0 && plot.isCut(y[i - 1]) != plot.isCut(y[i])) {
                double share = (end - y[i - 1]) / (y[i] - y[i - 1]);
                part.add(new Point2D.Double(x[i - 1] + share * (x[i] - x[i - 1]) - shift, end));
            }
            if (!isShown || plot.isCut(y[i])) {
                parts.add(part);
                part = new ArrayList<>();
                continue;
            }
            part.add(new Point2D.Double(x[i] - shift, y[i]));
            if (isStep && i == x.length - 1) {
                part.add(new Point2D.Double(x[i] + shift, y[i]));
            }
        }
        parts.add(part);
        parts.removeIf(List::isEmpty);
        return parts;
    }

    /** Half of an interval; 0 where there are too many for a step to be seen. */
    private static double halfStep(Line line) {
        double[] x = line.x();
        return x.length < 2 || x.length > Thinned.STEPS ? 0 : (x[1] - x[0]) / 2;
    }

    private void intervals(Placed line) {
        Line of = line.line();
        if (!of.hasInterval()) {
            return;
        }
        String colour = plot.colour(line.series());
        boolean areBars = of.style() == Style.BARS;
        int most = of.style() == Style.POINTS ? 4 * Plot.MARKED : Plot.MARKED;
        if (!areBars && of.x().length > most) {
            ribbon(of, colour);
            return;
        }
        for (int i = 0; i < of.x().length; i++) {
            if (hasInterval(of, i)) {
                double x = areBars ? (left(line, i) + right(line, i)) / 2 : pane.x(of.x()[i]);
                Path2D path = Pane.line(x, pane.y(of.low()[i]), x, pane.y(of.high()[i]));
                // In their bar's colour their lower half would not be seen.
                ink.add(
                        areBars
                                ? Ink.Shape.stroked(path, Palette.LIMIT, LINE, List.of())
                                : Ink.Shape.stroked(path, colour, INTERVAL, List.of()));
            }
        }
    }

    private boolean hasInterval(Line of, int point) {
        return plot.vertical.shows(of.low()[point]) && plot.vertical.shows(of.high()[point]);
    }

    private void ribbon(Line of, String colour) {
        Path2D path = new Path2D.Double();
        for (int i = 0; i < of.x().length; i++) {
            if (hasInterval(of, i)) {
                Pane.to(path, pane.x(of.x()[i]), pane.y(of.high()[i]));
            }
        }
        for (int i = of.x().length - 1; i >= 0; i--) {
            if (hasInterval(of, i)) {
                Pane.to(path, pane.x(of.x()[i]), pane.y(of.low()[i]));
            }
        }
        if (path.getCurrentPoint() != null) {
            path.closePath();
            ink.add(Ink.Shape.filled(path, colour, RIBBON));
        }
    }

    /** Bars of one place are next to each other, in the order of their series. */
    private void bars(Placed line) {
        Line of = line.line();
        for (int i = 0; of.style() == Style.BARS && i < of.x().length; i++) {
            if (Double.isFinite(of.y()[i])) {
                double low = pane.y(0);
                double high = pane.y(of.y()[i]);
                ink.add(
                        Ink.Shape.filled(
                                Pane.rectangle(
                                        left(line, i),
                                        Math.min(low, high),
                                        right(line, i),
                                        Math.max(low, high)),
                                plot.colour(line.series()),
                                1));
            }
        }
    }

    private double left(Placed line, int bar) {
        return side(line, bar, 0) + pane.width() * BARS_GAP / 2 / places();
    }

    private double right(Placed line, int bar) {
        return side(line, bar, 1) - pane.width() * BARS_GAP / 2 / places();
    }

    private double places() {
        return plot.horizontal.high() - plot.horizontal.low();
    }

    private double side(Placed line, int bar, int after) {
        double x = line.line().x()[bar];
        List<String> here =
                plot.drawn.stream()
                        .filter(other -> other.line().style() == Style.BARS && pane.has(other))
                        .filter(other -> Arrays.stream(other.line().x()).anyMatch(at -> at == x))
                        .map(Placed::series)
                        .distinct()
                        .toList();
        double share = (here.indexOf(line.series()) + after) / (double) here.size();
        return pane.x(x + BARS_WIDTH * (share - 0.5));
    }

    private void points(Placed line) {
        Line of = line.line();
        Marker marker = Marker.of(plot.series().indexOf(line.series()));
        for (int i = 0; Plot.isMarked(of) && i < of.x().length; i++) {
            if (plot.vertical.shows(of.y()[i]) && !plot.isCut(of.y()[i])) {
                ink.add(
                        marker.at(
                                pane.x(of.x()[i]), pane.y(of.y()[i]), plot.colour(line.series())));
            }
        }
    }
}
