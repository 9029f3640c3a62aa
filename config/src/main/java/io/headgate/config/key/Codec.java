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
     * The value of what the schema has let pass.
     *
     * @param known what else is said, around it
     * @return null if it will not do after all, which the place has been told
     */
    @Nullable T read(Place place, Known known);

    /** What a file says to mean this value; null: nothing. */
    @Nullable Object write(T value, Known known);

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

    /** Whether a file may say it at all; a key of mechanisms of which there are none it may not. */
    default boolean isOffered() {
        return true;
    }
}
