package io.headgate.config.read;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Section;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.config.yaml.YamlConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what says how fast flows may send, as a part of a file: a mechanism by its name, where it
 * needs no more, or a mapping of its name to its keys.
 */
public final class RateControlReader {
    private static final Mechanism.Kind KIND = Mechanism.Kind.RATE_CONTROL;

    /** For the schema of another file: {@code "$ref": "headgate-rate-control.schema.json"}. */
    public static final ConfigSchema SCHEMA =
            ConfigSchema.of("headgate-rate-control.schema.json", schema());

    /**
     * Scenario hosts have links of many rates; the published schema gives the defaults for this
     * one.
     */
    private static final Known ASSUMED = Known.of(Map.of("rate", 40_000_000_000L));

    private RateControlReader() {}

    private static Map<String, Object> schema() {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> alone = new ArrayList<>();
        for (Mechanism<?> mechanism : MechanismRegistry.of(KIND)) {
            Map<String, Object> keys = new LinkedHashMap<>();
            keys.put("description", mechanism.says());
            keys.putAll(Section.of(mechanism.configuration()).schema());
            if (keys.get("properties") instanceof Map<?, ?> own) {
                keys.put("x-allowed", "a mapping with any of " + own.keySet());
            }
            if (!keys.containsKey("required")) {
                alone.add(mechanism.name());
            }
            properties.put(mechanism.name(), keys);
        }
        String names = String.join(", ", properties.keySet());
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("$id", "urn:headgate:schema:rate-control");
        schema.put("title", "Headgate rate control");
        schema.put(
                "description",
                "What says how fast each of these flows may send, and how much may be under way.");
        schema.put("type", List.of("string", "object"));
        schema.put("pattern", "^(" + String.join("|", alone) + ")$");
        schema.put("additionalProperties", false);
        schema.put("minProperties", 1);
        schema.put("maxProperties", 1);
        schema.put("properties", properties);
        schema.put("x-noun", "rate control");
        schema.put("x-more", Mechanisms.IN_JARS);
        schema.put("x-default", "none");
        schema.put(
                "x-allowed",
                ("one of %s, with its keys as in {fixed: {rate: 1Gbps}}, or its name alone"
                                + " where it needs none")
                        .formatted(names));
        return schema;
    }

    /** Reads it; null where nothing usable is said. */
    public static Mechanisms.@Nullable Use bind(YamlConfig yaml, String at) {
        Place place = yaml.place(at);
        Object said = place.said();
        String name;
        Place keys;
        if (said instanceof String alone) {
            name = alone;
            keys = place.saying(Map.of());
        } else if (place.keys().size() == 1) {
            name = place.keys().getFirst();
            keys = place.child(name);
        } else {
            return null;
        }
        Mechanism<?> mechanism = MechanismRegistry.find(KIND, name);
        if (mechanism == null || keys.said() == null) {
            return null;
        }
        Record configuration = Section.of(mechanism.configuration()).read(keys, ASSUMED);
        return configuration == null ? null : new Mechanisms.Use(KIND, name, true, configuration);
    }
}
