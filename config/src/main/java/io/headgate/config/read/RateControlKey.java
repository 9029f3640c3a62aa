package io.headgate.config.read;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.config.key.Codec;
import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rate control as a part of a file: its name, if it needs no keys, or a mapping of its name to
 * its keys.
 */
public final class RateControlKey implements Codec<Mechanisms.Use> {
    /** What the key is for. */
    public static final String SAYS =
            "Rate control: it sets the rate of each of these flows and the amount of data in"
                    + " flight.";

    /**
     * Scenario hosts have links of many rates; the published schema gives the defaults for this
     * one.
     */
    private static final Known ASSUMED = Known.of(Map.of("rate", 40_000_000_000L));

    /** The word for no mechanism, so that a parameter can compare with that, too. */
    private static final String NONE = "none";

    /** Names of all rate controls that need no key, in their order. */
    public static List<String> alone() {
        List<String> alone = new ArrayList<>();
        for (Mechanism<?> mechanism : MechanismRegistry.of(Mechanism.Kind.RATE_CONTROL)) {
            if (!Section.of(mechanism.configuration()).schema().containsKey("required")) {
                alone.add(mechanism.name());
            }
        }
        return alone;
    }

    @Override
    public Map<String, Object> schema() {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (Mechanism<?> mechanism : MechanismRegistry.of(Mechanism.Kind.RATE_CONTROL)) {
            Map<String, Object> keys = new LinkedHashMap<>();
            keys.put("description", mechanism.says());
            keys.putAll(Section.of(mechanism.configuration()).schema());
            if (keys.get("properties") instanceof Map<?, ?> own) {
                keys.put("x-allowed", "a mapping with any of " + own.keySet());
            }
            properties.put(mechanism.name(), keys);
        }
        String names = String.join(", ", properties.keySet());
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", List.of("string", "object"));
        schema.put("pattern", "^(" + String.join("|", alone()) + "|" + NONE + ")$");
        schema.put("additionalProperties", false);
        schema.put("minProperties", 0);
        schema.put("maxProperties", 1);
        schema.put("properties", properties);
        schema.put("x-noun", "rate control");
        schema.put("x-more", Mechanisms.IN_JARS);
        schema.put(
                "x-allowed",
                ("one of %s, with its keys as in {fixed: {rate: 1Gbps}}, or only its name if it"
                                + " needs no keys; or none")
                        .formatted(names));
        return schema;
    }

    @Override
    public Mechanisms.@Nullable Use read(Place place, Known known) {
        String name = place.keys().size() == 1 ? place.keys().getFirst() : "";
        Place keys = place.child(name);
        if (place.said() instanceof String alone) {
            name = alone;
            keys = place.saying(Map.of());
        }
        Mechanism<?> mechanism = MechanismRegistry.find(Mechanism.Kind.RATE_CONTROL, name);
        if (mechanism == null || keys.said() == null) {
            return null;
        }
        Record configuration = Section.of(mechanism.configuration()).read(keys, ASSUMED);
        return configuration == null
                ? null
                : new Mechanisms.Use(Mechanism.Kind.RATE_CONTROL, name, true, configuration);
    }

    @Override
    public Object write(Mechanisms.Use value, Known known) {
        throw new IllegalStateException("files of test beds are read only");
    }

    @Override
    public Mechanisms.Use nothing() {
        throw new IllegalStateException("no rate control is null");
    }
}
