package io.headgate.testbed.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a scenario: a number with a unit and a range, one word of several, or any text.
 *
 * @param unit unit of a number; null for a word or a text
 * @param defaults values that are used by default, in the base unit or as words; more than one make
 *     a sweep
 * @param min smallest number allowed, in the base unit
 * @param max largest number allowed, in the base unit
 * @param words allowed words; empty for a number or a text
 * @param meaning description for people, without full stop
 */
public record Parameter(
        String name,
        @Nullable Unit unit,
        List<Object> defaults,
        double min,
        double max,
        List<String> words,
        String meaning) {

    /** Maximum number of values of one parameter in one sweep. */
    static final int MAX_VALUES = 1000;

    /** Maximum length of a text. */
    public static final int MOST_OF_TEXT = 400;

    /** The allowed form of a text, for a message. */
    public static final String TEXT =
            "a line of up to 400 characters without quotation marks, backslashes and $";

    private static final Pattern FORM =
            Pattern.compile("[^\\p{Cntrl}\"'\\\\$]{0," + MOST_OF_TEXT + "}");
    private static final Pattern RANGE = Pattern.compile("(.+?)\\.\\.(.+?)(?::(.+))?");

    public Parameter {
        defaults = List.copyOf(defaults);
        words = List.copyOf(words);
    }

    /**
     * A number.
     *
     * @param defaults as a person writes it, a list or range for a sweep
     * @param min as a person writes it
     * @param max as a person writes it
     */
    public static Parameter number(
            String name, Unit unit, String defaults, String min, String max, String meaning) {
        Parameter allowed =
                new Parameter(
                        name,
                        unit,
                        List.of(),
                        must(unit, min),
                        must(unit, max),
                        List.of(),
                        meaning);
        try {
            List<Object> values = allowed.parse(defaults);
            return new Parameter(name, unit, values, allowed.min, allowed.max, List.of(), meaning);
        } catch (ScenarioException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** A whole number of things. */
    public static Parameter count(
            String name, String defaults, String min, String max, String meaning) {
        return number(name, Unit.COUNT, defaults, min, max, meaning);
    }

    /** One word of several; the first is the default. */
    public static Parameter word(String name, List<String> words, String meaning) {
        return new Parameter(name, null, List.of(words.getFirst()), 0, 0, words, meaning);
    }

    /** One word of several; by default there is one run for each word. */
    public static Parameter words(String name, List<String> words, String meaning) {
        return new Parameter(name, null, List.copyOf(words), 0, 0, words, meaning);
    }

    /**
     * Any text.
     *
     * @throws ScenarioException if the default cannot be one
     */
    public static Parameter text(String name, String value, String meaning)
            throws ScenarioException {
        Parameter any = new Parameter(name, null, List.of(value), 0, 0, List.of(), meaning);
        return new Parameter(name, null, any.parse(value), 0, 0, List.of(), meaning);
    }

    private boolean isText() {
        return unit == null && words.isEmpty();
    }

    private static double must(Unit unit, String text) {
        Double value = unit.parse(text);
        if (value == null) {
            throw new IllegalArgumentException("'" + text + "' is no " + unit);
        }
        return value;
    }

    /**
     * Reads values: one, several with commas, or a range as in {@code 0.1..0.7:0.2}, which holds
     * its end if a step meets it; a text is one value.
     *
     * @return numbers in the base unit, or words; at least one
     * @throws ScenarioException if one is not allowed, in a sentence that names what is
     */
    public List<Object> parse(String text) throws ScenarioException {
        if (isText()) {
            if (!FORM.matcher(text).matches()) {
                throw wrong(text, "allowed is " + TEXT);
            }
            return List.of(text);
        }
        List<Object> values = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (unit == null) {
                values.add(word(part.strip()));
            } else {
                addNumbers(unit, part.strip(), values);
            }
            if (values.size() > MAX_VALUES) {
                throw wrong(text, "at most " + MAX_VALUES + " values are allowed");
            }
        }
        return values;
    }

    private String word(String text) throws ScenarioException {
        if (!words.contains(text)) {
            throw wrong(text, "allowed is " + String.join(", ", words));
        }
        return text;
    }

    private void addNumbers(Unit of, String text, List<Object> values) throws ScenarioException {
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            values.add(number(of, text));
            return;
        }
        double from = number(of, range.group(1));
        double to = number(of, range.group(2));
        String stepText = range.group(3);
        if (stepText == null && of != Unit.COUNT) {
            throw wrong(text, "a range needs a step, as in 0.1..0.7:0.2");
        }
        Double step = stepText == null ? Double.valueOf(1) : of.parse(stepText);
        if (step == null || step <= 0 || to < from) {
            throw wrong(text, "a range is FROM..TO:STEP with FROM <= TO and STEP > 0");
        }
        // Half a millionth of a step forgives what decimal fractions lose in binary.
        double steps = Math.floor((to - from) / step + 5e-7);
        if (steps >= MAX_VALUES) {
            throw wrong(text, "at most " + MAX_VALUES + " values are allowed");
        }
        for (int i = 0; i <= steps; i++) {
            double value = from + i * step;
            values.add(of.isWhole() ? value : Math.rint(value * 1e12) / 1e12);
        }
    }

    private double number(Unit of, String text) throws ScenarioException {
        Double value = of.parse(text);
        if (value == null || value < min || value > max) {
            throw wrong(
                    text,
                    "allowed is "
                            + of.format(min)
                            + " to "
                            + of.format(max)
                            + ", for example "
                            + (defaults.isEmpty() ? of.example() : format(defaults.getFirst())));
        }
        return value;
    }

    /** A value as a person writes it. */
    public String format(Object value) {
        return unit == null ? (String) value : unit.format((Double) value);
    }

    /** The allowed values, for a list of parameters. */
    public String range() {
        return isText()
                ? "any text"
                : unit == null
                        ? String.join(", ", words)
                        : unit.format(min) + " to " + unit.format(max);
    }

    /** The default values as a person writes them. */
    public String defaultText() {
        return String.join(",", defaults.stream().map(this::format).toList());
    }

    private ScenarioException wrong(String text, String allowed) {
        String what = name.startsWith("-") ? name : "parameter " + name;
        return new ScenarioException(what + " cannot be '" + Words.shown(text) + "': " + allowed);
    }
}
