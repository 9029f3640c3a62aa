package io.headgate.config;

import io.headgate.config.key.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Numbers in a list, in which runs are written as in {@code 20-29}. */
final class Ranges {
    /** From one number to another, which may be less: who reads it looks. */
    record Range(int first, int last) {}

    private Ranges() {}

    /** What an item of the list may be. */
    static Map<String, Object> schema(int least, int most, String allowed) {
        int digits = String.valueOf(most).length();
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", List.of("integer", "string"));
        schema.put("minimum", least);
        schema.put("maximum", most);
        schema.put("pattern", "^[0-9]{1,%d}-[0-9]{1,%d}$".formatted(digits, digits));
        schema.put("x-allowed", allowed);
        return schema;
    }

    /** An item of the list; null if it cannot be used. */
    static @Nullable Range read(Place item) {
        if (item.said() instanceof Number number) {
            return new Range(number.intValue(), number.intValue());
        }
        if (item.said() instanceof String range) {
            int dash = range.indexOf('-');
            return new Range(
                    Integer.parseInt(range.substring(0, dash)),
                    Integer.parseInt(range.substring(dash + 1)));
        }
        return null;
    }

    /** Ascending numbers as a list. */
    static List<Object> write(List<Integer> numbers) {
        List<Object> ranges = new ArrayList<>();
        int start = 0;
        for (int i = 1; i <= numbers.size(); i++) {
            if (i < numbers.size() && numbers.get(i) == numbers.get(i - 1) + 1) {
                continue;
            }
            int first = numbers.get(start);
            int last = numbers.get(i - 1);
            ranges.add(first == last ? (Object) first : first + "-" + last);
            start = i;
        }
        return ranges;
    }
}
