package io.headgate.config.key;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A number with its unit, as in {@code 10Gbps}. k, M and G are powers of 1,000; Ki, Mi and Gi are
 * powers of 1,024 (IEC 80000-13). A number without a unit is refused, and so is one that is not
 * whole in the base unit.
 */
public enum Quantity {
    /** Bits in a second. */
    RATE("bps", 1L, "kbps", 1_000L, "Mbps", 1_000_000L, "Gbps", 1_000_000_000L),
    /** Bytes. */
    SIZE(
            "B", 1L,
            "kB", 1_000L,
            "KiB", 1L << 10,
            "MB", 1_000_000L,
            "MiB", 1L << 20,
            "GB", 1_000_000_000L,
            "GiB", 1L << 30),
    /** Nanoseconds. */
    DURATION("ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L),
    /** Picoseconds: for what is too short for whole nanoseconds. */
    DELAY("ps", 1L, "ns", 1_000L, "us", 1_000_000L, "ms", 1_000_000_000L, "s", 1_000_000_000_000L),
    /** Things in a second. */
    FREQUENCY("/s", 1L, "k/s", 1_000L, "M/s", 1_000_000L);

    private static final Pattern FORM =
            Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,18})?) ?([A-Za-z/]{1,5})");

    /** Digits of a number that people see. */
    private static final int DIGITS = 3;

    private record Unit(String name, long factor) {}

    /** From the smallest to the largest; an unmodifiable copy. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<Unit> units;

    Quantity(Object... namesAndFactors) {
        List<Unit> all = new ArrayList<>();
        for (int i = 0; i < namesAndFactors.length; i += 2) {
            all.add(new Unit((String) namesAndFactors[i], (Long) namesAndFactors[i + 1]));
        }
        units = List.copyOf(all);
    }

    /** The value in the base unit, or null if the text is not such a quantity. */
    public @Nullable Long parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        // By the SI it is k; many write K, and so did files of earlier versions.
        String name = this == SIZE && matcher.group(2).equals("KB") ? "kB" : matcher.group(2);
        for (Unit unit : units) {
            if (unit.name.equals(name)) {
                String number = matcher.group(1);
                if (number.indexOf('.') < 0) {
                    // As nearly all are; files of large networks have very many.
                    long count = Long.parseLong(number);
                    long product = count * unit.factor;
                    boolean fits = Math.multiplyHigh(count, unit.factor) == 0 && product >= 0;
                    return fits ? product : null;
                }
                BigDecimal value = new BigDecimal(number).multiply(BigDecimal.valueOf(unit.factor));
                if (value.stripTrailingZeros().scale() > 0) {
                    return null;
                }
                BigInteger whole = value.toBigInteger();
                return whole.bitLength() < Long.SIZE ? whole.longValue() : null;
            }
        }
        return null;
    }

    /** The shortest text that {@link #parse} reads back to the same value. */
    public String format(long value) {
        String best = value + units.get(0).name;
        for (Unit unit : units) {
            if (value != 0 && value % unit.factor == 0) {
                String text = value / unit.factor + unit.name;
                best = text.length() <= best.length() ? text : best;
            }
        }
        return best;
    }

    /**
     * For people: three digits and the largest unit of the powers of 1,000, as in {@code 939 ms}.
     * Rounded down, so that it never states more room than there is.
     */
    public String about(long value) {
        BigDecimal rounded =
                BigDecimal.valueOf(value).round(new MathContext(DIGITS, RoundingMode.FLOOR));
        Unit unit = units.getFirst();
        for (Unit larger : units) {
            if (!larger.name.contains("i")
                    && BigDecimal.valueOf(larger.factor).compareTo(rounded.abs()) <= 0) {
                unit = larger;
            }
        }
        // All factors that are left are powers of ten, so this is exact.
        BigDecimal shown = rounded.divide(BigDecimal.valueOf(unit.factor)).stripTrailingZeros();
        return shown.toPlainString() + " " + unit.name;
    }

    /** The quantity with this name, in lower case. */
    public static Quantity named(String kind) {
        return valueOf(kind.toUpperCase(Locale.ROOT));
    }
}
