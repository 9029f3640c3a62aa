package io.headgate.config.key;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Maps a record to a mapping in a file. The record's components are inspected once, and say
 * everything about its keys: reader, writer and schema follow from them.
 */
public final class Section<R extends Record> implements Codec<R> {
    private static final ClassValue<Section<?>> KNOWN =
            new ClassValue<>() {
                @Override
                protected Section<?> computeValue(Class<?> type) {
                    return new Section<>(type.asSubclass(Record.class));
                }
            };

    // Every start of a port asks for the names of all mechanisms.
    private static final ClassValue<String> NAMES =
            new ClassValue<>() {
                @Override
                protected String computeValue(Class<?> type) {
                    return Declared.kebab(type.getSimpleName().replaceFirst("Config$", ""));
                }
            };

    private final Class<R> type;
    private final Constructor<R> constructor;
    private final List<Declared> declared = new ArrayList<>();
    private final Map<String, Declared> byName = new HashMap<>();

    /** Static methods that take {@link Known}, by the name of the fact. */
    private final Map<String, Method> facts = new HashMap<>();

    /** A key whose value may be written instead of the mapping; empty: none. */
    private final String alone;

    /** A word that may be written instead of the mapping; empty: none. */
    private final String word;

    /** The fewest keys. */
    private final int min;

    /** The name of a {@link Named} record. */
    public static String name(Class<?> record, Named named) {
        return named.value().isEmpty() ? NAMES.get(record) : named.value();
    }

    @SuppressWarnings("unchecked") // KNOWN has for each class its own
    public static <R extends Record> Section<R> of(Class<R> type) {
        return (Section<R>) KNOWN.get(type);
    }

    /** A record in a run that is slower by a factor: times are longer by it, bytes stay. */
    @SuppressWarnings("unchecked") // a section is of the record's own class
    public static <R extends Record> R slower(R record, int factor) {
        return of((Class<R>) record.getClass()).scaled(record, factor);
    }

    private Section(Class<R> type) {
        this.type = type;
        Named named = type.getAnnotation(Named.class);
        alone = named == null ? "" : named.alone();
        word = named == null ? "" : named.word();
        min = named == null ? 0 : named.min();
        Map<String, Method> functions = new HashMap<>();
        for (Method method : type.getDeclaredMethods()) {
            if (Modifier.isStatic(method.getModifiers())
                    && Arrays.equals(method.getParameterTypes(), new Class<?>[] {Known.class})) {
                method.setAccessible(true);
                functions.put(method.getName(), method);
                facts.put(Declared.kebab(method.getName()), method);
            }
        }
        RecordComponent[] components = type.getRecordComponents();
        for (RecordComponent component : components) {
            boolean isFurther = byName.containsKey(Declared.nameOf(component));
            Declared each =
                    new Declared(
                            component,
                            declared.size(),
                            functions.get(component.getName()),
                            isFurther);
            declared.add(each);
            if (!each.isInline()) {
                byName.putIfAbsent(each.name, each);
            }
        }
        try {
            constructor =
                    type.getDeclaredConstructor(
                            Arrays.stream(components)
                                    .map(RecordComponent::getType)
                                    .toArray(Class<?>[]::new));
            constructor.setAccessible(true);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("a record without its constructor", e);
        }
    }

    List<Declared> declared() {
        return declared;
    }

    // ---- read

    @Override
    public @Nullable R read(Place place, Known known) {
        return new Reading<>(this, mapping(place), known, Map.of()).record();
    }

    /** The same, or null if a required key is missing. */
    @Nullable R readWhole(Place place, Known known) {
        Reading<R> reading = new Reading<>(this, mapping(place), known, Map.of());
        R record = reading.record();
        return reading.isWhole() ? record : null;
    }

    private Place mapping(Place place) {
        Object said = place.said();
        if (!word.isEmpty() && word.equals(said)) {
            return place.saying(Map.of());
        }
        boolean isAlone = !alone.isEmpty() && said != null && !(said instanceof Map);
        return isAlone ? place.saying(Map.of(alone, said)) : place;
    }

    /** The record with all defaults, as for a file without any of its keys. */
    public R standard(Known known) {
        R record = read(Place.nowhere(), known);
        if (record == null) {
            throw new IllegalStateException("the defaults of " + type + " are not allowed");
        }
        return record;
    }

    /** The default of a key, if it is a constant. */
    public Object standard(String name) {
        Declared each = byName.get(name);
        Object value = each == null ? null : each.standard();
        if (value == null) {
            throw new IllegalStateException(type + " has no constant for " + name);
        }
        return value;
    }

    @Override
    public R nothing() {
        return standard(Known.NOTHING);
    }

    R make(@Nullable Object[] values) throws InvocationTargetException {
        try {
            return constructor.newInstance(values);
        } catch (InstantiationException | IllegalAccessException e) {
            throw new IllegalStateException(type + " cannot be made", e);
        }
    }

    /** The keys of the record itself, in order. */
    public List<String> names() {
        return declared.stream().filter(each -> !each.isInline()).map(each -> each.name).toList();
    }

    /** Whether one of its keys is required. */
    boolean isRequired() {
        return declared.stream().anyMatch(Declared::isRequired);
    }

    @Nullable Declared named(String name) {
        return byName.get(name);
    }

    @Nullable Method fact(String name) {
        return facts.get(name);
    }

    static @Nullable Object ask(Method function, Known known) {
        try {
            return function.invoke(null, known);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(function + " failed", e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(function + " cannot be called", e);
        }
    }

    // ---- write

    /** The record as maps, lists, texts and numbers, in the shape of a file. */
    public Map<String, Object> write(R record) {
        return writeMapping(record, Known.NOTHING);
    }

    @Override
    public Object write(R record, Known known) {
        Map<String, Object> map = writeMapping(record, known);
        Object sole = map.get(alone);
        return byName.size() == 1 && sole != null ? sole : map;
    }

    /** The form of a value in a file, if it is such a record. */
    @Nullable Object writeIfOne(@Nullable Object value, Known known) {
        return type.isInstance(value) ? write(type.cast(value), known) : null;
    }

    /** The same, if the condition of a key may look around the record. */
    public Map<String, Object> writeMapping(R record, Known known) {
        Standing standing = new Standing(this, record, known);
        Map<String, Object> map = new LinkedHashMap<>();
        for (Declared each : declared) {
            Object value = each.get(record);
            if (value == null || each.unmet(standing) != null) {
                continue;
            }
            Object written = each.codec.write(value, standing);
            if (each.isInline() && written instanceof Map<?, ?> part) {
                part.forEach((key, inner) -> map.put((String) key, inner));
            } else if (written != null) {
                map.put(each.name, written);
            }
        }
        return map;
    }

    /**
     * The form of a key's value in a file.
     *
     * @param path the key, or a path such as {@code buffers.xoff} to a key of an inner mapping
     * @throws IllegalArgumentException if there is no such key
     */
    public Object said(String path, Object value) {
        int dot = path.indexOf('.');
        Declared each = find(dot < 0 ? path : path.substring(0, dot));
        Object written = null;
        if (each != null && dot < 0) {
            written = each.codec.write(value, Known.NOTHING);
        } else if (each != null && (Codec<?>) each.codec instanceof Section<?> section) {
            written = section.said(path.substring(dot + 1), value);
        }
        if (written == null) {
            throw new IllegalArgumentException("no key " + path + " for " + value);
        }
        return written;
    }

    private @Nullable Declared find(String name) {
        Declared own = byName.get(name);
        for (Declared each : declared) {
            if (own == null
                    && each.isInline()
                    && (Codec<?>) each.codec instanceof Section<?> part) {
                own = part.find(name);
            }
        }
        return own;
    }

    // ---- scale

    @Override
    public R scaled(R record, int factor) {
        @Nullable Object[] values = new Object[declared.size()];
        for (Declared each : declared) {
            Object value = each.get(record);
            values[each.index] = value == null ? null : each.codec.scaled(value, factor);
        }
        try {
            return make(values);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(record + " cannot be scaled by " + factor, e);
        }
    }

    // ---- schema

    @Override
    public Map<String, Object> schema() {
        Declared only = byName.get(alone);
        if (only != null && byName.size() == 1) {
            return only.codec.schema();
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        Set<String> required = new HashSet<>();
        collect(properties, required, "");
        Map<String, Object> schema = new LinkedHashMap<>();
        if (only == null) {
            schema.put("type", "object");
        } else {
            schema.putAll(only.codec.schema());
            schema.put("type", List.of(schema.get("type"), "object"));
        }
        schema.put("additionalProperties", false);
        if (!required.isEmpty()) {
            schema.put(
                    "required", properties.keySet().stream().filter(required::contains).toList());
        }
        schema.put("properties", properties);
        if (!word.isEmpty()) {
            schema.put("type", List.of("string", "object"));
            schema.put("pattern", "^" + word + "$");
            schema.put("default", word);
        }
        if (min > 0) {
            schema.put("minProperties", min);
        }
        return schema;
    }

    /**
     * @param fixed why none of the keys can change; empty: each says itself whether it can
     */
    private void collect(Map<String, Object> properties, Set<String> required, String fixed) {
        for (Declared each : declared) {
            Key key = each.key;
            if (key == null) {
                if (each.codec instanceof Section<?> part) {
                    part.collect(properties, required, each.fixedOr(fixed));
                } else if (each.codec.schema().get("properties") instanceof Map<?, ?> part) {
                    part.forEach((name, schema) -> properties.put((String) name, schema));
                }
            } else if (!each.isFurther && each.codec.isOffered()) {
                if (each.common != null) {
                    properties.put(each.common.name(), commonSchema(each, each.common));
                }
                properties.put(each.name, each.schema(key, fixed));
                if (each.isRequired()) {
                    required.add(each.name);
                }
            }
        }
    }

    /**
     * The schema of the keys that all items of a list have in common: each refers to the item's
     * key.
     */
    private Map<String, Object> commonSchema(Declared list, Common common) {
        Map<String, Object> properties = new LinkedHashMap<>();
        Section<?> item = Codecs.itemSection(list.codec);
        Map<String, Object> all = new LinkedHashMap<>();
        item.collect(all, new HashSet<>(), "");
        Set<String> own = item.ownKeys();
        for (String name : all.keySet()) {
            if (!own.contains(name)) {
                String place = "#/properties/" + list.name + "/items/properties/" + name;
                properties.put(name, Map.of("$ref", place));
            }
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("description", common.says());
        schema.put("type", "object");
        schema.put("additionalProperties", false);
        schema.put("properties", properties);
        schema.put("x-allowed", common.allowed());
        return schema;
    }

    private Set<String> ownKeys() {
        Set<String> own = new HashSet<>();
        for (Declared each : declared) {
            if (each.isOwn) {
                own.add(each.name);
            }
        }
        return own;
    }

    @Override
    public String toString() {
        return "keys of " + type.getName();
    }
}
