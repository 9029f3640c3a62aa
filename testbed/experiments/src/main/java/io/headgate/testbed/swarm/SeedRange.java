package io.headgate.testbed.swarm;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range of seeds, both ends included.
 *
 * @param first at least 0
 * @param last at least the first
 */
public record SeedRange(long first, long last) {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,18})\\.\\.([0-9]{1,18})");

    /**
     * @throws IllegalArgumentException if it is empty, or longer than a million
     */
    public SeedRange {
        if (first < 0 || last < first || last - first >= 1_000_000) {
            throw new IllegalArgumentException(
                    "seeds " + first + " to " + last + ": 1 to 1,000,000 of them are allowed");
        }
    }

    /**
     * Reads {@code 1..500}.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    public static SeedRange parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a range of seeds, such as 1..500");
        }
        return new SeedRange(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }

    public int count() {
        return (int) (last - first + 1);
    }
}
