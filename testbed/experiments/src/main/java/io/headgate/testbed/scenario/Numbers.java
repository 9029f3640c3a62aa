package io.headgate.testbed.scenario;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;

/** Formats numbers for people: with enough digits to compare, and the unit. */
public final class Numbers {
    private static final int RATE_DIGITS = 3;
    private static final long THOUSAND = 1000;
    private static final List<String> RATE_UNITS = List.of("b/s", "kb/s", "Mb/s", "Gb/s", "Tb/s");

    private static final int DIGITS = 4;
    private static final int MOST_DIGITS = 15;
    private static final double MOST_PLAIN = 1e9;
    private static final double LEAST_PLAIN = 1e-6;
    private static final MathContext FOUR_DIGITS = new MathContext(DIGITS, RoundingMode.HALF_EVEN);

    /** Smaller than this, in %, a difference says no more than that there is nearly none. */
    private static final double LEAST_PERCENT = 0.001;

    /** A unit as measures have it, and as a person reads it. */
    private record Unit(String given, String symbol, double inBase) {}

    private static final List<List<Unit>> FAMILIES =
            List.of(
                    List.of(
                            new Unit("byte", "byte", 1),
                            new Unit("kB", "kB", 1e3),
                            new Unit("MB", "MB", 1e6),
                            new Unit("GB", "GB", 1e9)),
                    List.of(
                            new Unit("ns", "ns", 1),
                            new Unit("us", "µs", 1e3),
                            new Unit("ms", "ms", 1e6),
                            new Unit("s", "s", 1e9)));

    private Numbers() {}

    /** A number with its unit. */
    public static String text(double value, String unit) {
        return unit.isEmpty() || Double.isNaN(value) ? text(value) : text(value) + " " + unit;
    }

    /** A number: whole ones whole up to 15 digits, others with four significant digits. */
    public static String text(double value) {
        if (Double.isNaN(value)) {
            return "not measured";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "infinite" : "-infinite";
        }
        if (isWhole(value)) {
            return Long.toString((long) value);
        }
        BigDecimal exact = new BigDecimal(value);
        BigDecimal rounded =
                Math.abs(value) < 1000
                        ? exact.round(FOUR_DIGITS)
                        : exact.setScale(0, RoundingMode.HALF_EVEN);
        boolean isPlain = Math.abs(value) >= 1e-6 && Math.abs(value) < 1e15;
        return isPlain
                ? rounded.stripTrailingZeros().toPlainString()
                : String.format(Locale.ROOT, "%.3g", value);
    }

    /** A rate in bits per second: three digits, in the unit that has them before the point. */
    public static String rate(double bps) {
        if (!Double.isFinite(bps)) {
            return text(bps);
        }
        BigDecimal rounded = new BigDecimal(bps).round(new MathContext(RATE_DIGITS));
        int unit = 0;
        while (unit < RATE_UNITS.size() - 1
                && rounded.abs().compareTo(BigDecimal.valueOf(THOUSAND)) >= 0) {
            rounded = rounded.movePointLeft(RATE_DIGITS);
            unit++;
        }
        return rounded.stripTrailingZeros().toPlainString() + " " + RATE_UNITS.get(unit);
    }

    /**
     * A measured number for a person: four significant digits, bytes and times in the unit that has
     * few digits before the point.
     */
    public static String shown(double value, String unit) {
        return shown(value, unit, DIGITS);
    }

    /** A measured number with enough digits to distinguish it from another one, if they differ. */
    public static String shown(double value, String unit, double other) {
        int digits = DIGITS;
        while (digits < MOST_DIGITS
                && value != other
                && shown(value, unit, digits).equals(shown(other, unit, digits))) {
            digits++;
        }
        return shown(value, unit, digits);
    }

    private static String shown(double value, String unit, int digits) {
        for (List<Unit> family : FAMILIES) {
            for (Unit given : family) {
                if (given.given.equals(unit) && Double.isFinite(value)) {
                    Unit best = value == 0 ? given : fitting(family, value * given.inBase, digits);
                    double scaled = value * given.inBase / best.inBase;
                    return significant(scaled, digits) + " " + best.symbol;
                }
            }
        }
        String text = significant(value, digits);
        return unit.isEmpty() || Double.isNaN(value) ? text : text + " " + unit;
    }

    /** The largest unit of which there is at least one, once the number is rounded. */
    private static Unit fitting(List<Unit> family, double inBase, int digits) {
        Unit best = family.getFirst();
        for (Unit larger : family) {
            double rounded =
                    new BigDecimal(inBase / best.inBase)
                            .round(new MathContext(digits))
                            .doubleValue();
            best = Math.abs(rounded) * best.inBase >= larger.inBase ? larger : best;
        }
        return best;
    }

    private static String significant(double value, int digits) {
        if (!Double.isFinite(value) || isWhole(value)) {
            return text(value);
        }
        boolean isPlain = Math.abs(value) < MOST_PLAIN && Math.abs(value) >= LEAST_PLAIN;
        return isPlain
                ? new BigDecimal(value)
                        .round(new MathContext(digits))
                        .stripTrailingZeros()
                        .toPlainString()
                : String.format(Locale.ROOT, "%." + (digits - 1) + "e", value);
    }

    private static boolean isWhole(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15;
    }

    /** A difference with its sign, also as a share of the expected value. */
    public static String difference(double difference, double expected, String unit) {
        String text = (difference > 0 ? "+" : "") + shown(difference, unit);
        if (expected == 0 || difference == 0 || Double.isNaN(difference)) {
            return text;
        }
        double percent = 100 * difference / expected;
        return Math.abs(percent) < LEAST_PERCENT
                ? "below " + text(LEAST_PERCENT) + " %"
                : text + ", " + (percent > 0 ? "+" : "") + text(percent, "%");
    }
}
