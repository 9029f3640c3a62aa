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
 * Reads one mechanism of a kind as a part of a file: by its name, where it needs no more, or as a
 * mapping of its name to its keys.
 */
public final class MechanismReader {
    /**
     * Scenario hosts have links of many rates; the published schema gives the defaults for this
     * one.
     */
    private static final Known ASSUMED = Known.of(Map.of("rate", 40_000_000_000L));

    /** What says how fast flows may send. */
    public static final MechanismReader RATE_CONTROL =
            new MechanismReader(
                    Mechanism.Kind.RATE_CONTROL,
                    "rate control",
                    "What says how fast each of these flows may send, and how much may be under"
                            + " way.",
                    "{fixed: {rate: 1Gbps}}",
                    true);

    private final Mechanism.Kind kind;
    private final ConfigSchema schema;

    /** Names of those that need no key. */
    private final List<String> alone = new ArrayList<>();

    /** The word for no mechanism, so that a parameter can compare with that, too. */
    private static final String NONE = "none";

    /**
     * @param optional whether none may be said, too
     */
    private MechanismReader(
            Mechanism.Kind kind, String noun, String says, String example, boolean optional) {
        this.kind = kind;
        String word = noun.replace(' ', '-');
        schema =
                ConfigSchema.of(
                        "headgate-" + word + ".schema.json",
                        schema(kind, noun, says, "urn:headgate:schema:" + word, example, optional));
    }

    /** For that of another file, as {@code "$ref": "headgate-rate-control.schema.json"}. */
    public ConfigSchema schema() {
        return schema;
    }

    /** Names of all that need no key, in their order. */
    public List<String> alone() {
        return List.copyOf(alone);
    }

    private Map<String, Object> schema(
            Mechanism.Kind kind,
            String noun,
            String says,
            String id,
            String example,
            boolean optional) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (Mechanism<?> mechanism : MechanismRegistry.of(kind)) {
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
        schema.put("$id", id);
        schema.put("title", "Headgate " + noun);
        schema.put("description", says);
        schema.put("type", List.of("string", "object"));
        String none = optional ? "|" + NONE : "";
        schema.put("pattern", "^(" + String.join("|", alone) + none + ")$");
        schema.put("additionalProperties", false);
        schema.put("minProperties", optional ? 0 : 1);
        schema.put("maxProperties", 1);
        schema.put("properties", properties);
        schema.put("x-noun", noun);
        schema.put("x-more", Mechanisms.IN_JARS);
        schema.put("x-default", "none");
        schema.put(
                "x-allowed",
                "one of %s, with its keys as in %s, or its name alone where it needs none%s"
                        .formatted(names, example, optional ? "; or none" : ""));
        return schema;
    }

    /** Reads it; null where there is none, or nothing usable is said. */
    public Mechanisms.@Nullable Use bind(YamlConfig yaml, String at) {
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
        Mechanism<?> mechanism = MechanismRegistry.find(kind, name);
        if (mechanism == null || keys.said() == null) {
            return null;
        }
        Record configuration = Section.of(mechanism.configuration()).read(keys, ASSUMED);
        return configuration == null ? null : new Mechanisms.Use(kind, name, true, configuration);
    }
}
