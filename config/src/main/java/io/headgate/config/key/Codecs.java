package io.headgate.config.key;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Codecs for single values, and the choice of one for each component. */
public final class Codecs {
    private static final String SUCH_AS = ", such as ";

    private Codecs() {}

    /** The codec that a component names, otherwise the codec of its type. */
    static Codec<?> of(RecordComponent component) {
        Key key = component.getAnnotation(Key.class);
        Inline inline = component.getAnnotation(Inline.class);
        Class<?> named = key != null ? key.codec() : inline == null ? void.class : inline.codec();
        if (named != void.class) {
            return make(named, key);
        }
        return of(component.getAnnotatedType(), component.getAnnotation(Items.class), key);
    }

    private static Codec<?> of(AnnotatedType type, @Nullable Items items, @Nullable Key key) {
        if (type instanceof AnnotatedParameterizedType list
                && list.getType() instanceof ParameterizedType of
                && of.getRawType() == List.class) {
            if (key == null || items == null) {
                throw new IllegalStateException(type + " needs @Items");
            }
            AnnotatedType inner = list.getAnnotatedActualTypeArguments()[0];
            Codec<?> item =
                    items.codec() == void.class
                            ? of(inner, inner.getAnnotation(Items.class), key)
                            : make(items.codec(), key);
            Named named =
                    inner.getType() instanceof Class<?> record
                            ? record.getAnnotation(Named.class)
                            : null;
            String each = items.each().isEmpty() && named != null ? named.allowed() : items.each();
            return new Lists<>(
                    item,
                    items.min(),
                    items.max(),
                    items.unique(),
                    items.orOne(),
                    items.repeats(),
                    each);
        }
        return type.getType() instanceof Class<?> one
                ? of(one, key)
                : of((Class<?>) ((ParameterizedType) type.getType()).getRawType(), key);
    }

    private static Codec<?> make(Class<?> named, @Nullable Key key) {
        try {
            Constructor<?> constructor = constructor(named);
            constructor.setAccessible(true);
            return (Codec<?>)
                    (constructor.getParameterCount() == 0
                            ? constructor.newInstance()
                            : constructor.newInstance(key));
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new IllegalStateException(
                    named + " is not a codec that is made of its key, or without arguments", e);
        }
    }

    /** The constructor that takes the key, otherwise the one without arguments. */
    private static Constructor<?> constructor(Class<?> codec) throws NoSuchMethodException {
        try {
            return codec.getDeclaredConstructor(Key.class);
        } catch (NoSuchMethodException e) {
            return codec.getDeclaredConstructor();
        }
    }

    private static Codec<?> of(Class<?> type, @Nullable Key key) {
        if (type.isRecord()) {
            return Section.of(type.asSubclass(Record.class));
        }
        if (key == null) {
            throw new IllegalStateException(type + " is not a record and cannot stand inline");
        }
        if (type.isEnum()) {
            return new Words(constants(type));
        }
        if (type == String.class) {
            return new Plain<>(String.class, text(key), "");
        }
        if (type == boolean.class || type == Boolean.class) {
            return new Plain<>(Boolean.class, Map.of("type", "boolean"), false);
        }
        if (type == double.class || type == Double.class) {
            return new Fractions(key, isShare(key));
        }
        boolean isInt = type == int.class || type == Integer.class;
        if (isInt || type == long.class || type == Long.class) {
            return key.quantity().length == 0
                    ? new Counts(isInt, key)
                    : new Quantities(isInt, key.quantity()[0], key);
        }
        throw new IllegalStateException(type + " needs a codec of its own");
    }

    private static Map<String, Object> text(Key key) {
        if (key.values().length > 0) {
            return ordered("enum", List.of(key.values()));
        }
        Map<String, Object> schema = ordered("type", "string");
        if (!key.pattern().isEmpty()) {
            schema.put("pattern", key.pattern());
        } else if (!key.max().isEmpty()) {
            schema.put("minLength", 1);
        }
        if (!key.max().isEmpty()) {
            schema.put("maxLength", Integer.valueOf(key.max()));
        }
        return schema;
    }

    /** A list of records, each one a mapping. */
    public static <R extends Record> Codec<List<R>> list(Class<R> of, int most, String each) {
        return new Lists<>(Section.of(of), 0, most, false, false, false, each);
    }

    /** The schema of a whole number; in this order, as a published schema is compared by text. */
    public static Map<String, Object> wholeNumber(Number least, Number most) {
        return ordered("type", "integer", "minimum", least, "maximum", most);
    }

    /** A schema with its keywords in this order. */
    public static Map<String, Object> ordered(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }

    /** The section of a list's items. */
    static Section<?> itemSection(Codec<?> list) {
        if (list instanceof Lists<?> lists && lists.item instanceof Section<?> section) {
            return section;
        }
        throw new IllegalStateException("@Common belongs to a list of records, not " + list);
    }

    // ---- words

    /** An enumeration's word as a file has it: lower case with hyphens. */
    public static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether a key's numbers may be written as percentages. */
    private static boolean isShare(Key key) {
        return !key.pattern().isEmpty() || (key.min().equals("0") && key.max().equals("1"));
    }

    static String unit(Key key) {
        if (!key.unit().isEmpty() || key.quantity().length == 0) {
            return key.unit();
        }
        return switch (key.quantity()[0]) {
            case RATE -> "bits a second";
            case SIZE -> "size";
            case DURATION, DELAY -> "time";
            case FREQUENCY -> "a second";
        };
    }

    /**
     * What a key allows, in words: its own words, otherwise words made from its type and bounds, or
     * of the example of an item.
     */
    static String allowed(Key key, RecordComponent component) {
        Class<?> type = component.getType();
        Allowed words = component.getAnnotation(Allowed.class);
        if (words != null) {
            return words.value();
        }
        Items items = component.getAnnotation(Items.class);
        int example = items == null ? -1 : items.each().indexOf(SUCH_AS);
        if (example >= 0) {
            return "a list, such as [" + items.each().substring(example + SUCH_AS.length()) + "]";
        }
        Named named = type.getAnnotation(Named.class);
        if (named != null && !named.allowed().isEmpty()) {
            return named.allowed();
        }
        if (type.isEnum()) {
            return Text.either(constants(type).stream().map(Codecs::word).toList());
        }
        if (type == boolean.class) {
            return "true or false";
        }
        if (type == String.class && !key.example().isEmpty()) {
            return "text, such as " + key.example();
        }
        if (key.max().isEmpty() || type == String.class) {
            throw new IllegalStateException(component + " does not say what it allows");
        }
        if (key.quantity().length == 0) {
            String usual = key.unit().equals(Key.PROBABILITY) ? "0.001" : key.absent();
            String such = key.example().isEmpty() ? usual : key.example();
            boolean isWhole = type != double.class;
            return "a %snumber from %s to %s, such as %s%s"
                    .formatted(
                            isWhole ? "whole " : "",
                            key.min(),
                            key.max(),
                            such,
                            isWhole || !isShare(key) ? "" : ", or a percentage such as 1%");
        }
        String what =
                switch (key.quantity()[0]) {
                    case RATE -> "a rate such as ";
                    case SIZE -> "a size such as ";
                    case DURATION, DELAY -> "a time such as ";
                    case FREQUENCY -> "a count per second such as ";
                };
        boolean isSize = key.quantity()[0] == Quantity.SIZE && key.example().isEmpty();
        String such =
                isSize
                        ? "800kB (800,000 bytes) or 64KiB (65,536 bytes)"
                        : key.example().isEmpty() ? key.absent() : key.example();
        return what + such + ", from " + key.min() + " to " + key.max();
    }

    // ---- the codecs

    private static Object whole(boolean isInt, long value) {
        return isInt ? (Object) Math.toIntExact(value) : (Object) value;
    }

    /** A whole number. */
    private record Counts(boolean isInt, Key key) implements Codec<Object> {
        @Override
        public Map<String, Object> schema() {
            if (key.values().length > 0) {
                return ordered(
                        "type",
                        "integer",
                        "enum",
                        Arrays.stream(key.values()).map(BigInteger::new).toList());
            }
            return wholeNumber(new BigInteger(key.min()), new BigInteger(key.max()));
        }

        @Override
        public @Nullable Object read(Place place, Known known) {
            Number number = place.said(Number.class);
            return number == null ? null : whole(isInt, number.longValue());
        }

        @Override
        public Object nothing() {
            return whole(isInt, 0);
        }

        @Override
        public Object scaled(Object value, int factor) {
            return whole(isInt, key.scale().of(((Number) value).longValue(), factor));
        }
    }

    /** A whole number with a unit. */
    private record Quantities(boolean isInt, Quantity quantity, Key key) implements Codec<Object> {
        @Override
        public Map<String, Object> schema() {
            Map<String, Object> bounds = new LinkedHashMap<>();
            bounds.put("kind", word(quantity));
            if (key.values().length > 0) {
                bounds.put("values", List.of(key.values()));
            } else {
                bounds.put("minimum", key.min());
                bounds.put("maximum", key.max());
            }
            return ordered("type", "string", "x-quantity", bounds);
        }

        @Override
        public @Nullable Object read(Place place, Known known) {
            Long value = place.said() instanceof String text ? quantity.parse(text) : null;
            if (value == null) {
                place.refuse();
                return null;
            }
            return whole(isInt, value);
        }

        @Override
        public Object write(Object value, Known known) {
            return quantity.format(((Number) value).longValue());
        }

        @Override
        public Object nothing() {
            return whole(isInt, 0);
        }

        @Override
        public Object scaled(Object value, int factor) {
            Scale scale =
                    key.scale() != Scale.BY_QUANTITY
                            ? key.scale()
                            : switch (quantity) {
                                case RATE, FREQUENCY -> Scale.DIVIDED;
                                case DURATION, DELAY -> Scale.MULTIPLIED;
                                case SIZE -> Scale.STAYS;
                            };
            return whole(isInt, scale.of(((Number) value).longValue(), factor));
        }
    }

    /** A number that need not be whole. */
    private record Fractions(Key key, boolean isShare) implements Codec<Double> {
        @Override
        public Map<String, Object> schema() {
            Map<String, Object> schema =
                    ordered(
                            "type",
                            isShare ? List.of("number", "string") : "number",
                            "minimum",
                            Double.valueOf(key.min()));
            if (!key.max().isEmpty()) {
                schema.put("maximum", Double.valueOf(key.max()));
            }
            if (isShare) {
                schema.put("pattern", key.pattern().isEmpty() ? Share.PERCENT : key.pattern());
            }
            return schema;
        }

        @Override
        public @Nullable Double read(Place place, Known known) {
            Double value =
                    isShare
                            ? Share.parse(place.said())
                            : place.said() instanceof Number number
                                    ? (Double) number.doubleValue()
                                    : null;
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

    /** A value that has the same form in a file. */
    private record Plain<T>(Class<T> type, Map<String, Object> schema, T nothing)
            implements Codec<T> {
        @Override
        public @Nullable T read(Place place, Known known) {
            return place.said(type);
        }
    }

    private static List<Enum<?>> constants(Class<?> type) {
        return Arrays.stream(type.getEnumConstants()).<Enum<?>>map(word -> (Enum<?>) word).toList();
    }

    /** One of an enumeration's words. */
    private record Words(List<Enum<?>> constants) implements Codec<Enum<?>> {
        @Override
        public Map<String, Object> schema() {
            return Map.of("enum", constants.stream().map(Codecs::word).toList());
        }

        @Override
        public @Nullable Enum<?> read(Place place, Known known) {
            for (Enum<?> constant : constants) {
                if (word(constant).equals(place.said())) {
                    return constant;
                }
            }
            place.refuse();
            return null;
        }

        @Override
        public Object write(Enum<?> value, Known known) {
            return word(value);
        }

        @Override
        public Enum<?> nothing() {
            return constants.getFirst();
        }
    }

    /** A list, or a single item if that is allowed. */
    private static final class Lists<T> implements Codec<List<T>> {
        /** Keys that an item may have in addition to its own, in a file that is expanded. */
        private static final Map<String, Object> REPEATS =
                ordered(
                        "for",
                        ordered(
                                "description",
                                "Names with equal numbers of values: the entry is repeated once per"
                                        + " value, with $name replaced by the value.",
                                "type",
                                "object",
                                "minProperties",
                                1,
                                "x-default",
                                "the entry stands once",
                                "x-allowed",
                                "names with values, such as {i: 1..4} or {i: [1, 2, 4]}"),
                        "when",
                        ordered(
                                "description",
                                "The entry is used only if this condition is true.",
                                "type",
                                "string",
                                "x-default",
                                "always",
                                "x-allowed",
                                "a condition, such as $senders > 2 or $detect = tcd"));

        final Codec<T> item;
        private final int least;
        private final int most;
        private final boolean unique;
        private final boolean orOne;
        private final boolean repeats;
        private final String each;

        Lists(
                Codec<T> item,
                int least,
                int most,
                boolean unique,
                boolean orOne,
                boolean repeats,
                String each) {
            this.item = item;
            this.least = least;
            this.most = most;
            this.unique = unique;
            this.orOne = orOne;
            this.repeats = repeats;
            this.each = each;
        }

        @Override
        public Map<String, Object> schema() {
            Map<String, Object> items = new LinkedHashMap<>(item.schema());
            items.put("x-allowed", each);
            if (repeats && items.get("properties") instanceof Map<?, ?> own) {
                Map<Object, Object> properties = new LinkedHashMap<>(own);
                properties.putAll(REPEATS);
                items.put("properties", properties);
            }
            Map<String, Object> schema = new LinkedHashMap<>();
            if (orOne) {
                schema.putAll(item.schema());
            }
            if (orOne && schema.get("type") instanceof List<?> several) {
                schema.put("type", Stream.concat(several.stream(), Stream.of("array")).toList());
            } else {
                schema.put("type", orOne ? List.of(item.schema().get("type"), "array") : "array");
            }
            if (least > 0) {
                schema.put("minItems", least);
            }
            schema.put("maxItems", most);
            if (unique) {
                schema.put("uniqueItems", true);
            }
            schema.put("items", items);
            return schema;
        }

        @Override
        public @Nullable List<T> read(Place place, Known known) {
            if (orOne && !(place.said() instanceof List)) {
                T one = item.read(place, known);
                return List.of(one == null ? item.nothing() : one);
            }
            List<T> values = new ArrayList<>();
            for (int i = 0; i < place.items(); i++) {
                Place at = place.item(i);
                // A mapping that cannot be used keeps its place, so that the others keep theirs;
                // and so does an item of a list that has one for each of something.
                if (at.said() != null || item instanceof Section) {
                    T value = item.read(at, known);
                    values.add(value == null ? item.nothing() : value);
                } else if (least == most) {
                    values.add(item.nothing());
                }
            }
            return List.copyOf(values);
        }

        @Override
        public @Nullable Object write(List<T> values, Known known) {
            List<Object> written = new ArrayList<>();
            for (T value : values) {
                Object one = item.write(value, known);
                if (one != null) {
                    written.add(one);
                }
            }
            return written.isEmpty() ? null : written;
        }

        @Override
        public List<T> nothing() {
            return List.of();
        }

        @Override
        public List<T> scaled(List<T> values, int factor) {
            return values.stream().map(value -> item.scaled(value, factor)).toList();
        }
    }
}
