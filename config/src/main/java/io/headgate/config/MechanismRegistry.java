package io.headgate.config;

import io.headgate.config.key.Named;
import io.headgate.config.key.Section;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All mechanisms on the class path, in the order of their names. */
public final class MechanismRegistry {
    private static final List<Mechanism<?>> ALL = load();

    /**
     * An index by name: every port looks up its mechanisms with every patch, and a mechanism makes
     * its name again each time.
     */
    private static final Map<Mechanism.Kind, Map<String, Mechanism<?>>> BY_NAME =
            ALL.stream()
                    .collect(
                            Collectors.groupingBy(
                                    Mechanism::kind,
                                    Collectors.toMap(Mechanism::name, each -> each)));

    private MechanismRegistry() {}

    private static List<Mechanism<?>> load() {
        List<Mechanism<?>> all = new ArrayList<>();
        Set<String> known = new HashSet<>();
        @SuppressWarnings("rawtypes") // a service's class says nothing of its record
        Iterator<Mechanism> found = ServiceLoader.load(Mechanism.class).iterator();
        while (found.hasNext()) {
            Mechanism<?> mechanism = found.next();
            String where = mechanism.getClass().getName() + ", mechanism \"" + mechanism.name();
            if (!mechanism.name().matches(Named.PATTERN)) {
                throw new IllegalStateException(
                        where + "\": a name is lower case with hyphens, such as \"my-red\"");
            }
            if (!known.add(mechanism.id())) {
                throw new IllegalStateException(
                        where + "\": another one of its kind has this name");
            }
            if (Section.of(mechanism.configuration()).names().contains(Mechanisms.ENABLED)) {
                throw new IllegalStateException(
                        where + "\": every mechanism has the key enabled already");
            }
            all.add(mechanism);
        }
        all.sort((a, b) -> a.name().compareTo(b.name()));
        return List.copyOf(all);
    }

    public static List<Mechanism<?>> of(Mechanism.Kind kind) {
        return ALL.stream().filter(mechanism -> mechanism.kind() == kind).toList();
    }

    /** The mechanisms of a type, such as the one that a module needs to run them. */
    public static <M extends Mechanism<?>> List<M> all(Class<M> type) {
        return ALL.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** The first of a kind and a class that has joined, on or off; null: none has. */
    public static <M> @Nullable M joined(Mechanisms joined, Mechanism.Kind kind, Class<M> type) {
        for (Mechanisms.Use use : joined.of(kind)) {
            Mechanism<?> one = find(kind, use.name());
            if (type.isInstance(one)) {
                return type.cast(one);
            }
        }
        return null;
    }

    /** The mechanism with this name, or null. */
    public static @Nullable Mechanism<?> find(Mechanism.Kind kind, String name) {
        Map<String, Mechanism<?>> named = BY_NAME.get(kind);
        return named == null ? null : named.get(name);
    }
}
