package io.headgate.testbed.scenario;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers for people: enough digits to compare, and the unit. */
public final class Numbers {
    private static final MathContext FOUR_DIGITS = new MathContext(4, RoundingMode.HALF_EVEN);

    /** Smaller than this, in %, a difference says no more than that there is nearly none. */
    private static final double LEAST_PERCENT = 0.001;

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
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
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

    /** A difference with its sign, and as a share of what it is a difference to. */
    public static String difference(double difference, double expected, String unit) {
        String text = (difference > 0 ? "+" : "") + text(difference, unit);
        if (expected == 0 || difference == 0 || Double.isNaN(difference)) {
            return text;
        }
        double percent = 100 * difference / expected;
        return Math.abs(percent) < LEAST_PERCENT
                ? "below " + text(LEAST_PERCENT) + " %"
                : text + ", " + (percent > 0 ? "+" : "") + text(percent, "%");
    }
}
