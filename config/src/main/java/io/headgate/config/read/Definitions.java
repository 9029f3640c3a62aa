package io.headgate.config.read;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Moves the parts that a schema repeats for several keys, such as the keys of a link, into {@code
 * $defs}. A definition has the name of the first such key.
 */
final class Definitions {
    private static final String DEFS = "$defs";
    private static final String PROPERTIES = "properties";

    /**
     * Keywords of a mapping's schema that move into a definition; words and defaults stay at the
     * key.
     */
    private static final Set<String> OF_MAPPINGS =
            Set.of("type", "additionalProperties", "required", PROPERTIES);

    private final Map<Map<Object, Object>, Integer> uses = new HashMap<>();
    private final Map<String, Object> definitions = new LinkedHashMap<>();
    private final Map<Map<Object, Object>, String> names = new HashMap<>();

    private Definitions() {}

    /** An equivalent schema with definitions. */
    static Map<String, Object> of(Map<String, Object> schema) {
        Definitions all = new Definitions();
        schema.values().forEach(all::count);
        Map<String, Object> moved = new LinkedHashMap<>();
        schema.forEach((keyword, value) -> moved.put(keyword, all.moved(value, keyword)));
        if (!all.definitions.isEmpty()) {
            moved.put(DEFS, all.definitions);
        }
        return moved;
    }

    private void count(Object part) {
        if (part instanceof Map<?, ?> map) {
            if (map.get(PROPERTIES) instanceof Map) {
                uses.merge(mapping(map), 1, Integer::sum);
            }
            map.values().forEach(this::count);
        }
    }

    private static Map<Object, Object> mapping(Map<?, ?> schema) {
        Map<Object, Object> mapping = new LinkedHashMap<>(schema);
        mapping.keySet().retainAll(OF_MAPPINGS);
        return mapping;
    }

    /** The part of the schema at a key, with its repetitions moved. */
    private Object moved(Object part, Object key) {
        if (part instanceof List<?> list) {
            List<Object> items = new ArrayList<>();
            list.forEach(item -> items.add(moved(item, key)));
            return items;
        }
        if (!(part instanceof Map<?, ?> map)) {
            return part;
        }
        Map<Object, Object> mapping = mapping(map);
        String name = name(mapping, key.toString());
        Map<Object, Object> left = new LinkedHashMap<>();
        map.forEach((inner, value) -> {
            if (name.isEmpty() || !OF_MAPPINGS.contains(inner.toString())) {
                boolean isKeyword = inner.equals(PROPERTIES) || inner.equals("items");
                left.put(inner, moved(value, isKeyword ? key : inner));
            }
        });
        if (!name.isEmpty()) {
            left.put("$ref", "#/" + DEFS + "/" + name);
        }
        return left;
    }

    /** The name of the definition for a repeated part; empty for a part that occurs once. */
    private String name(Map<Object, Object> mapping, String key) {
        if (uses.getOrDefault(mapping, 0) < 2) {
            return "";
        }
        String known = names.get(mapping);
        if (known == null && !definitions.containsKey(key)) {
            names.put(mapping, key);
            definitions.put(key, Map.of());
            uses.put(mapping, 0);
            definitions.put(key, moved(mapping, key));
            uses.put(mapping, 2);
            known = key;
        }
        return known == null ? "" : known;
    }
}
