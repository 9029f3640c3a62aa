package io.headgate.config.yaml;

import io.headgate.config.key.Text;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A node of a YAML document with its position: line and column from 1. */
sealed interface YamlNode {
    int line();

    int column();

    /**
     * A scalar, resolved by YAML 1.2's core schema. The value is null, a Boolean, a BigInteger
     * (also for a float without fraction), a BigDecimal or a String.
     */
    record Scalar(int line, int column, @Nullable Object value, String text) implements YamlNode {}

    record Sequence(int line, int column, List<YamlNode> items) implements YamlNode {}

    record Mapping(int line, int column, Map<String, Entry> entries) implements YamlNode {
        @Nullable YamlNode get(String key) {
            Entry entry = entries.get(key);
            return entry == null ? null : entry.value();
        }
    }

    /** A key's value, with the position of the key. */
    record Entry(int line, int column, YamlNode value) {}

    /** What was found, in a reader's words. */
    default String describe() {
        return switch (this) {
            case Mapping mapping -> mapping.entries().isEmpty() ? "an empty mapping" : "a mapping";
            case Sequence sequence ->
                    switch (sequence.items().size()) {
                        case 0 -> "an empty list";
                        case 1 -> "a list of 1";
                        default -> "a list of " + sequence.items().size();
                    };
            case Scalar scalar ->
                    switch (scalar.value()) {
                        case null -> "nothing";
                        case String text -> Text.quote(text);
                        case BigInteger number -> Text.shorten(number.toString());
                        case BigDecimal number -> Text.shorten(number.toString());
                        default -> scalar.text();
                    };
        };
    }

    /** Plain Java values as a node without a position. */
    static Mapping mapping(Map<String, Object> plain) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        plain.forEach((key, value) -> entries.put(key, new Entry(0, 0, of(value))));
        return new Mapping(0, 0, entries);
    }

    private static YamlNode of(@Nullable Object plain) {
        return switch (plain) {
            case null -> new Scalar(0, 0, null, "");
            case Map<?, ?> map -> {
                Map<String, Object> keys = new LinkedHashMap<>();
                map.forEach((key, value) -> keys.put((String) key, value));
                yield mapping(keys);
            }
            case List<?> list ->
                    new Sequence(0, 0, list.stream().<YamlNode>map(YamlNode::of).toList());
            case Integer number -> of(BigInteger.valueOf(number));
            case Long number -> of(BigInteger.valueOf(number));
            case Double number -> of(BigDecimal.valueOf(number));
            default -> new Scalar(0, 0, plain, plain.toString());
        };
    }

    /** The node as plain Java values, positions forgotten. */
    default @Nullable Object toPlain() {
        return switch (this) {
            case Scalar scalar -> scalar.value();
            case Sequence sequence -> sequence.items().stream().map(YamlNode::toPlain).toList();
            case Mapping mapping -> {
                Map<String, @Nullable Object> plain = new LinkedHashMap<>();
                mapping.entries().forEach((key, entry) -> plain.put(key, entry.value().toPlain()));
                yield plain;
            }
        };
    }
}
