package io.headgate.config.key;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values around a key in a configuration: the other keys of its mapping and of the mappings
 * around it, and facts. Defaults that follow from other keys, and checks, ask here. A key is named
 * as in a file, and is read on demand, so the order of keys does not matter.
 *
 * <p>A fact is named in the same way but is not a key: a static method of a record that takes
 * {@code Known} ({@code freeSlots} is {@code "free-slots"}), or a value given from outside.
 */
public abstract class Known {
    /** The answer of {@link #own} for a name that it does not know. */
    static final Object UNKNOWN = new Object();

    public static final Known NOTHING = of(Map.of());

    final @Nullable Known outer;
    private final Map<String, Object> assumed;

    Known(@Nullable Known outer, Map<String, Object> assumed) {
        this.outer = outer;
        this.assumed = assumed;
    }

    /** Facts from outside. */
    public static Known of(Map<String, ?> facts) {
        return new Facts(Map.copyOf(facts), Map.of());
    }

    /** A value of this scope itself; {@link #UNKNOWN} if it has none of that name. */
    abstract @Nullable Object own(String name);

    /** A copy that reads every key again and reports no problems. */
    abstract Known anew(@Nullable Known freshOuter, Map<String, Object> facts);

    /** Whether there is a value of that name which is not null. */
    public final boolean has(String name) {
        return find(name) != null;
    }

    /** Whether a key or fact of that name exists in this kind of file, given or not. */
    public final boolean isDeclared(String name) {
        for (Known scope = this; scope != null; scope = scope.outer) {
            if (scope.assumed.containsKey(name) || !UNKNOWN.equals(scope.own(name))) {
                return true;
            }
        }
        return false;
    }

    /** The value of a key or a fact, which is not null. */
    public final <T> T get(String name, Class<T> type) {
        Object value = find(name);
        if (!type.isInstance(value)) {
            throw new IllegalStateException(name + " is " + value + ", no " + type.getSimpleName());
        }
        return type.cast(value);
    }

    public final long number(String name) {
        return get(name, Number.class).longValue();
    }

    public final int count(String name) {
        return get(name, Number.class).intValue();
    }

    public final <T> List<T> list(String name, Class<T> of) {
        List<?> values = get(name, List.class);
        return values.stream().<T>map(of::cast).toList();
    }

    /**
     * A copy in which some facts have other values: every key is read again, and no problem is
     * reported.
     */
    public final Known assuming(Map<String, Object> facts) {
        return anew(outer == null ? null : outer.assuming(facts), facts);
    }

    final @Nullable Object find(String name) {
        for (Known scope = this; scope != null; scope = scope.outer) {
            Object value = scope.assumed.get(name);
            if (value != null) {
                return value;
            }
        }
        for (Known scope = this; scope != null; scope = scope.outer) {
            Object value = scope.own(name);
            if (!UNKNOWN.equals(value)) {
                return value;
            }
        }
        throw new IllegalStateException("nothing here is called " + name);
    }

    private static final class Facts extends Known {
        private final Map<String, ?> facts;

        Facts(Map<String, ?> facts, Map<String, Object> assumed) {
            super(null, assumed);
            this.facts = facts;
        }

        @Override
        @Nullable Object own(String name) {
            return facts.containsKey(name) ? facts.get(name) : UNKNOWN;
        }

        @Override
        Known anew(@Nullable Known freshOuter, Map<String, Object> more) {
            return new Facts(facts, more);
        }
    }
}
