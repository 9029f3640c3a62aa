package io.headgate.testbed.scenario;

import io.headgate.config.Withers;
import io.headgate.dataplane.frame.Ethernet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The data of a figure; other classes draw it and write it as CSV.
 *
 * @param name name for files: lower-case letters, digits and hyphens
 * @param lines lines, named as {@link Labels} names lines of one of several runs; lines that do not
 *     fit into one panel are drawn in several, and runs that differ only in their seeds as their
 *     mean
 * @param limits horizontal lines, such as a threshold or a link's rate
 * @param marks vertical lines at some x, such as the start of an event
 * @param print how it is printed
 * @param shade the measured part of the horizontal axis
 * @param paperSays what the source shows at this place, in a sentence
 * @param measured what these runs show, in a sentence; numbers with units
 */
@Withers
public record Figure(
        String name,
        String title,
        Axis x,
        Axis y,
        List<Line> lines,
        List<Limit> limits,
        List<Limit> marks,
        Shade shade,
        Print print,
        String paperSays,
        String measured)
        implements FigureBuilder.With {
    private static final double BPS_PER_GBPS = 1e9;
    private static final double BPS_PER_MBPS = 1e6;

    public Figure {
        lines = List.copyOf(lines);
        limits = List.copyOf(limits);
        marks = List.copyOf(marks);
    }

    /** A figure without limits and marks, whose whole horizontal axis is measured. */
    public Figure(
            String name,
            String title,
            Axis x,
            Axis y,
            List<Line> lines,
            String paperSays,
            String measured) {
        this(
                name,
                title,
                x,
                y,
                lines,
                List.of(),
                List.of(),
                Shade.NONE,
                Print.PLAIN,
                paperSays,
                measured);
    }

    /** The figure with an addition to what its runs show; empty: none. */
    public Figure noting(String more) {
        return withMeasured(measured + (measured.isEmpty() || more.isEmpty() ? "" : "; ") + more);
    }

    /** Whether the horizontal axis is the time of runs. */
    public boolean isOverTime() {
        return x.name().equals("time");
    }

    /**
     * The words that a person chose for a figure; empty: the default.
     *
     * @param label label of the vertical axis
     * @param unit unit in which the vertical axis is drawn
     * @param points whether lines are drawn only as points; expected values stay a line
     */
    public record Wording(String title, String label, String unit, boolean points) {}

    /** The figure in a person's words; if the unit is not possible, this is noted. */
    public Figure worded(Wording words) {
        Axis named = words.label.isEmpty() ? y : y.withName(words.label);
        List<Line> drawn =
                words.points
                        ? lines.stream()
                                .map(line ->
                                        line.style == Style.DASHED
                                                ? line
                                                : line.withStyle(Style.POINTS))
                                .toList()
                        : lines;
        Figure worded =
                withTitle(words.title.isEmpty() ? title : words.title)
                        .withY(named.withDrawnIn(words.unit))
                        .withLines(drawn);
        boolean fits = words.unit.isEmpty() || y.canBeIn(words.unit);
        return fits ? worded : worded.noting("what is drawn cannot be shown in " + words.unit);
    }

    /**
     * The printed form of a figure.
     *
     * @param columns columns of a paper, 1 or 2; 0: the default of all figures
     * @param names replacements for names of lines and panels and for words on the axis: for a
     *     whole name, or for a part such as {@code control rocc} or its value {@code rocc}
     */
    public record Print(int columns, Map<String, String> names) {
        public static final Print PLAIN = new Print(0, Map.of());

        public Print {
            names = Map.copyOf(names);
        }

        /** The text that is shown for a name. */
        public String shown(String name) {
            String whole = names.get(name);
            if (whole != null || names.isEmpty()) {
                return whole == null ? name : whole;
            }
            return Arrays.stream(name.split(", "))
                    .map(part ->
                            names.getOrDefault(
                                    part,
                                    names.getOrDefault(
                                            part.substring(part.indexOf(' ') + 1), part)))
                    .collect(Collectors.joining(", "));
        }
    }

    /**
     * The measured part of the horizontal axis; the parts before and after it are shaded.
     *
     * @param from its start, in the axis's unit
     */
    public record Shade(double from, double until) {
        /** Nothing is shaded. */
        public static final Shade NONE =
                new Shade(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    /**
     * An axis: its quantity, its unit (may be empty), and whether it is logarithmic.
     *
     * @param end value that it reaches at least; 0: as far as the data
     * @param cut value at which it ends even if values are above; 0: none
     * @param drawnIn the unit in which it is drawn; empty: one with few digits
     * @param words texts at 0, 1, 2 and so on; empty if the axis has numbers
     */
    @Withers
    public record Axis(
            String name,
            String unit,
            boolean logarithmic,
            double end,
            double cut,
            String drawnIn,
            List<String> words)
            implements FigureAxisBuilder.With {
        private static final List<Pattern> ALIKE =
                List.of(
                        Pattern.compile("[kMGT]?b/s"),
                        Pattern.compile("[kMG]?B|bytes?"),
                        Pattern.compile("[nmuµ]?s"));

        public Axis {
            words = List.copyOf(words);
        }

        public Axis(String name, String unit, boolean logarithmic) {
            this(name, unit, logarithmic, 0, 0, "", List.of());
        }

        /** An axis with equal steps. */
        public static Axis linear(String name, String unit) {
            return new Axis(name, unit, false);
        }

        /** An axis of one quantity, or of several with one unit, which are named at their lines. */
        public static Axis of(List<String> names, String unit) {
            return linear(
                    names.size() == 1 ? names.getFirst() : unit.isEmpty() ? "value" : "", unit);
        }

        /** The time of runs, in us, from their beginning to their end. */
        public static Axis time(double endUs) {
            return new Axis("time", "us", false, endUs, 0, "", List.of());
        }

        /** An axis with words instead of numbers. */
        public static Axis words(String name, List<String> words) {
            return new Axis(name, "", false, 0, 0, "", words);
        }

        /** Whether its quantity can also be shown in this unit. */
        public boolean canBeIn(String other) {
            return ALIKE.stream()
                    .anyMatch(one -> one.matcher(unit).matches() && one.matcher(other).matches());
        }

        /** The heading, with the unit where there is one. */
        public String heading() {
            if (name.isEmpty()) {
                return unit;
            }
            return unit.isEmpty() ? name : name + " (" + unit + ")";
        }
    }

    /**
     * A limit line: a named value that a curve must keep to, or would reach at best.
     *
     * @param line the only line that it applies to, drawn in that line's panel; null: all
     */
    @Withers
    public record Limit(String name, double value, @Nullable Line line)
            implements FigureLimitBuilder.With {
        /** A limit that applies to all lines. */
        public Limit(String name, double value) {
            this(name, value, null);
        }

        /** A limit whose name includes its value, in the axis's unit. */
        public static Limit of(String what, double value, String unit) {
            String number =
                    switch (unit) {
                        case "Gb/s" -> Numbers.rate(value * BPS_PER_GBPS);
                        case "Mb/s" -> Numbers.rate(value * BPS_PER_MBPS);
                        default -> Numbers.shown(value, unit);
                    };
            return new Limit(what + " " + number, value);
        }

        /** The rate, in Gb/s without FCS, at which an always busy link carries such frames. */
        public static Limit fullLink(double frameBytes, double rateBps) {
            double gbps = fullGbps(frameBytes, rateBps);
            String sentence = "link full: " + Numbers.rate(gbps * BPS_PER_GBPS) + " of frames";
            return new Limit(sentence, gbps);
        }

        /** The rate at which an always busy link carries such frames, in Gb/s. */
        public static double fullGbps(double frameBytes, double rateBps) {
            return rateBps
                    / BPS_PER_GBPS
                    * frameBytes
                    / (frameBytes + Ethernet.WIRE_OVERHEAD_BYTES);
        }
    }

    /** The style in which a line's points are drawn. */
    public enum Style {
        /** Measured: a line through the points. */
        LINE,
        /** Means over intervals, of which x is the middle. */
        STEP,
        /** Expected: a thin dashed line. */
        DASHED,
        /** Points alone: real frames, or measurements compared with a formula. */
        POINTS,
        /** Bars from 0. */
        BARS
    }

    /**
     * One line of a figure; x and y are of the same length.
     *
     * @param low lower end of an interval about each y; empty: no interval
     * @param high its upper end
     * @param panel in which it is drawn; empty: found by its name
     */
    @Withers
    @SuppressWarnings("ArrayRecordComponent") // as Series
    public record Line(
            String name,
            Style style,
            double[] x,
            double[] y,
            double[] low,
            double[] high,
            String panel)
            implements FigureLineBuilder.With {
        public Line {
            boolean hasInterval = low.length > 0 || high.length > 0;
            if (x.length != y.length
                    || (hasInterval && (low.length != y.length || high.length != y.length))) {
                throw new IllegalArgumentException(
                        name + " has " + x.length + " x and " + y.length + " y");
            }
        }

        /** A line without intervals. */
        public Line(String name, Style style, double[] x, double[] y) {
            this(name, style, x, y, new double[0], new double[0], "");
        }

        /** A series over time in microseconds. */
        public static Line of(String name, Style style, Series series) {
            return new Line(name, style, series.timesUs(), series.values());
        }

        public boolean hasInterval() {
            return low.length > 0;
        }

        /** The line with some of its points. */
        public Line at(int[] points) {
            return new Line(
                    name,
                    style,
                    pick(x, points),
                    pick(y, points),
                    hasInterval() ? pick(low, points) : low,
                    hasInterval() ? pick(high, points) : high,
                    panel);
        }

        private static double[] pick(double[] values, int[] points) {
            return Arrays.stream(points).mapToDouble(i -> values[i]).toArray();
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
