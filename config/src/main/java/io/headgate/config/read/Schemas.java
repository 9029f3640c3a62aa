package io.headgate.config.read;

import io.headgate.config.key.Section;
import io.headgate.config.yaml.ConfigSchema;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes the schema of a file (draft 2020-12) of the keys that its record declares. */
final class Schemas {
    static final String KEYWORDS =
            "Keywords with x- are for people and for Headgate: x-unit, x-allowed (what is allowed,"
                    + " with an example), x-default (a default that follows from other keys),"
                    + " x-quantity (bounds of a value with a unit), x-fixed (why a value cannot"
                    + " change while the switch runs), x-permanent (why a key cannot come or go).";

    private Schemas() {}

    static ConfigSchema of(
            Class<? extends Record> type,
            String kind,
            String title,
            String description,
            String allowed) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("$id", "urn:headgate:schema:" + kind);
        schema.put("title", title);
        schema.put("description", description);
        schema.putAll(Section.of(type).schema());
        schema.put("x-allowed", allowed);
        return ConfigSchema.of("headgate-" + kind + ".schema.json", schema);
    }
}
