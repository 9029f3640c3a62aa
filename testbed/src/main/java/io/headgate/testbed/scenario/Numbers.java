package io.headgate.testbed.scenario;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;

/** Numbers for people: enough digits to compare, and the unit. */
public final class Numbers {
    private static final int RATE_DIGITS = 3;
    private static final long THOUSAND = 1000;
    private static final List<String> RATE_UNITS = List.of("b/s", "kb/s", "Mb/s", "Gb/s", "Tb/s");

    private Numbers() {}

    /** A number with its unit. */
    public static String text(double value, String unit) {
        return unit.isEmpty() || Double.isNaN(value) ? text(value) : text(value) + " " + unit;
    }

    /** A number: whole ones whole up to 15 digits, others with six significant digits. */
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
        String text = String.format(Locale.ROOT, "%.6g", value);
        return text.contains("e")
                ? text
                : text.replaceAll("(\\.[0-9]*?)0+$", "$1").replaceAll("\\.$", "");
    }

    /**
     * A rate of so many bits per second: three digits, in the unit that has them before the point.
     */
    public static String rate(double bps) {
        BigDecimal rounded = new BigDecimal(bps).round(new MathContext(RATE_DIGITS));
        int unit = 0;
        while (unit < RATE_UNITS.size() - 1
                && rounded.abs().compareTo(BigDecimal.valueOf(THOUSAND)) >= 0) {
            rounded = rounded.movePointLeft(RATE_DIGITS);
            unit++;
        }
        return rounded.stripTrailingZeros().toPlainString() + " " + RATE_UNITS.get(unit);
    }

    /** A difference with its sign, and as a share of what it is a difference to. */
    public static String difference(double difference, double expected, String unit) {
        String text = (difference > 0 ? "+" : "") + text(difference, unit);
        return expected == 0 || difference == 0 || Double.isNaN(difference)
                ? text
                : text + String.format(Locale.ROOT, ", %+.3g %%", 100 * difference / expected);
    }
}
