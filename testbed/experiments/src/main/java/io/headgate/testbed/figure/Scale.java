package io.headgate.testbed.figure;

import io.headgate.testbed.scenario.Figure.Axis;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The scale of an axis. Its unit depends on the range; its ticks are at multiples of 1, 2, 2.5 or 5
 * times a power of ten.
 *
 * @param title name and unit
 * @param factor factor that converts a value to the drawn unit
 * @param low start of the axis, in the drawn unit
 * @param high its end
 * @param breaks values of the ticks
 * @param labels texts of the ticks
 */
record Scale(
        String title,
        double factor,
        double low,
        double high,
        boolean logarithmic,
        List<Double> breaks,
        List<String> labels) {
    private static final double[] STEPS = {1, 2, 2.5, 5, 10};
    private static final int FEWEST = 4;
    private static final int DECADES = 2;
    private static final int FEWEST_LOGARITHMIC = 3;

    /** Where ticks of a logarithmic axis are, and where else if those are too few. */
    private static final double[][] WITHIN_A_DECADE = {
        {1, 2, 5}, {1, 2, 3, 5, 7}, {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9}
    };

    private static final double[][] ONLY_DECADES = {{1}};
    private static final String SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

    /** Room above the drawing and next to a marker, as shares of the axis. */
    private static final double ABOVE = 0.06;

    static final double BESIDE = 0.03;

    /** Half a line, or the frame would cut a curve that lies on 0. */
    static final double BELOW = 0.012;

    private static final double NEARLY = 0.03;

    /** A family of units: the smallest first. */
    private record Unit(String symbol, double inBase) {}

    private static final List<Unit> TIMES =
            List.of(
                    new Unit("ns", 1),
                    new Unit("µs", 1e3),
                    new Unit("ms", 1e6),
                    new Unit("s", 1e9));
    private static final List<Unit> SIZES =
            List.of(
                    new Unit("byte", 1),
                    new Unit("kB", 1e3),
                    new Unit("MB", 1e6),
                    new Unit("GB", 1e9));
    private static final List<Unit> RATES =
            List.of(
                    new Unit("b/s", 1),
                    new Unit("kb/s", 1e3),
                    new Unit("Mb/s", 1e6),
                    new Unit("Gb/s", 1e9),
                    new Unit("Tb/s", 1e12));
    private static final Map<String, String> SPELLINGS =
            Map.of("us", "µs", "bytes", "byte", "B", "byte", "bit/s", "b/s");

    Scale {
        breaks = List.copyOf(breaks);
        labels = List.copyOf(labels);
    }

    /**
     * The values that an axis must show.
     *
     * @param whole whether all values are whole numbers
     */
    record Range(double min, double max, double smallestPositive, boolean whole) {
        static Range of(double... values) {
            double min = Double.POSITIVE_INFINITY;
            double max = Double.NEGATIVE_INFINITY;
            double positive = Double.POSITIVE_INFINITY;
            boolean whole = true;
            for (double value : values) {
                if (Double.isFinite(value)) {
                    whole &= value == Math.rint(value);
                    min = Math.min(min, value);
                    max = Math.max(max, value);
                    positive = value > 0 ? Math.min(positive, value) : positive;
                }
            }
            return min > max ? new Range(0, 1, 1, false) : new Range(min, max, positive, whole);
        }

        /** The range with room above. */
        Range higher(double factor) {
            return new Range(min, max * factor, smallestPositive, whole);
        }

        /** The range extended to an end, if that can be drawn. */
        Range upTo(double end) {
            return Double.isFinite(end)
                    ? new Range(min, Math.max(max, end), smallestPositive, whole)
                    : this;
        }

        /** The range cut at an end. */
        Range below(double end) {
            return new Range(min, Math.min(max, end), smallestPositive, whole);
        }

        private double largest() {
            return Math.max(Math.abs(min), Math.abs(max));
        }
    }

    /** A horizontal axis: it ends with its data, and has as many ticks as fit on its length. */
    static Scale horizontal(Axis axis, Range data, int most) {
        if (!axis.words().isEmpty()) {
            return words(axis);
        }
        Range range = data.upTo(axis.end());
        Scale unit = unit(axis, range);
        if (axis.logarithmic() && range.max > 0) {
            return unit.decades(range);
        }
        double min = range.min * unit.factor;
        double max = range.max * unit.factor;
        double low = min >= 0 && min < max / 3 ? 0 : min;
        if (low == max) {
            low = min - Math.max(1, Math.abs(min)) / 2;
            max = max + Math.max(1, Math.abs(max)) / 2;
        }
        return unit.between(low, max, most, isCount(axis, data));
    }

    /**
     * A vertical axis: from 0, unless values are below, with room above.
     *
     * @param below room below 0 for a curve at 0, as a share of the axis; none for bars
     */
    static Scale vertical(Axis axis, Range all, double below) {
        boolean isCut = axis.cut() > 0 && all.max > axis.cut();
        Range range = isCut ? all.below(axis.cut()) : all;
        Scale unit = unit(axis, range);
        if (axis.logarithmic() && range.max > 0) {
            return unit.decades(range);
        }
        double min = range.min * unit.factor;
        double max = Math.max(range.max * unit.factor, 0);
        double span = max - Math.min(min, 0);
        if (span == 0) {
            span = 1;
            max = 1;
        }
        double least = min > below * span ? 0 : -below * span;
        double low = min < 0 ? min - ABOVE * span : least;
        double high = isCut ? max : max + ABOVE * span;
        return unit.between(low, high, FEWEST + 2, isCount(axis, range));
    }

    /** Whether half of what it counts makes no sense. */
    private static boolean isCount(Axis axis, Range range) {
        return range.whole && family(axis).isEmpty();
    }

    private static Scale words(Axis axis) {
        List<Double> breaks = new ArrayList<>();
        for (int i = 0; i < axis.words().size(); i++) {
            breaks.add((double) i);
        }
        double end = axis.words().size() - 0.5;
        return new Scale(axis.name(), 1, -0.5, end, false, breaks, axis.words());
    }

    private static List<Unit> family(Axis axis) {
        String given = SPELLINGS.getOrDefault(axis.unit(), axis.unit());
        for (List<Unit> family : List.of(TIMES, SIZES, RATES)) {
            if (family.stream().anyMatch(unit -> unit.symbol.equals(given))) {
                return family;
            }
        }
        return List.of();
    }

    /** The unit in which a range has labels of few digits. */
    private static Scale unit(Axis axis, Range range) {
        String given = SPELLINGS.getOrDefault(axis.unit(), axis.unit());
        double decisive = axis.logarithmic() ? range.smallestPositive : range.largest();
        List<Unit> family = family(axis);
        for (Unit unit : family) {
            if (unit.symbol.equals(given)) {
                double size = decisive * unit.inBase;
                Unit best = size == 0 ? unit : family.getFirst();
                for (Unit one : family) {
                    best = size >= one.inBase && size > 0 ? one : best;
                }
                String asked = SPELLINGS.getOrDefault(axis.drawnIn(), axis.drawnIn());
                for (Unit one : family) {
                    best = one.symbol.equals(asked) ? one : best;
                }
                return empty(axis.name(), best.symbol, unit.inBase / best.inBase);
            }
        }
        int power = 0;
        while (!axis.logarithmic() && decisive / Math.pow(10, power) >= 10_000) {
            power += 3;
        }
        String prefix = power == 0 ? "" : power(power) + (given.isEmpty() ? "" : " ");
        return empty(axis.name(), prefix + given, Math.pow(10, -power));
    }

    private static Scale empty(String name, String unit, double factor) {
        String title = Axis.linear(name, unit).heading();
        return new Scale(title, factor, 0, 1, false, List.of(), List.of());
    }

    private Scale between(double low, double end, int most, boolean counts) {
        double step = step(end - low, most, counts ? factor : 0);
        // A series that ends half an interval before a round number has that number at its end.
        double next = Math.ceil(end / step - 1e-9) * step;
        double high = next - end < NEARLY * (end - low) ? next : end;
        List<Double> breaks = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (long i = (long) Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9); i++) {
            breaks.add(i * step);
            texts.add(text(i * step));
        }
        return new Scale(title, factor, low, high, false, breaks, texts);
    }

    /**
     * The smallest round step that gives no more ticks than wanted.
     *
     * @param span above 0
     * @param one the step is a multiple of it; 0: any step
     */
    static double step(double span, int most, double one) {
        if (!(span > 0) || Double.isInfinite(span)) {
            throw new IllegalArgumentException("an axis has no steps over a span of " + span);
        }
        double power = Math.pow(10, Math.floor(Math.log10(span / most)));
        while (true) {
            for (double step : STEPS) {
                double round = step * power;
                boolean fits = one == 0 || Math.abs(Math.rint(round / one) * one - round) < 1e-9;
                if (fits && Math.floor(span / round + 1e-9) + 1 <= most) {
                    return round;
                }
            }
            power *= 10;
        }
    }

    private Scale decades(Range range) {
        double min = range.smallestPositive * factor;
        double max = range.max * factor;
        double low = min / 1.25;
        double high = max * 1.25;
        List<Double> breaks = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        double spanned = Math.log10(high / low);
        int every = (int) Math.ceil(spanned / (FEWEST + 2));
        int first = (int) Math.floor(Math.log10(low));
        for (double[] ticks : spanned < DECADES ? WITHIN_A_DECADE : ONLY_DECADES) {
            breaks.clear();
            texts.clear();
            for (int power = first; Math.pow(10, power) <= high; power++) {
                for (double within : ticks) {
                    double at = within * Math.pow(10, power);
                    if (at >= low && at <= high && Math.floorMod(power, every) == 0) {
                        breaks.add(at);
                        texts.add(spanned < DECADES ? text(at) : power(power));
                    }
                }
            }
            if (breaks.size() >= FEWEST_LOGARITHMIC) {
                break;
            }
        }
        return new Scale(title, factor, low, high, true, breaks, texts);
    }

    /** Ten to a power, as it is printed: 10³. */
    static String power(int power) {
        StringBuilder text = new StringBuilder(power < 0 ? "10⁻" : "10");
        for (char digit : Integer.toString(Math.abs(power)).toCharArray()) {
            text.append(SUPERSCRIPTS.charAt(digit - '0'));
        }
        return text.toString();
    }

    /** The exponent of a power of ten, in plain digits. */
    static String exponent(String superscripts) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < superscripts.length(); i++) {
            char letter = superscripts.charAt(i);
            text.append(letter == '⁻' ? "−" : "" + SUPERSCRIPTS.indexOf(letter));
        }
        return text.toString();
    }

    /** A tick's label without useless zeros, and with a true minus. */
    static String text(double value) {
        if (Math.abs(value) < 1e-12) {
            return "0";
        }
        String text = String.format(Locale.ROOT, "%.6f", value);
        return text.replaceAll("\\.?0+$", "").replace('-', '−');
    }

    /**
     * The scale without ticks that are so near the right end that their label meets the next
     * panel's.
     */
    Scale withoutLast() {
        List<Double> fewer = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < breaks.size(); i++) {
            double place = place(breaks.get(i));
            if (place < 0.93) {
                fewer.add(breaks.get(i));
                texts.add(labels.get(i));
            }
        }
        return new Scale(title, factor, low, high, logarithmic, fewer, texts);
    }

    /** The scale with room for markers at its ends. */
    Scale withRoom(Range data) {
        if (logarithmic) {
            return this;
        }
        double room = BESIDE * (high - low);
        double least = Math.min(low, data.min * factor - room);
        return new Scale(title, factor, least, high + room, false, breaks, labels);
    }

    /** The place of a value, from 0 at the low end to 1 at the high end. */
    double place(double value) {
        return logarithmic
                ? Math.log(value / low) / Math.log(high / low)
                : (value - low) / (high - low);
    }

    boolean shows(double value) {
        return Double.isFinite(value) && (!logarithmic || value > 0);
    }
}
