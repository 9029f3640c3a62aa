package io.headgate.testbed.figure;

import java.math.BigDecimal;
import java.math.MathContext;

/** Comma-separated values (RFC 4180, with plain line feeds). */
public final class Csv {
    private static final MathContext NINE = new MathContext(9);

    private Csv() {}

    public static void row(StringBuilder csv, String... cells) {
        for (int i = 0; i < cells.length; i++) {
            csv.append(i == 0 ? "" : ",").append(cell(cells[i]));
        }
        csv.append('\n');
    }

    private static String cell(String text) {
        boolean plain =
                text.indexOf(',') < 0
                        && text.indexOf('"') < 0
                        && text.indexOf('\n') < 0
                        && text.indexOf('\r') < 0;
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    /** A number in nine digits, more than a figure shows; empty if it is not finite. */
    public static String rounded(double value) {
        return Double.isFinite(value)
                ? number(new BigDecimal(value).round(NINE).doubleValue())
                : "";
    }

    /** A number in digits that are read back to the same value; empty if it is not finite. */
    public static String number(double value) {
        if (!Double.isFinite(value)) {
            return "";
        }
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
