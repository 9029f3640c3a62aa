package io.headgate.config.key;

import io.headgate.config.Reason;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one mapping. A key is read on demand: by the default of another key, or finally by {@link
 * #record}. The default of a missing key may in turn read other keys.
 */
final class Reading<R extends Record> extends Known {
    private static final Object BEING_READ = new Object();

    /** In a record's message about its values, the mark before what is allowed. */
    private static final String ALLOWED = "; allowed: ";

    private final Section<R> section;
    private final Place place;
    private final Map<Integer, @Nullable Object> values = new HashMap<>();
    private final Map<Integer, Reading<?>> parts = new HashMap<>();
    private boolean isWhole = true;

    Reading(Section<R> section, Place place, Known outer, Map<String, Object> assumed) {
        super(outer, assumed);
        this.section = section;
        this.place = place;
    }

    /** Whether no required key was missing. */
    boolean isWhole() {
        return isWhole;
    }

    /** The record; null if it refuses its values itself; the place has reported why. */
    @Nullable R record() {
        List<Declared> declared = section.declared();
        @Nullable Object[] all = new Object[declared.size()];
        for (Declared each : declared) {
            all[each.index] = value(each);
        }
        R record;
        try {
            record = section.make(all);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException problem) {
                String[] said = Reason.of(problem).split(ALLOWED, 2);
                place.refuse(said[0], said.length > 1 ? said[1] : "values that fit together");
                return null;
            }
            throw new IllegalStateException(section + " failed", e.getCause());
        }
        if (record instanceof Checked checked) {
            checked.check(this, place);
        }
        return record;
    }

    @Override
    @Nullable Object own(String name) {
        Declared named = section.named(name);
        if (named != null) {
            // A key that asks for its own name means that of a mapping around it.
            boolean isOuter =
                    BEING_READ.equals(values.get(named.index))
                            && outer != null
                            && outer.isDeclared(name);
            return isOuter ? UNKNOWN : value(named);
        }
        for (Declared each : section.declared()) {
            if (each.isInline()) {
                Object value = ofInline(each, name);
                if (!UNKNOWN.equals(value)) {
                    return value;
                }
            }
        }
        Method fact = section.fact(name);
        return fact == null ? UNKNOWN : Section.ask(fact, this);
    }

    private @Nullable Object ofInline(Declared each, String name) {
        return each.isSection()
                ? part(each).own(name)
                : each.codec.fact(name, place, this).orElse(UNKNOWN);
    }

    @Override
    Known anew(@Nullable Known freshOuter, Map<String, Object> facts) {
        return new Reading<>(
                section, place.silent(), freshOuter == null ? NOTHING : freshOuter, facts);
    }

    private Reading<?> part(Declared inline) {
        Reading<?> part = parts.get(inline.index);
        if (part == null) {
            part = new Reading<>((Section<?>) (Codec<?>) inline.codec, place, this, Map.of());
            parts.put(inline.index, part);
        }
        return part;
    }

    private @Nullable Object value(Declared each) {
        if (values.containsKey(each.index)) {
            Object value = values.get(each.index);
            if (BEING_READ.equals(value)) {
                throw new IllegalStateException(each.name + " follows from itself");
            }
            return value;
        }
        values.put(each.index, BEING_READ);
        Object value = each.isInline() ? inline(each) : read(each);
        values.put(each.index, value);
        return value;
    }

    private Object inline(Declared each) {
        Object value = each.isSection() ? part(each).record() : each.codec.read(place, this);
        return value == null ? each.codec.nothing() : value;
    }

    private @Nullable Object read(Declared each) {
        When unmet = each.unmet(this);
        if (unmet != null) {
            Place other = place.child(unmet.key());
            if (place.hasOwn(each.name) && !other.isBad()) {
                each.refuseUnmet(unmet, this, place.ownChild(each.name));
            }
            return each.without();
        }
        Place at = each.isOwn ? place.ownChild(each.name) : place.child(each.name);
        if (at.said() != null) {
            Place said = each.common == null ? at : at.over(place.child(each.common.name()));
            Object value = each.codec.read(said, this);
            if (value != null) {
                return value;
            }
        }
        if (each.function != null) {
            return Section.ask(each.function, this);
        }
        isWhole &= !each.isRequired();
        boolean mayBeWithout = each.isNullable && !each.otherwise.isEmpty();
        return each.isSection() && !mayBeWithout ? each.codec.read(at, this) : each.standard();
    }
}
