package io.headgate.testbed.scenario;

import java.util.Locale;

/** Numbers for people: enough digits to compare, and the unit. */
public final class Numbers {
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

    /** A difference with its sign, and as a share of what it is a difference to. */
    public static String difference(double difference, double expected, String unit) {
        String text = (difference > 0 ? "+" : "") + text(difference, unit);
        return expected == 0 || difference == 0 || Double.isNaN(difference)
                ? text
                : text + String.format(Locale.ROOT, ", %+.3g %%", 100 * difference / expected);
    }
}
