package io.headgate.config.key;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads, writes and describes a value of a file. In a file, a value is a String, a number, a
 * Boolean, a List or a Map; its position is a {@link Place}. Most keys need no codec of their own:
 * it follows from the component's type and its {@link Key}.
 */
public interface Codec<T> {

    /** The part of the schema that says what a file may say: types and bounds, no words. */
    Map<String, Object> schema();

    /**
     * Reads the value from what the schema accepted.
     *
     * @param known the other keys of the mapping and of those around it
     * @return null if the value is not allowed after all; the place has reported why
     */
    @Nullable T read(Place place, Known known);

    /** The form of this value in a file, by default the value itself; null: the file omits it. */
    default @Nullable Object write(T value, Known known) {
        return value;
    }

    /**
     * Placeholder for a value that is required but missing; never used, since the file is refused.
     */
    T nothing();

    /** The value in a run that is slower by a factor. */
    default T scaled(T value, int factor) {
        return value;
    }

    /** For inlined keys: the value that they give to a fact of the mapping (see {@link Known}). */
    default Optional<Object> fact(String name, Place place, Known known) {
        return Optional.empty();
    }

    /**
     * Whether a file may have the key; a key of mechanisms is not offered if no such mechanism is
     * registered.
     */
    default boolean isOffered() {
        return true;
    }
}
