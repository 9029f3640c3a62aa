package io.headgate.config.key;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The declaration of one component of a record: a key, or ({@link Inline}) several. */
final class Declared {
    /** Units at the end of components' names, which are not part of the key. */
    private static final List<String> UNITS =
            List.of("Bps", "Bytes", "Ns", "Ps", "PerSec", "Probability");

    final RecordComponent component;
    final int index;
    final String name;
    final @Nullable Key key;
    final @Nullable Common common;
    final Codec<Object> codec;
    final @Nullable When when;

    /** Whether {@link Common} does not have the key; needed at every reading. */
    final boolean isOwn;

    /** The words of {@link #when}, where they decide. */
    private final List<String> whenIs;

    final boolean isNullable;

    /** Computes the value that a file does not give; null: no value follows from other keys. */
    final @Nullable Method function;

    /** Whether another component has declared the key, of which this one is a further part. */
    final boolean isFurther;

    /** The default, in words; empty: it needs no words. */
    final String otherwise;

    private final @Nullable Object absent;

    @SuppressWarnings("unchecked") // the codec is made for the component's type
    Declared(RecordComponent component, int index, @Nullable Method function, boolean isFurther) {
        this.component = component;
        this.index = index;
        this.function = function;
        this.isFurther = isFurther;
        key = component.getAnnotation(Key.class);
        common = component.getAnnotation(Common.class);
        when = component.getAnnotation(When.class);
        isOwn = key != null && key.own();
        whenIs = when == null ? List.of() : List.of(when.is());
        isNullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        Otherwise words = component.getAnnotation(Otherwise.class);
        if (function != null && words == null && mayBeNone()) {
            throw new IllegalStateException(
                    component
                            + " is worked out by a method where a file does not have it, but has no"
                            + " @Otherwise, which says how");
        }
        otherwise = words != null ? words.value() : mayBeNone() ? "none" : "";
        name = nameOf(component);
        codec = (Codec<Object>) Codecs.of(component);
        component.getAccessor().setAccessible(true);
        absent = key == null || key.absent().isEmpty() ? null : absent(key.absent());
    }

    /** Whether a file may omit the key: the list is then empty, or there is no value. */
    private boolean mayBeNone() {
        Items items = component.getAnnotation(Items.class);
        return key != null
                && key.absent().isEmpty()
                && when == null
                && (items == null ? isNullable : items.min() == 0);
    }

    /** The key that a component declares. */
    static String nameOf(RecordComponent component) {
        Key key = component.getAnnotation(Key.class);
        if (key == null && !component.isAnnotationPresent(Inline.class)) {
            throw new IllegalStateException(
                    component.getDeclaringRecord().getName()
                            + " has a component that declares no key: "
                            + component.getName());
        }
        if (key != null && !key.name().isEmpty()) {
            return key.name();
        }
        String name = component.getName();
        boolean hasUnit =
                key != null && (key.quantity().length > 0 || key.unit().equals(Key.PROBABILITY));
        for (String unit : UNITS) {
            if (hasUnit && name.endsWith(unit)) {
                name = name.substring(0, name.length() - unit.length());
            }
        }
        return kebab(name);
    }

    static String kebab(String camel) {
        return camel.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    private Object absent(String text) {
        Object value = codec.read(Place.nowhere().saying(saidOf(text)), Known.NOTHING);
        if (value == null) {
            throw new IllegalStateException("the default of " + component + " is not allowed");
        }
        return value;
    }

    /**
     * The value that a file with this text has, of the type that the schema names: a number, a
     * flag, or the text itself.
     */
    private Object saidOf(String text) {
        Object type = codec.schema().get("type");
        List<?> types =
                type instanceof List<?> several ? several : List.of(type == null ? "" : type);
        if (types.contains("integer")) {
            return Long.valueOf(text);
        }
        return types.contains("number")
                ? (Object) Double.valueOf(text)
                : types.contains("boolean") ? (Object) Boolean.valueOf(text) : text;
    }

    boolean isInline() {
        return key == null;
    }

    boolean isSection() {
        return codec instanceof Section;
    }

    /** Whether a file must have the key: it has no default, or one of its own keys has none. */
    boolean isRequired() {
        return key != null
                && !isFurther
                && key.absent().isEmpty()
                && otherwise.isEmpty()
                && when == null
                && !((Codec<?>) codec instanceof Section<?> section && !section.isRequired());
    }

    /** The value if a file does not give one and none follows from its other keys. */
    @Nullable Object standard() {
        return absent != null ? absent : without();
    }

    /** The value if the key has no effect: null, 0, an empty list. */
    @Nullable Object without() {
        return isNullable ? null : codec.nothing();
    }

    Object get(Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component + " cannot be read", e);
        }
    }

    /** The condition that does not hold, or null if the key has an effect. */
    @Nullable When unmet(Known known) {
        if (when == null) {
            return null;
        }
        Object value = known.find(when.key());
        boolean holds =
                !whenIs.isEmpty()
                        ? value instanceof Enum<?> word && whenIs.contains(Codecs.word(word))
                        : (value == null) == when.absent();
        return holds ? null : when;
    }

    /** Reports a key that has no effect where the file has it. */
    void refuseUnmet(When condition, Known known, Place place) {
        String other = condition.key();
        if (condition.is().length > 0) {
            place.refuse(
                    other + ": " + Codecs.word((Enum<?>) known.get(other, Enum.class)),
                    other + ": " + Text.either(Arrays.asList(condition.is())));
        } else {
            place.refuse(
                    name + (condition.absent() ? " with " : " without ") + other,
                    "one or the other");
        }
    }

    /** Why it cannot change while a switch runs; {@code around} if it does not say so itself. */
    String fixedOr(String around) {
        Fixed fixed = component.getAnnotation(Fixed.class);
        return fixed == null ? around : fixed.value();
    }

    /**
     * The key's part of the schema.
     *
     * @param fixed why it cannot change, if it does not say so itself; empty: it can
     */
    Map<String, Object> schema(Key declared, String fixed) {
        Map<String, Object> schema = new LinkedHashMap<>();
        Permanent permanent = component.getAnnotation(Permanent.class);
        schema.put("description", says());
        schema.putAll(codec.schema());
        put(schema, "x-unit", Codecs.unit(declared));
        if (!declared.absent().isEmpty()) {
            schema.put("default", saidOf(declared.absent()));
        }
        put(schema, "x-default", otherwise);
        put(schema, "x-fixed", fixedOr(fixed));
        put(schema, "x-permanent", permanent == null ? "" : permanent.value());
        Beds beds = component.getAnnotation(Beds.class);
        if (beds != null) {
            Map<String, Object> words = new LinkedHashMap<>();
            put(words, "real", beds.real());
            put(words, "lab", beds.lab());
            schema.put("x-beds", words);
        }
        if (component.isAnnotationPresent(Allowed.class) || !schema.containsKey("x-allowed")) {
            schema.put("x-allowed", Codecs.allowed(declared, component));
        }
        return schema;
    }

    private String says() {
        Says says = component.getAnnotation(Says.class);
        Named named = component.getType().getAnnotation(Named.class);
        if (says == null && named == null) {
            throw new IllegalStateException(component + " does not say what it is for: @Says");
        }
        return says == null ? Objects.requireNonNull(named).says() : says.value();
    }

    private static void put(Map<String, Object> schema, String keyword, String text) {
        if (!text.isEmpty()) {
            schema.put(keyword, text);
        }
    }
}
