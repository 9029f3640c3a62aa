package io.headgate.testbed.scenario.file;

import io.headgate.config.key.Codec;
import io.headgate.config.key.Codecs;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.control.report.Json;
import io.headgate.testbed.scenario.Unit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/** Codecs of scenario files: for expressions, for times of any length, for any word. */
public final class Said {
    public static final String LINK = "^[A-Za-z0-9_.-]{1,64}$";
    public static final String LINKS =
            "a link by its ends or a list, such as s1-s2 or [s1-s2, h1-s1]";
    public static final String A_LINK = "a link by its ends, such as s1-s2";
    static final String NUMBER =
            "a number, such as 150, or arithmetic with parameters, such as 10 / $senders";
    static final String A_MEASURE = "a measure, such as throughput of web";
    static final String MEASURES = "a list of measures, such as [throughput of web]";
    static final String A_SERIES = "a recorded series, such as queue s1/p4";
    static final String A_PARAMETER = "a parameter, such as control";
    static final String TRAFFIC = "a name of traffic, such as web";

    private static final double NS_PER_US = 1e3;

    private Said() {}

    /**
     * An expression, kept as text; the names in it are checked later, where the valid names are
     * known.
     */
    public record Formula(Key key) implements Codec<String> {
        @Override
        public Map<String, Object> schema() {
            return number(key);
        }

        @Override
        public String read(Place place, Known known) {
            return String.valueOf(place.said());
        }

        @Override
        public String nothing() {
            return "";
        }
    }

    /** A number, or an expression whose parameters have been replaced. */
    public record Amount(Key key) implements Codec<Double> {
        @Override
        public Map<String, Object> schema() {
            return number(key);
        }

        @Override
        public @Nullable Double read(Place place, Known known) {
            Double value = Arithmetic.value(String.valueOf(place.said()));
            if (value == null) {
                place.refuse();
            }
            return value;
        }

        @Override
        public Double nothing() {
            return 0.0;
        }
    }

    /** A time in us, not necessarily a whole number. */
    public record Micros() implements Codec<Double> {
        @Override
        public Map<String, Object> schema() {
            return Codecs.ordered("type", "string", "pattern", "^[0-9.]+(ns|us|ms|s)$");
        }

        @Override
        public @Nullable Double read(Place place, Known known) {
            Double value = us(String.valueOf(place.said()));
            if (value == null) {
                place.refuse();
            }
            return value;
        }

        @Override
        public Double nothing() {
            return 0.0;
        }
    }

    /**
     * The schema of a value that may be an expression instead of a number; bounds apply only to
     * numbers.
     */
    private static Map<String, Object> number(Key key) {
        Map<String, Object> schema = Codecs.ordered("type", List.of("number", "string"));
        if (!key.min().isEmpty()) {
            schema.put("minimum", Double.valueOf(key.min()));
        }
        if (!key.max().isEmpty()) {
            schema.put("maximum", Double.valueOf(key.max()));
        }
        return schema;
    }

    /** A time in us; null if a text is not a time. */
    static @Nullable Double us(String text) {
        Double ns = Unit.DURATION.parse(text);
        return ns == null ? null : ns / NS_PER_US;
    }

    /** A text, which may look like a number or a truth value. */
    public record Word(Key key) implements Codec<String> {
        @Override
        public Map<String, Object> schema() {
            Map<String, Object> schema =
                    Codecs.ordered("type", List.of("string", "number", "boolean"));
            if (!key.pattern().isEmpty()) {
                schema.put("pattern", key.pattern());
            }
            if (!key.min().isEmpty()) {
                schema.put("minLength", Integer.valueOf(key.min()));
            }
            if (!key.max().isEmpty()) {
                schema.put("maxLength", Integer.valueOf(key.max()));
            }
            return schema;
        }

        @Override
        public String read(Place place, Known known) {
            return String.valueOf(place.said());
        }

        @Override
        public String nothing() {
            return "";
        }
    }

    /** Names with words, in the order of the file. */
    static class Words implements Codec<Map<String, String>> {
        @Override
        public Map<String, Object> schema() {
            return Codecs.ordered("type", "object", "minProperties", 1);
        }

        @Override
        public Map<String, String> read(Place place, Known known) {
            Map<String, String> words = new LinkedHashMap<>();
            place.keys().forEach(name -> words.put(name, String.valueOf(place.child(name).said())));
            return Collections.unmodifiableMap(words);
        }

        @Override
        public Map<String, String> nothing() {
            return Map.of();
        }
    }

    /** A mapping with any content. */
    public static class Mapping implements Codec<Map<String, Object>> {
        private final Key key;

        Mapping(Key key) {
            this.key = key;
        }

        @Override
        public Map<String, Object> schema() {
            Map<String, Object> schema = Codecs.ordered("type", "object");
            if (!key.min().isEmpty()) {
                schema.put("minProperties", Integer.valueOf(key.min()));
            }
            return schema;
        }

        @Override
        public Map<String, Object> read(Place place, Known known) {
            Map<String, Object> keys = new LinkedHashMap<>();
            if (place.said() instanceof Map<?, ?> said) {
                said.forEach((key, value) -> keys.put(String.valueOf(key), value));
            }
            return Collections.unmodifiableMap(keys);
        }

        @Override
        public Map<String, Object> nothing() {
            return Map.of();
        }
    }

    /** A schema from JSON, with its order kept. */
    static Map<String, Object> schema(String json) {
        return Json.COMPACT.readValue(json, new TypeReference<LinkedHashMap<String, Object>>() {});
    }

    /** A topology, which its own reader reads. */
    public static final class Topology extends Mapping {
        Topology(Key key) {
            super(key);
        }

        @Override
        public Map<String, Object> schema() {
            return Codecs.ordered("$ref", "headgate-topology.schema.json");
        }
    }
}
