package io.headgate.config.key;

import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The known values of a finished record: its components, by the names of their keys. */
final class Standing extends Known {
    private final Section<?> section;
    private final Record record;

    Standing(Section<?> section, Record record, Known outer) {
        super(outer, Map.of());
        this.section = section;
        this.record = record;
    }

    @Override
    @Nullable Object own(String name) {
        Declared named = section.named(name);
        if (named != null) {
            return named.get(record);
        }
        for (Declared each : section.declared()) {
            if (each.isInline()
                    && (Codec<?>) each.codec instanceof Section<?> part
                    && each.get(record) instanceof Record inner) {
                Object value = new Standing(part, inner, NOTHING).own(name);
                if (!UNKNOWN.equals(value)) {
                    return value;
                }
            }
        }
        Method fact = section.fact(name);
        return fact == null ? UNKNOWN : Section.ask(fact, this);
    }

    @Override
    Known anew(@Nullable Known freshOuter, Map<String, Object> facts) {
        throw new IllegalStateException("what stands is not read again: " + outer);
    }
}
