package io.headgate.testbed.scenario;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The unit of a parameter's number, and how people write it. k, M and G are powers of 1,000; Ki and
 * Mi are powers of 1,024 (IEC 80000-13).
 */
public enum Unit {
    /** Bits in a second, as in {@code 10Gbps}. */
    RATE("bit/s", "10Gbps", "bps", 1e0, "kbps", 1e3, "Mbps", 1e6, "Gbps", 1e9),
    /** Bytes, as in {@code 100kB}. */
    SIZE(
            "byte", "100kB", "B", 1e0, "kB", 1e3, "KiB", 1024.0, "MB", 1e6, "MiB", 1048576.0, "GB",
            1e9),
    /** Nanoseconds, as in {@code 10us}. */
    DURATION("ns", "10us", "ns", 1e0, "us", 1e3, "ms", 1e6, "s", 1e9),
    /** Whole things, as in {@code 16}; {@code 10k} and {@code 2M} are understood. */
    COUNT("", "16", "", 1e0, "k", 1e3, "M", 1e6),
    /** A number without unit, as in {@code 0.5}; {@code 50%} is understood. */
    NUMBER("", "0.5", "", 1e0, "%", 1e-2);

    private static final Pattern FORM =
            Pattern.compile("(-?[0-9]{1,18}(?:\\.[0-9]{1,40})?) ?([A-Za-z]{0,5}|%)");

    private final String base;
    private final String example;

    @SuppressWarnings("ImmutableEnumChecker") // filled in the constructor, never given away
    private final Map<String, Double> factors = new LinkedHashMap<>();

    Unit(String base, String example, Object... namesAndFactors) {
        this.base = base;
        this.example = example;
        for (int i = 0; i < namesAndFactors.length; i += 2) {
            factors.put((String) namesAndFactors[i], (Double) namesAndFactors[i + 1]);
        }
    }

    /** The base unit's symbol, for headings; empty for a pure number. */
    public String symbol() {
        return base;
    }

    /** Whether values are whole numbers of the base unit. */
    public boolean isWhole() {
        return this != NUMBER;
    }

    String example() {
        return example;
    }

    /** The value in the base unit, or null if the text is not such a quantity. */
    public @Nullable Double parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            return null;
        }
        // As in configurations, where many write K.
        String name = this == SIZE && matcher.group(2).equals("KB") ? "kB" : matcher.group(2);
        Double factor = factors.get(name);
        if (factor == null) {
            return null;
        }
        BigDecimal value = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(factor));
        boolean tooFine = isWhole() && value.stripTrailingZeros().scale() > 0;
        return tooFine || value.abs().doubleValue() > 9e15 ? null : value.doubleValue();
    }

    /** Formats a value so that it is read back to the same value. */
    public String format(double value) {
        if (this == NUMBER) {
            return plain(value);
        }
        String best = plain(value) + factors.keySet().iterator().next();
        for (Map.Entry<String, Double> unit : factors.entrySet()) {
            double part = value / unit.getValue();
            String text = plain(part) + unit.getKey();
            Double back = parse(text);
            boolean wieldy = value == 0 || Math.abs(part) >= 1;
            if (wieldy && text.length() < best.length() && back != null && back == value) {
                best = text;
            }
        }
        return best;
    }

    static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
