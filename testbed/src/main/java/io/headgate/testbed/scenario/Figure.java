package io.headgate.testbed.scenario;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A figure, as data: drawn elsewhere, and written beside the picture as CSV.
 *
 * @param name for file names: lower-case letters, digits and hyphens
 * @param right a second vertical axis, for lines that are on it; null: there is none
 * @param paperSays what the source shows at this place, in a sentence
 * @param measured what these runs show, in a sentence; numbers with units
 */
public record Figure(
        String name,
        String title,
        Axis x,
        Axis y,
        @Nullable Axis right,
        List<Line> lines,
        String paperSays,
        String measured) {
    public Figure {
        lines = List.copyOf(lines);
        if (right == null && lines.stream().anyMatch(Line::onRight)) {
            throw new IllegalArgumentException(name + " has no right axis");
        }
    }

    /** A figure with one vertical axis. */
    public Figure(
            String name,
            String title,
            Axis x,
            Axis y,
            List<Line> lines,
            String paperSays,
            String measured) {
        this(name, title, x, y, null, lines, paperSays, measured);
    }

    /** The vertical axis that a line is on. */
    public Axis axisOf(Line line) {
        return line.onRight() && right != null ? right : y;
    }

    /** What an axis shows, in which unit (may be empty), and whether it is logarithmic. */
    public record Axis(String name, String unit, boolean logarithmic) {
        /** An axis with equal steps. */
        public static Axis linear(String name, String unit) {
            return new Axis(name, unit, false);
        }

        /** The heading, with the unit where there is one. */
        public String heading() {
            return unit.isEmpty() ? name : name + " (" + unit + ")";
        }
    }

    /** How a line's points are drawn. */
    public enum Style {
        /** Measured: a line through the points. */
        LINE,
        /** Expected, or of another bed: a dashed line. */
        DASHED,
        /** Points alone. */
        POINTS
    }

    /** One line of a figure; x and y are of the same length, y on the left axis or the right. */
    @SuppressWarnings("ArrayRecordComponent") // as Series
    public record Line(String name, Style style, boolean onRight, double[] x, double[] y) {
        public Line {
            if (x.length != y.length) {
                throw new IllegalArgumentException(
                        name + " has " + x.length + " x and " + y.length + " y");
            }
        }

        /** A line on the left axis. */
        public Line(String name, Style style, double[] x, double[] y) {
            this(name, style, false, x, y);
        }

        /** A series over time in microseconds. */
        public static Line of(String name, Style style, Series series) {
            return new Line(name, style, series.timesUs(), series.values());
        }

        /** The same on the right axis. */
        public Line toTheRight() {
            return new Line(name, style, true, x, y);
        }
    }

    /** Collects lines point by point. */
    public static final class Points {
        private final List<Double> x = new ArrayList<>();
        private final List<Double> y = new ArrayList<>();

        public void add(double atX, double atY) {
            x.add(atX);
            y.add(atY);
        }

        public Line line(String name, Style style) {
            return new Line(
                    name,
                    style,
                    x.stream().mapToDouble(Double::doubleValue).toArray(),
                    y.stream().mapToDouble(Double::doubleValue).toArray());
        }
    }
}
