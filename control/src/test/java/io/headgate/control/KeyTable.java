package io.headgate.control;

import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Section;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All keys of a file for people: the table of the page, in Markdown. */
final class KeyTable {
    private static final String HEAD =
            """
            | key | unit | default | allowed | meaning | changes while it runs |
            |---|---|---|---|---|---|
            """;

    private KeyTable() {}

    /** The keys of a switch. */
    static String ofSwitch() {
        StringBuilder table = new StringBuilder(HEAD);
        rows("", Section.of(SwitchConfig.class).schema(), "", table);
        return table.toString();
    }

    private static void rows(
            String path, Map<String, Object> schema, String setAround, StringBuilder table) {
        mapping(schema.get("properties"))
                .forEach((key, value) -> {
                    Map<String, Object> each = mapping(value);
                    if (each.containsKey("$ref")) {
                        return; // what is common to items is said of the items
                    }
                    String at = path.isEmpty() ? key : path + "." + key;
                    String set = setAround.isEmpty() ? set(each) : setAround;
                    row(at, each, isRequired(schema, key), set, table);
                    String inner = set.startsWith("no") ? "no" : "";
                    rows(at, each, inner, table);
                    // A list is set as a whole, but one of what has a name of its own.
                    boolean isNamed = each.containsKey("x-permanent");
                    rows(at + "[]", mapping(each.get("items")), isNamed ? inner : " ", table);
                });
    }

    /** Whether a key can change while a switch runs; nothing of a mapping, whose keys say it. */
    private static String set(Map<String, Object> schema) {
        String fixed = text(schema, "x-fixed", "");
        String permanent = text(schema, "x-permanent", "");
        boolean isMapping = schema.containsKey("properties") && !schema.containsKey("default");
        if (!fixed.isEmpty()) {
            return "no: " + fixed;
        }
        boolean mayBeGiven = !permanent.isEmpty() && !schema.containsKey("items");
        return mayBeGiven
                ? "where it is given: " + permanent
                : isMapping || !permanent.isEmpty() ? "" : "yes";
    }

    private static void row(
            String at,
            Map<String, Object> schema,
            boolean isRequired,
            String set,
            StringBuilder table) {
        Object constant = schema.get("default");
        String otherwise =
                constant != null
                        ? "`" + constant + "`"
                        : isRequired ? "**required**" : text(schema, "x-default", "");
        table.append("| `").append(at).append("` | ");
        table.append(text(schema, "x-unit", "")).append(" | ");
        table.append(otherwise).append(" | ");
        table.append(text(schema, "x-allowed", "")).append(" | ");
        table.append(text(schema, "description", "")).append(" | ");
        table.append(set.strip()).append(" |\n");
    }

    private static boolean isRequired(Map<String, Object> schema, String key) {
        return schema.get("required") instanceof Collection<?> required && required.contains(key);
    }

    private static String text(Map<String, Object> schema, String keyword, String absent) {
        return schema.get(keyword) instanceof String text ? text : absent;
    }

    private static Map<String, Object> mapping(@Nullable Object value) {
        Map<String, Object> mapping = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> mapping.put((String) key, each));
        }
        return mapping;
    }
}
