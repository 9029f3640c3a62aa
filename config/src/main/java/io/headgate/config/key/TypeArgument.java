package io.headgate.config.key;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Finds the type that a class gives to the only parameter of an interface that it implements. */
public final class TypeArgument {
    // By implementation, then by interface. Every start of a port asks for all of them.
    private static final ClassValue<Map<Class<?>, Class<?>>> FOUND =
            new ClassValue<>() {
                @Override
                protected Map<Class<?>, Class<?>> computeValue(Class<?> implementation) {
                    return new ConcurrentHashMap<>();
                }
            };

    private TypeArgument() {}

    /**
     * @param otherwise the method that a class needs if its type does not name it
     * @throws IllegalStateException if the class's type does not name it
     */
    public static Class<?> of(Class<?> implementation, Class<?> generic, String otherwise) {
        Class<?> found =
                FOUND.get(implementation)
                        .computeIfAbsent(
                                generic,
                                _ ->
                                        find(implementation, generic) instanceof Class<?> argument
                                                ? argument
                                                : null);
        if (found != null) {
            return found;
        }
        throw new IllegalStateException(
                "%s: its type names no record for %s, so that it needs a %s() of its own"
                        .formatted(implementation.getName(), generic.getSimpleName(), otherwise));
    }

    private static @Nullable Type find(Type type, Class<?> generic) {
        List<Type> given = List.of();
        Class<?> raw;
        if (type instanceof ParameterizedType with) {
            given = List.of(with.getActualTypeArguments());
            raw = (Class<?>) with.getRawType();
        } else {
            raw = (Class<?>) type;
        }
        if (raw == generic) {
            return given.isEmpty() ? null : given.getFirst();
        }
        List<Type> above = new ArrayList<>(List.of(raw.getGenericInterfaces()));
        if (raw.getGenericSuperclass() != null) {
            above.add(raw.getGenericSuperclass());
        }
        for (Type each : above) {
            Type found = find(each, generic);
            if (found instanceof TypeVariable<?> && !given.isEmpty()) {
                return given.get(List.of(raw.getTypeParameters()).indexOf(found));
            }
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
