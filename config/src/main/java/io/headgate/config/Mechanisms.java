package io.headgate.config;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.Mechanism.Holder;
import io.headgate.config.Mechanism.Kind;
import io.headgate.config.key.Codec;
import io.headgate.config.key.Codecs;
import io.headgate.config.key.Inline;
import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Section;
import io.headgate.config.key.Text;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The mechanisms that have joined a port, a switch or a host, with their configurations.
 *
 * @param uses the uses of each kind in the order of the file, in which they also work
 */
public record Mechanisms(List<Use> uses) {
    public static final Mechanisms NONE = new Mechanisms(List.of());

    static final String ENABLED = "enabled";

    /** The source of mechanisms that are not built in, in words. */
    public static final String IN_JARS = "those of a jar need --plugins DIR";

    private static final String FLOW_CONTROL = "flow-control";

    private static final String NO_MEMORY =
            "a mechanism that is not in the file at the start has no memory";
    private static final String PERMANENT =
            NO_MEMORY + "; a mechanism that is in the file with enabled: false can be turned on";
    private static final String SPOKEN =
            "the ends of a link speak the same protocols from when it comes up";
    private static final String LISTENED = "the services of a switch are set up at the start";
    private static final String OWNED = "the owner of the ports' egress is set up at the start";

    public Mechanisms {
        // As a file has them: what code put together is equal to what it is written and read as.
        uses = uses.stream().sorted(Comparator.comparing(Use::kind)).toList();
    }

    /**
     * A mechanism at its place, with its configuration.
     *
     * @param name of the {@link Mechanism}
     * @param isEnabled false: its memory is reserved, but it is off
     */
    public record Use(Kind kind, String name, boolean isEnabled, Record configuration) {

        /** The same, on or off. */
        public Use enabled(boolean on) {
            return new Use(kind, name, on, configuration);
        }

        /** The same in a run that is slower by a factor. */
        public Use scaled(int factor) {
            return new Use(kind, name, isEnabled, Section.slower(configuration, factor));
        }
    }

    public List<Use> of(Kind kind) {
        return uses.stream().filter(use -> use.kind == kind).toList();
    }

    /** A mechanism's configuration, whether it is on or off; null if it has not joined. */
    public <C extends Record> @Nullable C get(Class<C> configuration) {
        Use use = use(configuration);
        return use == null ? null : configuration.cast(use.configuration);
    }

    /** A mechanism, by its configuration, whether it is on or off; null if it has not joined. */
    public @Nullable Use use(Class<? extends Record> configuration) {
        for (Use use : uses) {
            if (configuration.isInstance(use.configuration)) {
                return use;
            }
        }
        return null;
    }

    /** A copy without the mechanisms of a kind. */
    public Mechanisms without(Kind kind) {
        return new Mechanisms(uses.stream().filter(use -> use.kind != kind).toList());
    }

    /** A copy with one more mechanism, or with another configuration of one that has joined. */
    public Mechanisms with(Use use) {
        List<Use> all = new ArrayList<>(uses);
        all.replaceAll(old -> old.kind == use.kind && old.name.equals(use.name) ? use : old);
        if (!all.contains(use)) {
            all.add(use);
        }
        return new Mechanisms(all);
    }

    /** Keys of the mechanisms of a switch's port, or of a card's wire side. */
    static final class OfPort extends Keys {
        OfPort() {
            super(Holder.PORT);
        }
    }

    /** Keys of the mechanisms of a switch as a whole. */
    static final class OfSwitch extends Keys {
        OfSwitch() {
            super(Holder.SWITCH);
        }
    }

    /** Domain and services of every switch of a network, in the words of a switch's file. */
    public record OfSwitches(@Inline(codec = OfSwitch.class) Mechanisms mechanisms) {
        /** No mechanisms: each port has queues of its own, and switches only forward. */
        public static final OfSwitches NONE = new OfSwitches(Mechanisms.NONE);

        /** The same as maps, lists, texts and numbers, for a report. */
        public Map<String, Object> toMap() {
            return Section.of(OfSwitches.class).write(this);
        }
    }

    /** Keys of the mechanisms of a host. */
    static final class OfHost extends Keys {
        OfHost() {
            super(Holder.HOST);
        }
    }

    /** A key for each kind, also for one of which jars alone have mechanisms. */
    abstract static class Keys implements Codec<Mechanisms> {
        private final Holder holder;

        Keys(Holder holder) {
            this.holder = holder;
        }

        private List<Kind> kinds() {
            return List.of(Kind.values()).stream().filter(kind -> kind.holder() == holder).toList();
        }

        @Override
        public Map<String, Object> schema() {
            Map<String, Object> properties = new LinkedHashMap<>();
            for (Kind kind : kinds()) {
                Map<String, Object> mechanisms = new LinkedHashMap<>();
                for (Mechanism<?> mechanism : MechanismRegistry.of(kind)) {
                    mechanisms.put(mechanism.name(), schema(kind, mechanism));
                }
                Map<String, Object> schema = new LinkedHashMap<>();
                schema.put("description", kind.says());
                schema.put("type", "object");
                schema.put("additionalProperties", false);
                schema.put("maxProperties", Math.max(1, Math.min(kind.most(), mechanisms.size())));
                schema.put("properties", mechanisms);
                schema.put("x-noun", "mechanism");
                schema.put("x-more", IN_JARS);
                schema.put("x-default", "none");
                schema.put("x-permanent", permanent(kind));
                schema.put("x-allowed", allowed(kind, List.copyOf(mechanisms.keySet())));
                properties.put(kind.key(), schema);
            }
            return Map.of("type", "object", "properties", properties);
        }

        private static String allowed(Kind kind, List<String> names) {
            return names.isEmpty()
                    ? "a mapping with mechanisms; " + IN_JARS
                    : "a mapping with %s of %s, such as {%s: {enabled: true}}"
                            .formatted(
                                    kind.most() == 1 ? "one" : "any",
                                    String.join(", ", names),
                                    names.getFirst());
        }

        private static String permanent(Kind kind) {
            return switch (kind) {
                case LINK_PROTOCOL -> NO_MEMORY;
                case DOMAIN -> OWNED;
                case SERVICE -> LISTENED;
                default -> PERMANENT;
            };
        }

        private static Map<String, Object> schema(Kind kind, Mechanism<?> mechanism) {
            Map<String, Object> enabled = new LinkedHashMap<>();
            enabled.put(
                    "description",
                    "Whether the mechanism is on; its memory is reserved in any case.");
            enabled.put("type", "boolean");
            enabled.put("default", true);
            enabled.put("x-allowed", "true or false");
            if (kind == Kind.LINK_PROTOCOL) {
                enabled.put("x-fixed", SPOKEN);
            } else if (kind == Kind.DOMAIN || kind == Kind.SERVICE) {
                enabled.put("x-fixed", permanent(kind));
            }
            Map<String, Object> properties = new LinkedHashMap<>();
            properties.put(ENABLED, enabled);
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put("description", mechanism.says());
            schema.putAll(Section.of(mechanism.configuration()).schema());
            if (schema.get("properties") instanceof Map<?, ?> own) {
                own.forEach((name, key) -> properties.put((String) name, key));
            }
            schema.put("properties", properties);
            schema.put("x-permanent", permanent(kind));
            schema.put(
                    "x-allowed", "a mapping with any of " + String.join(", ", properties.keySet()));
            return schema;
        }

        @Override
        public Mechanisms read(Place place, Known known) {
            List<Use> uses = new ArrayList<>();
            for (Kind kind : kinds()) {
                uses.addAll(read(kind, place, known));
            }
            return uses.isEmpty() ? NONE : new Mechanisms(uses);
        }

        private static List<Use> read(Kind kind, Place place, Known known) {
            return read(kind, place, known, _ -> true);
        }

        private static List<Use> read(
                Kind kind, Place place, Known known, Predicate<Mechanism<?>> which) {
            List<Use> uses = new ArrayList<>();
            Place at = place.child(kind.key());
            for (String name : at.keys()) {
                Mechanism<?> mechanism = MechanismRegistry.find(kind, name);
                Place mapping = at.child(name);
                if (mechanism != null && which.test(mechanism) && mapping.said() != null) {
                    Record configuration =
                            Section.of(mechanism.configuration()).read(mapping, known);
                    boolean on = !Boolean.FALSE.equals(mapping.child(ENABLED).said());
                    if (configuration != null) {
                        Use use = new Use(kind, name, on, configuration);
                        if (goesWith(use, place, known)) {
                            uses.add(use);
                        }
                    }
                }
            }
            return uses;
        }

        /**
         * Whether the port's flow control allows a mechanism, as for a key with a {@link
         * io.headgate.config.key.When}; reported if the port itself has the key.
         */
        private static boolean goesWith(Use use, Place place, Known known) {
            List<Mode> modes = DetourNeeds.of(new Mechanisms(List.of(use))).modes();
            if (!known.isDeclared(FLOW_CONTROL)) {
                return true;
            }
            Mode mode = known.get(FLOW_CONTROL, Mode.class);
            if (modes.contains(mode)) {
                return true;
            }
            if (place.hasOwn(use.kind.key())) {
                List<String> allowed = modes.stream().map(Codecs::word).toList();
                place.child(use.kind.key())
                        .child(use.name)
                        .refuse(
                                FLOW_CONTROL + ": " + Codecs.word(mode),
                                FLOW_CONTROL + ": " + Text.either(allowed));
            }
            return false;
        }

        /**
         * A fact for other keys of a port, which follows from the mechanisms that have joined the
         * port.
         */
        @Override
        public Optional<Object> fact(String name, Place place, Known known) {
            if (holder != Holder.PORT) {
                return Optional.empty();
            }
            if (name.equals(FrameGrowth.FACT)) {
                // No others: keys of theirs may follow from what is asked here.
                List<Use> points =
                        read(
                                Kind.CONGESTION_POINT,
                                place.silent(),
                                known,
                                FrameGrowth.Grower.class::isInstance);
                return Optional.of(FrameGrowth.inQueues(new Mechanisms(points)));
            }
            if (!name.equals(DetourNeeds.SLOTS)) {
                return Optional.empty();
            }
            List<Use> detour = read(Kind.DETOUR, place.silent(), known);
            return Optional.of(DetourNeeds.of(new Mechanisms(detour)).reservedSlots());
        }

        @Override
        public Object write(Mechanisms mechanisms, Known known) {
            Map<String, Object> keys = new LinkedHashMap<>();
            for (Use use : mechanisms.uses) {
                Map<String, Object> written = new LinkedHashMap<>();
                written.put(ENABLED, use.isEnabled);
                written.putAll(
                        write(Section.of(use.configuration.getClass()), use.configuration, known));
                @SuppressWarnings("unchecked") // it was put there by the line before
                Map<String, Object> kind =
                        (Map<String, Object>)
                                keys.computeIfAbsent(
                                        use.kind.key(), _ -> new LinkedHashMap<String, Object>());
                kind.put(use.name, written);
            }
            return keys;
        }

        @SuppressWarnings("unchecked") // a section is of the record's own class
        private static <R extends Record> Map<String, Object> write(
                Section<R> section, Record record, Known known) {
            return section.writeMapping((R) record, known);
        }

        @Override
        public Mechanisms nothing() {
            return NONE;
        }

        @Override
        public Mechanisms scaled(Mechanisms mechanisms, int factor) {
            return new Mechanisms(mechanisms.uses.stream().map(use -> use.scaled(factor)).toList());
        }
    }
}
