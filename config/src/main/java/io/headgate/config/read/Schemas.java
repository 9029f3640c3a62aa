package io.headgate.config.read;

import io.headgate.config.key.Section;
import io.headgate.config.yaml.ConfigSchema;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes the schema of a file (draft 2020-12) from the keys that its record declares. */
public final class Schemas {
    static final String KEYWORDS =
            "Keywords with x- are for people and for Headgate: x-unit, x-allowed (allowed values,"
                    + " with an example), x-default (a default that is computed from other keys),"
                    + " x-quantity (bounds of a value with a unit), x-fixed (why a value cannot"
                    + " change while the switch runs), x-permanent (why a key cannot be added or"
                    + " removed while the switch runs).";

    private Schemas() {}

    /**
     * The schema of a file. Parts that are equal for several keys are written once, in {@code
     * $defs}.
     *
     * @param kind what the file is, in a word: its name and its {@code $id} are made from it
     * @param allowed what a file may be, with an example
     * @param included schemas of other files, to which it refers with {@code $ref}
     */
    public static ConfigSchema withDefinitions(
            Class<? extends Record> type,
            String kind,
            String title,
            String description,
            String allowed,
            ConfigSchema... included) {
        return ConfigSchema.of(
                name(kind),
                Definitions.of(schema(type, kind, title, description, allowed, Map.of())),
                included);
    }

    /** The schema of some of the keys of a file, which may have others. */
    public static ConfigSchema ofSomeKeys(
            Class<? extends Record> type, String kind, String allowed) {
        Map<String, Object> schema = schema(type, kind, kind, "Some keys.", allowed, Map.of());
        schema.remove("additionalProperties");
        return ConfigSchema.of(name(kind), schema);
    }

    static ConfigSchema of(
            Class<? extends Record> type,
            String kind,
            String title,
            String description,
            String allowed) {
        return of(type, kind, title, description, allowed, Map.of());
    }

    /** The same for a file in which defaults do not follow from other keys as they do elsewhere. */
    static ConfigSchema of(
            Class<? extends Record> type,
            String kind,
            String title,
            String description,
            String allowed,
            Map<String, Object> constants) {
        return ConfigSchema.of(
                name(kind), schema(type, kind, title, description, allowed, constants));
    }

    private static String name(String kind) {
        return "headgate-" + kind + ".schema.json";
    }

    private static Map<String, Object> schema(
            Class<? extends Record> type,
            String kind,
            String title,
            String description,
            String allowed,
            Map<String, Object> constants) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("$id", "urn:headgate:schema:" + kind);
        schema.put("title", title);
        schema.put("description", description);
        Section.of(type)
                .schema()
                .forEach((keyword, value) -> schema.put(keyword, settled(value, constants)));
        schema.put("x-allowed", allowed);
        return schema;
    }

    /** A part of a schema with constants as defaults instead of words. */
    private static Object settled(Object part, Map<String, Object> constants) {
        if (!(part instanceof Map<?, ?> map)) {
            return part;
        }
        Map<Object, Object> settled = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            Object inner = settled(value, constants);
            Object standard = key instanceof String name ? constants.get(name) : null;
            settled.put(
                    key,
                    standard != null && inner instanceof Map<?, ?> schema
                            ? constant(schema, standard)
                            : inner);
        });
        return settled;
    }

    private static Map<Object, Object> constant(Map<?, ?> key, Object standard) {
        Map<Object, Object> constant = new LinkedHashMap<>();
        key.forEach((keyword, value) -> {
            boolean isWords = "x-default".equals(keyword);
            constant.put(isWords ? "default" : keyword, isWords ? standard : value);
        });
        return constant;
    }
}
