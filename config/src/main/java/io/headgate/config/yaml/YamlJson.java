package io.headgate.config.yaml;

import dev.harrel.jsonschema.JsonNode;
import dev.harrel.jsonschema.JsonNodeFactory;
import dev.harrel.jsonschema.SimpleType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A YAML tree as the schema validator sees it. */
final class YamlJson implements JsonNode {

    /** Wraps {@link YamlNode}s; schemas come as text. */
    static final class Factory implements JsonNodeFactory {
        @Override
        public JsonNode wrap(Object node) {
            return node instanceof JsonNode json ? json : new YamlJson((YamlNode) node, "");
        }

        @Override
        public JsonNode create(String text) {
            Problems problems = new Problems("schema");
            YamlNode root = YamlReader.read(text, "a schema", problems);
            problems.throwIfAny();
            return new YamlJson(root, "");
        }
    }

    private final YamlNode node;
    private final String pointer;

    // Each keyword of a schema asks for them again; several threads may read those of a schema.
    private volatile @Nullable List<JsonNode> items;
    private volatile @Nullable Map<String, JsonNode> members;

    private YamlJson(YamlNode node, String pointer) {
        this.node = node;
        this.pointer = pointer;
    }

    @Override
    public String getJsonPointer() {
        return pointer;
    }

    @Override
    public SimpleType getNodeType() {
        return switch (node) {
            case YamlNode.Mapping _ -> SimpleType.OBJECT;
            case YamlNode.Sequence _ -> SimpleType.ARRAY;
            case YamlNode.Scalar scalar ->
                    switch (scalar.value()) {
                        case null -> SimpleType.NULL;
                        case Boolean _ -> SimpleType.BOOLEAN;
                        case BigInteger _ -> SimpleType.INTEGER;
                        case BigDecimal _ -> SimpleType.NUMBER;
                        default -> SimpleType.STRING;
                    };
        };
    }

    private @Nullable Object value() {
        return node instanceof YamlNode.Scalar scalar ? scalar.value() : null;
    }

    @Override
    public boolean asBoolean() {
        return Boolean.TRUE.equals(value());
    }

    @Override
    public String asString() {
        return String.valueOf(value());
    }

    @Override
    public BigInteger asInteger() {
        return value() instanceof BigInteger number ? number : asNumber().toBigInteger();
    }

    @Override
    public BigDecimal asNumber() {
        return switch (value()) {
            case BigInteger number -> new BigDecimal(number);
            case BigDecimal number -> number;
            case null, default -> throw new IllegalStateException(pointer + " is not a number");
        };
    }

    @Override
    public List<JsonNode> asArray() {
        List<JsonNode> known = items;
        if (known == null) {
            List<JsonNode> made = new ArrayList<>();
            for (YamlNode item : ((YamlNode.Sequence) node).items()) {
                made.add(new YamlJson(item, Pointer.child(pointer, made.size())));
            }
            items = made;
            known = made;
        }
        return known;
    }

    @Override
    public Map<String, JsonNode> asObject() {
        Map<String, JsonNode> known = members;
        if (known == null) {
            Map<String, JsonNode> made = new LinkedHashMap<>();
            ((YamlNode.Mapping) node)
                    .entries()
                    .forEach((key, entry) ->
                            made.put(
                                    key, new YamlJson(entry.value(), Pointer.child(pointer, key))));
            members = made;
            known = made;
        }
        return known;
    }

    /** The same value, at any position. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof YamlJson json
                && Objects.equals(node.toPlain(), json.node.toPlain());
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(node.toPlain());
    }
}
