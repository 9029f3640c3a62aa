package io.headgate.config.key;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The codec of one of several records, each {@link Named}: a mapping with the name of one of them
 * as its only key.
 */
public class Union<T> implements Codec<T> {
    private record Kind(Named named, Section<?> section) {}

    private final Map<String, Kind> kinds = new LinkedHashMap<>();
    private final Class<T> type;
    private final T nothing;

    /**
     * One of some records.
     *
     * @param records each {@link Named}, in the order in which the schema has them
     * @param nothing placeholder for a file that has no complete one
     */
    protected Union(Class<T> type, List<Class<? extends Record>> records, T nothing) {
        this.type = type;
        this.nothing = nothing;
        for (Class<? extends Record> record : records) {
            Named named = Objects.requireNonNull(record.getAnnotation(Named.class));
            if (named.allowed().isEmpty()) {
                throw new IllegalStateException(record + " does not say what it allows");
            }
            kinds.put(Section.name(record, named), new Kind(named, Section.of(record)));
        }
    }

    /** The names of the records, in their order. */
    protected final Set<String> names() {
        return kinds.keySet();
    }

    @Override
    public Map<String, Object> schema() {
        Map<String, Object> properties = new LinkedHashMap<>();
        kinds.forEach((name, kind) -> {
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put("description", kind.named.says());
            schema.putAll(kind.section.schema());
            schema.put("x-allowed", kind.named.allowed());
            properties.put(name, schema);
        });
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("minProperties", 1);
        schema.put("maxProperties", 1);
        schema.put("additionalProperties", false);
        schema.put("properties", properties);
        return schema;
    }

    @Override
    public @Nullable T read(Place place, Known known) {
        if (place.keys().size() == 1) {
            String name = place.keys().getFirst();
            Kind kind = kinds.get(name);
            Place at = place.child(name);
            if (kind != null && at.said() != null) {
                return type.cast(kind.section.readWhole(at, known));
            }
        }
        return null;
    }

    @Override
    public Object write(T value, Known known) {
        for (Map.Entry<String, Kind> entry : kinds.entrySet()) {
            Object written = entry.getValue().section.writeIfOne(value, known);
            if (written != null) {
                return Map.of(entry.getKey(), written);
            }
        }
        throw new IllegalStateException(value + " is not one of " + kinds.keySet());
    }

    @Override
    public T nothing() {
        return nothing;
    }
}
