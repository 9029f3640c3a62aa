package io.headgate.config.key;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a value stands in a file. What a file says is a String, a number, a Boolean, a List or a Map;
 * where it stands is a {@link Place}. Most keys need no codec of their own: one follows from the
 * component's type and its {@link Key}.
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

    /** What a file says to mean this value, by default the value itself; null: nothing. */
    default @Nullable Object write(T value, Known known) {
        return value;
    }

    /** Stands for a value that is required but missing, and is never used: the file is refused. */
    T nothing();

    /** The value in a run that is slower by a factor. */
    default T scaled(T value, int factor) {
        return value;
    }

    /**
     * Of keys that are inlined: what they say of a fact of the mapping, as {@link Known} has it.
     */
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
