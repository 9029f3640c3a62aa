package io.headgate.control.sonic;

import io.headgate.config.ConfigException;
import io.headgate.config.Reason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The content of a {@code config_db.json}: tables of entries of fields, all of them texts. Each
 * mistake is reported as one sentence that names its place as {@code TABLE|entry|field}.
 */
final class ConfigDb {
    private static final JsonMapper STRICT =
            JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    /** Old files name an entry by its table, too. */
    private static final Pattern REFERENCE = Pattern.compile("\\[[A-Z0-9_]+\\|(.*)]");

    private static final Pattern RANGE = Pattern.compile("([0-9]{1,3})(?:-([0-9]{1,3}))?");

    private final String name;
    private final Map<String, Map<String, Map<String, String>>> tables = new LinkedHashMap<>();

    /**
     * Reads a text.
     *
     * @throws ConfigException if it is not JSON, or does not have this form
     */
    ConfigDb(String text, String name) {
        this.name = name;
        JsonNode root;
        try {
            root = STRICT.readTree(text);
        } catch (JacksonException e) {
            throw new ConfigException(name + ": is not JSON: " + Reason.of(e), e);
        }
        if (!root.isObject() || !root.path("PORT").isObject() || root.path("PORT").isEmpty()) {
            throw wrong("PORT", "is missing or empty", "tables of a SONiC switch, PORT among them");
        }
        for (Map.Entry<String, JsonNode> table : root.properties()) {
            tables.put(table.getKey(), entries(table.getValue()));
        }
    }

    private static Map<String, Map<String, String>> entries(JsonNode table) {
        Map<String, Map<String, String>> entries = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : table.properties()) {
            Map<String, String> fields = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> field : entry.getValue().properties()) {
                if (field.getValue().isValueNode()) {
                    fields.put(field.getKey(), field.getValue().asString());
                }
            }
            entries.put(entry.getKey(), fields);
        }
        return entries;
    }

    Iterable<String> tables() {
        return tables.keySet();
    }

    /** The entries of a table, by name; none if there is no such table. */
    Map<String, Map<String, String>> table(String table) {
        return tables.getOrDefault(table, Map.of());
    }

    /** The fields of an entry; none if there is no such entry. */
    Map<String, String> entry(String table, String entry) {
        return table(table).getOrDefault(entry, Map.of());
    }

    /**
     * The entry that a field names.
     *
     * @return its fields; none if the field is missing
     * @throws ConfigException if it names an entry that does not exist
     */
    Map<String, String> named(String place, @Nullable String reference, String table) {
        if (reference == null) {
            return Map.of();
        }
        Map<String, String> fields = table(table).get(plain(reference));
        if (fields == null) {
            throw wrong(place, found(reference), "an entry of " + table);
        }
        return fields;
    }

    static String plain(String reference) {
        Matcher old = REFERENCE.matcher(reference);
        return old.matches() ? old.group(1) : reference;
    }

    /**
     * The entry for a port and one of its queues or priority groups: the last whose key has both,
     * as in {@code Ethernet0,Ethernet4|3-4}.
     *
     * @return its key; null if there is none
     */
    @Nullable String covering(String table, String port, int number) {
        String found = null;
        for (String key : table(table).keySet()) {
            int bar = key.lastIndexOf('|');
            if (bar > 0
                    && List.of(key.substring(0, bar).split(",")).contains(port)
                    && numbers(table + "|" + key, key.substring(bar + 1), 63).contains(number)) {
                found = key;
            }
        }
        return found;
    }

    /**
     * Numbers and ranges of them, as {@code 3,4} and {@code 0-2}.
     *
     * @throws ConfigException if it is something else, or a number exceeds {@code most}
     */
    List<Integer> numbers(String place, String text, int most) {
        List<Integer> numbers = new ArrayList<>();
        for (String part : text.isBlank() ? new String[0] : text.split(",")) {
            Matcher matcher = RANGE.matcher(part.strip());
            int from = matcher.matches() ? Integer.parseInt(matcher.group(1)) : most + 1;
            int to =
                    matcher.matches() && matcher.group(2) != null
                            ? Integer.parseInt(matcher.group(2))
                            : from;
            if (to > most || from > to) {
                throw wrong(
                        place, found(text), "numbers from 0 to " + most + ", such as 3,4 or 0-2");
            }
            for (int number = from; number <= to; number++) {
                numbers.add(number);
            }
        }
        return numbers;
    }

    /**
     * A number in a field.
     *
     * @throws ConfigException if there is something else, or it is out of range
     */
    long number(String place, String text, long least, long most) {
        try {
            long number = Long.parseLong(text.strip());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below, as what is out of range is.
        }
        throw wrong(place, found(text), "a whole number from " + least + " to " + most);
    }

    private static String found(String text) {
        return "found \"" + (text.length() > 60 ? text.substring(0, 60) + "…" : text) + "\"";
    }

    ConfigException wrong(String place, String what, String allowed) {
        return new ConfigException(
                LeftOut.printable(name + ": " + place + ": " + what + "; allowed: " + allowed),
                new IllegalArgumentException(place));
    }
}
