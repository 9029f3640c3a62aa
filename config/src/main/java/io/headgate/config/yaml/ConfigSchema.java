package io.headgate.config.yaml;

import dev.harrel.jsonschema.Dialects;
import dev.harrel.jsonschema.EvaluationContext;
import dev.harrel.jsonschema.Evaluator;
import dev.harrel.jsonschema.EvaluatorFactory;
import dev.harrel.jsonschema.JsonNode;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Text;
import java.math.BigDecimal;
import java.net.URI;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A published schema (draft 2020-12): finds where a tree departs from it, and says what it allows
 * there. The validator knows where; the words come from the schema's own {@code x-allowed}.
 *
 * <p>A schema may include another one: {@code "$ref": "NAME.schema.json"} means all of it.
 */
public final class ConfigSchema {
    private static final String REF = "$ref";
    private static final String DEFS = "$defs";

    /**
     * Keywords without effect on the result, each of which would cost the validator time at each
     * node.
     */
    private static final Set<String> WORDS =
            Set.of(
                    "title",
                    "description",
                    "default",
                    "x-allowed",
                    "x-beds",
                    "x-default",
                    "x-fixed",
                    "x-more",
                    "x-noun",
                    "x-permanent",
                    "x-unit");

    private final String resource;
    private final URI uri;
    private final YamlNode root;
    private @Nullable Validator validator;

    private ConfigSchema(String resource, YamlNode root) {
        this.resource = resource;
        this.root = root;
        uri =
                URI.create(
                        ((YamlNode.Scalar) Objects.requireNonNull(mappingOf(root).get("$id")))
                                .text());
    }

    /** Made when the first file is checked: a schema that others include may check none. */
    private synchronized Validator validator() {
        if (validator == null) {
            validator =
                    new ValidatorFactory()
                            .withJsonNodeFactory(new YamlJson.Factory())
                            .withDefaultDialect(new Dialects.Draft2020Dialect())
                            .withEvaluatorFactory(
                                    new EvaluatorFactory.Builder()
                                            .withKeyword("x-quantity", Bounds::of)
                                            .build())
                            .withDisabledSchemaValidation(true)
                            .createValidator();
            validator.registerSchema(uri, (Object) withoutWords(root));
        }
        return validator;
    }

    /**
     * An equivalent schema without these keywords. A mapping under such a name is kept: it is the
     * schema of a key with that name.
     */
    private static YamlNode withoutWords(YamlNode schema) {
        return switch (schema) {
            case YamlNode.Scalar scalar -> scalar;
            case YamlNode.Sequence sequence ->
                    new YamlNode.Sequence(
                            sequence.line(),
                            sequence.column(),
                            sequence.items().stream().map(ConfigSchema::withoutWords).toList());
            case YamlNode.Mapping mapping -> {
                Map<String, YamlNode.Entry> kept = new LinkedHashMap<>();
                mapping.entries()
                        .forEach((key, entry) -> {
                            boolean isWord =
                                    WORDS.contains(key)
                                            && !(entry.value() instanceof YamlNode.Mapping);
                            if (!isWord) {
                                YamlNode value = withoutWords(entry.value());
                                kept.put(
                                        key,
                                        new YamlNode.Entry(entry.line(), entry.column(), value));
                            }
                        });
                yield new YamlNode.Mapping(mapping.line(), mapping.column(), kept);
            }
        };
    }

    /**
     * A schema made from the keys of records; others may include it by the name of its file.
     *
     * @param resource its file's name, by which other schemas refer to it; it has an {@code $id}
     * @param included the schemas that it refers to: they are in its {@code $defs}, whole
     */
    public static ConfigSchema of(
            String resource, Map<String, Object> schema, ConfigSchema... included) {
        YamlNode.Mapping root = YamlNode.mapping(schema);
        for (ConfigSchema one : included) {
            String place = "#/" + DEFS + "/" + one.resource;
            root = mappingOf(pointElsewhere(root, one.resource, place));
            YamlNode.Mapping guest = mappingOf(pointElsewhere(one.root, "#", place));
            guest.entries().keySet().removeAll(Set.of("$id", "$schema"));
            YamlNode.Mapping defs = new YamlNode.Mapping(0, 0, new LinkedHashMap<>());
            defs.entries().putAll(mappingOf(root.get(DEFS)).entries());
            defs.entries().put(one.resource, new YamlNode.Entry(0, 0, guest));
            root.entries().put(DEFS, new YamlNode.Entry(0, 0, defs));
        }
        return new ConfigSchema(resource, root);
    }

    /** A copy in which the beginning of references is replaced; whole numbers have no point. */
    private static YamlNode pointElsewhere(YamlNode node, String from, String to) {
        return switch (node) {
            case YamlNode.Scalar(int line, int column, BigDecimal number, String text)
                    when number.stripTrailingZeros().scale() <= 0 ->
                    new YamlNode.Scalar(line, column, number.toBigInteger(), text);
            case YamlNode.Scalar scalar -> scalar;
            case YamlNode.Sequence sequence ->
                    new YamlNode.Sequence(
                            sequence.line(),
                            sequence.column(),
                            sequence.items().stream()
                                    .map(item -> pointElsewhere(item, from, to))
                                    .toList());
            case YamlNode.Mapping mapping -> {
                Map<String, YamlNode.Entry> entries = new LinkedHashMap<>();
                mapping.entries()
                        .forEach((key, entry) -> {
                            YamlNode value = pointElsewhere(entry.value(), from, to);
                            if (key.equals(REF)
                                    && value instanceof YamlNode.Scalar ref
                                    && ref.text().startsWith(from)) {
                                value = scalar(elsewhere(ref.text(), from, to));
                            }
                            entries.put(
                                    key, new YamlNode.Entry(entry.line(), entry.column(), value));
                        });
                yield new YamlNode.Mapping(mapping.line(), mapping.column(), entries);
            }
        };
    }

    private static String elsewhere(String reference, String from, String to) {
        String rest = reference.substring(from.length());
        return to + (rest.startsWith("#") ? rest.substring(1) : rest);
    }

    private static YamlNode.Scalar scalar(String text) {
        return new YamlNode.Scalar(0, 0, text, text);
    }

    /** The schema as it is published, with what it includes. */
    public String text() {
        return Json.MAPPER.writeValueAsString(root.toPlain());
    }

    /** A separate class, since reading a file needs none of it. */
    private static final class Json {
        static final JsonMapper MAPPER =
                JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    }

    YamlNode root() {
        return root;
    }

    /** Adds a problem for each departure; answers the pointers of the nodes that are unusable. */
    Set<String> check(YamlNode tree, Problems problems) {
        Validator.Result result = validator().validate(uri, tree);
        Set<String> bad = new HashSet<>();
        if (result.isValid()) {
            return bad;
        }
        for (dev.harrel.jsonschema.Error error : result.getErrors()) {
            String pointer = error.getInstanceLocation();
            // An unknown key is reported at itself; the mapping that holds it knows the others.
            bad.add(schemaAt(pointer) == null ? Pointer.parent(pointer) : pointer);
        }
        // From the outside in, so that a parent's problem names what its children cannot.
        for (String pointer : new TreeSet<>(bad)) {
            report(tree, pointer, problems);
        }
        if (problems.isEmpty()) {
            dev.harrel.jsonschema.Error first = result.getErrors().get(0);
            problems.addAt(
                    tree,
                    first.getInstanceLocation(),
                    Text.shorten(String.valueOf(first.getError())),
                    allowedAt(first.getInstanceLocation()));
        }
        bad.removeIf(pointer -> isUsableMapping(tree, pointer));
        return bad;
    }

    /** A mapping with unknown or missing keys is still worth a look at the others. */
    private boolean isUsableMapping(YamlNode tree, String pointer) {
        YamlNode.Mapping schema = schemaAt(pointer);
        return schema != null
                && Pointer.find(tree, pointer) instanceof YamlNode.Mapping mapping
                && allowsType(schema, "object")
                && size(schema, "maxProperties", Integer.MAX_VALUE) >= mapping.entries().size()
                && size(schema, "minProperties", 0) <= mapping.entries().size();
    }

    private void report(YamlNode tree, String pointer, Problems problems) {
        YamlNode node = Pointer.find(tree, pointer);
        YamlNode.Mapping schema = schemaAt(pointer);
        if (node == null || schema == null) {
            return; // below an unknown key
        }
        if (node instanceof YamlNode.Mapping mapping && allowsType(schema, "object")) {
            reportKeys(tree, pointer, mapping, schema, problems);
        } else if (node instanceof YamlNode.Sequence sequence
                && allowsType(schema, "array")
                && sequence.items().size() >= size(schema, "minItems", 0)
                && sequence.items().size() <= size(schema, "maxItems", Integer.MAX_VALUE)
                && !hasDuplicates(schema, sequence)) {
            return; // what is wrong is in the items, which are reported by themselves
        } else {
            problems.addAt(tree, pointer, describe(node, schema), allowedAt(pointer));
        }
    }

    private static boolean hasDuplicates(YamlNode.Mapping schema, YamlNode.Sequence sequence) {
        Set<@Nullable Object> plain = new HashSet<>();
        sequence.items().forEach(item -> plain.add(item.toPlain()));
        return schema.get("uniqueItems") != null && plain.size() < sequence.items().size();
    }

    private static String describe(YamlNode node, YamlNode.Mapping schema) {
        boolean isNumber =
                node instanceof YamlNode.Scalar scalar && scalar.value() instanceof Number;
        boolean wantsText =
                allowsType(schema, "string")
                        && !allowsType(schema, "integer")
                        && !allowsType(schema, "number");
        if (isNumber && schema.get("x-quantity") != null) {
            return node.describe() + " without a unit";
        }
        boolean isPlainWord =
                node instanceof YamlNode.Scalar scalar && scalar.value() instanceof Boolean;
        if (wantsText && schema.get("type") != null && (isNumber || isPlainWord)) {
            return node.describe() + " (text only in quotes)";
        }
        return node.describe();
    }

    private void reportKeys(
            YamlNode tree,
            String pointer,
            YamlNode.Mapping mapping,
            YamlNode.Mapping schema,
            Problems problems) {
        YamlNode.Mapping known = mappingOf(schema.get("properties"));
        String noun = schema.get("x-noun") instanceof YamlNode.Scalar word ? word.text() : "key";
        String more = schema.get("x-more") instanceof YamlNode.Scalar others ? others.text() : "";
        mapping.entries()
                .forEach((key, entry) -> {
                    if (known.get(key) == null) {
                        String near = Text.nearest(key, known.entries().keySet());
                        String all = String.join(", ", known.entries().keySet());
                        all += all.isEmpty() || more.isEmpty() ? more : "; " + more;
                        problems.add(
                                entry.line(),
                                entry.column(),
                                Pointer.render(tree, Pointer.child(pointer, key)),
                                "the unknown " + noun + " " + Text.quote(key),
                                near == null ? all : near + "? (one of " + all + ")");
                    }
                });
        if (schema.get("required") instanceof YamlNode.Sequence required) {
            for (YamlNode item : required.items()) {
                String key = ((YamlNode.Scalar) item).text();
                String child = Pointer.child(pointer, key);
                if (mapping.get(key) == null) {
                    problems.addAt(tree, child, "nothing", allowedAt(child));
                }
            }
        }
        if (mapping.entries().size() < size(schema, "minProperties", 0)
                || mapping.entries().size() > size(schema, "maxProperties", Integer.MAX_VALUE)) {
            String keys = String.join(" and ", mapping.entries().keySet());
            String found = mapping.entries().isEmpty() ? mapping.describe() : Text.quote(keys);
            problems.addAt(tree, pointer, found, allowedAt(pointer));
        }
    }

    private static int size(YamlNode.Mapping schema, String key, int absent) {
        return schema.get(key) instanceof YamlNode.Scalar scalar
                        && scalar.value() instanceof Number number
                ? number.intValue()
                : absent;
    }

    private static boolean allowsType(YamlNode.Mapping schema, String type) {
        return switch (schema.get("type")) {
            case YamlNode.Scalar scalar -> scalar.text().equals(type);
            case YamlNode.Sequence sequence ->
                    sequence.items().stream()
                            .anyMatch(item -> ((YamlNode.Scalar) item).text().equals(type));
            case null, default -> false;
        };
    }

    /** What is allowed at a place, in words with an example. */
    public String allowedAt(String pointer) {
        YamlNode.Mapping schema = schemaAt(pointer);
        return schema != null && schema.get("x-allowed") instanceof YamlNode.Scalar allowed
                ? allowed.text()
                : "what the schema says";
    }

    /** The part of the schema that describes a place, references followed, or null. */
    YamlNode.@Nullable Mapping schemaAt(String pointer) {
        YamlNode.Mapping schema = resolve(root);
        String[] segments = pointer.split("/", -1);
        for (int i = 1; i < segments.length && schema != null; i++) {
            YamlNode property =
                    mappingOf(schema.get("properties")).get(Pointer.unescape(segments[i]));
            boolean isIndex = segments[i].chars().allMatch(c -> c >= '0' && c <= '9');
            YamlNode next = property == null && isIndex ? schema.get("items") : property;
            schema = next == null ? null : resolve(next);
        }
        return schema;
    }

    /** A schema with what it refers to; its own words win over the referred ones. */
    YamlNode.Mapping resolve(YamlNode schema) {
        YamlNode.Mapping mapping = mappingOf(schema);
        if (!(mapping.get("$ref") instanceof YamlNode.Scalar ref)) {
            return mapping;
        }
        YamlNode.Mapping target = mappingOf(Pointer.find(root, ref.text().substring(1)));
        Map<String, YamlNode.Entry> merged = new LinkedHashMap<>(target.entries());
        merged.putAll(mapping.entries());
        merged.remove("$ref");
        return new YamlNode.Mapping(mapping.line(), mapping.column(), merged);
    }

    private static YamlNode.Mapping mappingOf(@Nullable YamlNode node) {
        return node instanceof YamlNode.Mapping mapping
                ? mapping
                : new YamlNode.Mapping(0, 0, Map.of());
    }

    /**
     * The keyword {@code x-quantity}: a number with a unit, within bounds or one of some values.
     */
    private record Bounds(Quantity quantity, long minimum, long maximum, Set<Long> values)
            implements Evaluator {

        static Bounds of(JsonNode keyword) {
            Map<String, JsonNode> members = keyword.asObject();
            JsonNode kind = Objects.requireNonNull(members.get("kind"), "x-quantity needs a kind");
            Quantity quantity = Quantity.named(kind.asString());
            Set<Long> values = new HashSet<>();
            JsonNode listed = members.get("values");
            if (listed != null) {
                listed.asArray().forEach(value -> values.add(read(quantity, value, 0)));
            }
            return new Bounds(
                    quantity,
                    read(quantity, members.get("minimum"), 0),
                    read(quantity, members.get("maximum"), Long.MAX_VALUE),
                    values);
        }

        private static long read(Quantity quantity, @Nullable JsonNode text, long absent) {
            Long value = text == null ? null : quantity.parse(text.asString());
            return value == null ? absent : value;
        }

        @Override
        public Result evaluate(EvaluationContext context, JsonNode node) {
            if (!node.isString()) {
                return Result.success();
            }
            Long value = quantity.parse(node.asString());
            boolean inside =
                    value != null
                            && value >= minimum
                            && value <= maximum
                            && (values.isEmpty() || values.contains(value));
            return inside ? Result.success() : Result.failure("not within x-quantity");
        }
    }
}
