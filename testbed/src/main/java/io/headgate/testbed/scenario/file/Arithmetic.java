package io.headgate.testbed.scenario.file;

import io.headgate.testbed.scenario.Unit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an expectation says with its parameters put in: numbers, those with a unit in its base unit
 * (bit/s, byte, ns), with + - * / and brackets, as in {@code 10 / 3} or {@code 10Gbps * 0.9 /
 * 1Gbps}.
 */
final class Arithmetic {
    private static final List<Unit> UNITS =
            List.of(Unit.NUMBER, Unit.RATE, Unit.SIZE, Unit.DURATION);

    private final String text;
    private int at;

    private Arithmetic(String text) {
        this.text = text;
    }

    /** The value; null if the text is not an arithmetic expression, or divides by 0. */
    static @Nullable Double value(String text) {
        Arithmetic reader = new Arithmetic(text);
        try {
            double value = reader.sum();
            return reader.next() == 0 && Double.isFinite(value) ? value : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The next character other than a blank; 0 at the end. */
    private char next() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private double sum() {
        double sum = product();
        for (char sign = next(); sign == '+' || sign == '-'; sign = next()) {
            at++;
            sum += sign == '+' ? product() : -product();
        }
        return sum;
    }

    private double product() {
        double product = factor();
        for (char sign = next(); sign == '*' || sign == '/'; sign = next()) {
            at++;
            product = sign == '*' ? product * factor() : product / factor();
        }
        return product;
    }

    private double factor() {
        char first = next();
        if (first == '-') {
            at++;
            return -factor();
        }
        if (first == '(') {
            at++;
            double inside = sum();
            if (next() != ')') {
                throw new NumberFormatException("no closing bracket");
            }
            at++;
            return inside;
        }
        int start = at;
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '.')) {
            at++;
        }
        String word = text.substring(start, at);
        for (Unit unit : UNITS) {
            Double value = unit.parse(word);
            if (value != null) {
                return value;
            }
        }
        throw new NumberFormatException(word);
    }
}
