package io.headgate.testbed.scenario.file;

import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.scenario.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the expressions of a scenario file, after its parameters have been replaced by their
 * values. An expression has numbers, which count in the base unit if they have a unit (bit/s, byte,
 * ns), + - * / ^ and brackets, as in {@code 10 / 3} or {@code 10Gbps * 0.9 / 1Gbps}; functions;
 * comparisons, also of words, which give 1 or 0; words, which are text in single quotation marks;
 * and measures in square brackets.
 */
public final class Arithmetic {
    private static final List<Unit> UNITS =
            List.of(Unit.NUMBER, Unit.RATE, Unit.SIZE, Unit.DURATION);

    /** Signs that join two values, those that bind least first. */
    private static final String[][] LEVELS = {
        {"or"}, {"and"}, {"!=", "<=", ">=", "=", "<", ">"}, {"+", "-"}, {"*", "/"}
    };

    /** Of these there is one only. */
    private static final int COMPARISONS = 2;

    /** Of brackets in brackets: a hostile file must not overflow the stack. */
    private static final int MOST_DEPTH = 64;

    private static final double MOST_DRAWN = 10_000;
    private static final char QUOTE = '\'';

    /** The measured values. */
    public interface Measured {
        double of(String name);

        /** The values of all measures whose names match one with stars. */
        default List<Double> all(String starred) {
            throw new NumberFormatException("no measures with a star here: " + starred);
        }
    }

    private final String text;
    private final Measured measures;
    private int at;
    private int depth;

    private Arithmetic(String text, Measured measures) {
        this.text = text;
        this.measures = measures;
    }

    /** The value; null if the text is not an arithmetic expression, or divides by 0. */
    public static @Nullable Double value(String text) {
        Object value = said(text);
        return value instanceof Double number ? number : value == null ? null : truth(value);
    }

    /** The value, a Double or a word; null if the text is not an expression, or divides by 0. */
    static @Nullable Object said(String text) {
        Object value = new Arithmetic(text, Arithmetic::noMeasure).whole();
        return value instanceof Double number && !Double.isFinite(number) ? null : value;
    }

    /**
     * The value; null if the text is not an expression; NaN if a measure is NaN.
     *
     * @param measures gives the value of each measure in square brackets
     */
    public static @Nullable Double value(String text, Measured measures) {
        return new Arithmetic(text, measures).whole() instanceof Double number ? number : null;
    }

    /** The value; NaN if the text is not an expression. */
    static double orNone(String text, Measured measures) {
        Double value = value(text, measures);
        return value == null ? Double.NaN : value;
    }

    /** The names in square brackets; null if the text is not an expression. */
    public static @Nullable List<String> measures(String text) {
        List<String> names = new ArrayList<>();
        Double value =
                value(
                        text,
                        new Measured() {
                            @Override
                            public double of(String name) {
                                names.add(name);
                                return 1;
                            }

                            @Override
                            public List<Double> all(String starred) {
                                return List.of(of(starred));
                            }
                        });
        return value == null ? null : names;
    }

    private static double noMeasure(String name) {
        throw new NumberFormatException("no measures here: " + name);
    }

    private @Nullable Object whole() {
        try {
            Object value = either();
            return next() == 0 ? value : null;
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

    /** Whether something comes next, which is passed over then. */
    private boolean passes(String word) {
        next();
        boolean isWord = Character.isLetter(word.charAt(0));
        int end = at + word.length();
        if (!text.startsWith(word, at)
                || (isWord && end < text.length() && isOfWord(text.charAt(end)))) {
            return false;
        }
        at = end;
        return true;
    }

    private static boolean isOfWord(char c) {
        return Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '.';
    }

    private Object either() {
        if (++depth > MOST_DEPTH) {
            throw new NumberFormatException("too many brackets in brackets");
        }
        Object value = level(0);
        depth--;
        return value;
    }

    /** What signs of a level and of those that bind more join. */
    private Object level(int level) {
        if (level == LEVELS.length) {
            return power();
        }
        Object left = level(level + 1);
        for (String sign = sign(level); !sign.isEmpty(); sign = sign(level)) {
            left = joined(sign, left, level(level + 1));
            if (level == COMPARISONS) {
                return left;
            }
        }
        return left;
    }

    /** The sign of a level that comes next, which is passed over; empty: none. */
    private String sign(int level) {
        for (String sign : LEVELS[level]) {
            if (passes(sign)) {
                return sign;
            }
        }
        return "";
    }

    private static Object joined(String sign, Object left, Object right) {
        if (sign.equals("=") || sign.equals("!=")) {
            return truth(left.equals(right) == sign.equals("="));
        }
        double a = number(left);
        double b = number(right);
        return switch (sign) {
            case "or" -> truth(a != 0 || b != 0);
            case "and" -> truth(a != 0 && b != 0);
            case "<=" -> truth(a <= b);
            case ">=" -> truth(a >= b);
            case "<" -> truth(a < b);
            case ">" -> truth(a > b);
            case "+" -> a + b;
            case "-" -> a - b;
            case "*" -> a * b;
            default -> a / b;
        };
    }

    private Object power() {
        Object base = factor();
        if (next() != '^') {
            return base;
        }
        at++;
        if (++depth > MOST_DEPTH) {
            throw new NumberFormatException("too many powers of powers");
        }
        double power = StrictMath.pow(number(base), number(power()));
        depth--;
        return power;
    }

    private Object factor() {
        boolean isNegative = false;
        boolean hasSign = false;
        while (next() == '-') {
            at++;
            hasSign = true;
            isNegative = !isNegative;
        }
        Object operand = operand();
        return !hasSign ? operand : isNegative ? (Object) (-number(operand)) : number(operand);
    }

    private Object operand() {
        char first = next();
        if (first == '(') {
            at++;
            Object inside = either();
            close(')');
            return inside;
        }
        if (first == '[') {
            int end = text.indexOf(']', at);
            if (end < 0) {
                throw new NumberFormatException("no closing bracket");
            }
            String name = text.substring(at + 1, end).strip();
            if (Starred.is(name)) {
                throw new NumberFormatException("a star outside of a function");
            }
            at = end + 1;
            return measures.of(name);
        }
        return first == QUOTE ? quoted() : Character.isLetter(first) ? word() : quantity();
    }

    /** Any text between two marks is a word. */
    private String quoted() {
        int end = text.indexOf(QUOTE, at + 1);
        if (end < 0) {
            throw new NumberFormatException("no closing mark");
        }
        String word = text.substring(at + 1, end);
        at = end + 1;
        return word;
    }

    private void close(char bracket) {
        if (next() != bracket) {
            throw new NumberFormatException("no closing bracket");
        }
        at++;
    }

    private Object quantity() {
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

    /** A word, or a function of what stands in brackets behind it. */
    private Object word() {
        int start = at;
        while (at < text.length() && isOfWord(text.charAt(at))) {
            at++;
        }
        String word = text.substring(start, at);
        if (next() != '(') {
            return word;
        }
        List<Object> of = new ArrayList<>();
        do {
            at++;
            argument(of);
        } while (next() == ',');
        close(')');
        return function(word, of);
    }

    /** One value, or all measures that a star stands for. */
    private void argument(List<Object> into) {
        int end = next() == '[' ? text.indexOf(']', at) : -1;
        String name = end < 0 ? "" : text.substring(at + 1, end).strip();
        if (Starred.is(name)) {
            at = end + 1;
            into.addAll(measures.all(name));
        } else {
            into.add(either());
        }
    }

    private static Object function(String name, List<Object> of) {
        int count = of.size();
        if (name.equals("if") && count == 3) {
            return number(of.getFirst()) != 0 ? of.get(1) : of.get(2);
        }
        double[] x = new double[count];
        for (int i = 0; i < count; i++) {
            x[i] = number(of.get(i));
        }
        if (count == 2 && name.equals("round")) {
            return Math.rint(x[0] * Math.pow(10, x[1])) / Math.pow(10, x[1]);
        }
        if (count == 3 && name.equals("drawn")) {
            return drawn((long) x[0], x[1], x[2]);
        }
        return switch (name) {
            case "random" -> random(x);
            case "min" -> DoubleStream.of(x).min().orElse(Double.NaN);
            case "max" -> DoubleStream.of(x).max().orElse(Double.NaN);
            case "sum" -> DoubleStream.of(x).sum();
            case "jain" -> jain(x);
            default -> ofOne(name, x);
        };
    }

    private static double ofOne(String name, double[] x) {
        if (x.length != 1) {
            throw new NumberFormatException(name);
        }
        return switch (name) {
            case "round" -> Math.rint(x[0]);
            case "floor" -> Math.floor(x[0]);
            case "ceil" -> Math.ceil(x[0]);
            case "abs" -> Math.abs(x[0]);
            case "sqrt" -> StrictMath.sqrt(x[0]);
            case "cbrt" -> StrictMath.cbrt(x[0]);
            default -> throw new NumberFormatException(name);
        };
    }

    /** From 0 to 1, and always the same of the same numbers. */
    private static double random(double[] of) {
        return NamedRandom.of(Arrays.hashCode(of), "arithmetic", "random").nextDouble();
    }

    /** The number, counted from 0, in a row of whole ones that a seed draws, each below a bound. */
    private static double drawn(long seed, double number, double below) {
        if (!(number >= 0 && number <= MOST_DRAWN && below >= 1 && below <= Long.MAX_VALUE)) {
            throw new NumberFormatException("the number drawn as " + number);
        }
        NamedRandom row = NamedRandom.of(seed, "flows", "starts");
        for (int i = 0; i < (int) number; i++) {
            row.nextLong((long) below);
        }
        return row.nextLong((long) below);
    }

    /**
     * Jain, Chiu and Hawe, "A Quantitative Measure of Fairness and Discrimination for Resource
     * Allocation in Shared Computer Systems", DEC TR-301, 1984.
     */
    private static double jain(double[] of) {
        double sum = Arrays.stream(of).sum();
        double squares = Arrays.stream(of).map(part -> part * part).sum();
        return sum * sum / (of.length * squares);
    }

    private static double number(Object value) {
        if (value instanceof Double number) {
            return number;
        }
        Double truth = truth(value);
        if (truth != null) {
            return truth;
        }
        throw new NumberFormatException(value.toString());
    }

    /** What a word says as a condition; null where it is not one. */
    private static @Nullable Double truth(Object word) {
        return word.equals("true") ? (Double) 1.0 : word.equals("false") ? (Double) 0.0 : null;
    }

    private static Double truth(boolean holds) {
        return holds ? 1.0 : 0.0;
    }
}
