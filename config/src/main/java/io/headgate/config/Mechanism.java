package io.headgate.config;

import io.headgate.config.key.Named;
import io.headgate.config.key.Section;
import io.headgate.config.key.TypeArgument;

/**
 * A mechanism that can join a switch or a host: its name is a key, and the components of its
 * configuration record are the keys below it, so that
 *
 * <pre>{@code congestion: {red: {kmin: 100kB, kmax: 400kB}}}</pre>
 *
 * gives the port a {@code red} with a record whose {@code kminBytes} is 100,000. Each also has the
 * key {@code enabled}; {@code enabled: false} reserves what the mechanism needs and leaves it off.
 * Its name, and what it does, are on the record, as {@link Named}.
 *
 * <p>Found by {@link java.util.ServiceLoader}: a jar on the class path names its implementations in
 * {@code META-INF/services/io.headgate.config.Mechanism}. The configuration needs to know only
 * this; modules that run mechanisms extend it with a method that makes one from a record.
 *
 * @param <C> its configuration: a record each of whose components declares a {@link
 *     io.headgate.config.key.Key}
 */
public interface Mechanism<C extends Record> {

    /** Its key: lower case with hyphens, unlike all others of its kind. */
    default String name() {
        return Section.name(configuration(), named());
    }

    /** Where it joins. */
    Kind kind();

    /** Its kind and name, which no other has. */
    default String id() {
        return kind() + " " + name();
    }

    /** What it does, in one sentence, for the page and for editors. */
    default String says() {
        return named().says();
    }

    /** The record that holds its configuration: by default the one that its class's type names. */
    @SuppressWarnings("unchecked") // what stands for C in the class's own type
    default Class<C> configuration() {
        return (Class<C>) TypeArgument.of(getClass(), Mechanism.class, "configuration");
    }

    /** The name and the description that its record has. */
    private Named named() {
        Named named = configuration().getAnnotation(Named.class);
        if (named == null) {
            throw new IllegalStateException(
                    getClass().getName() + ": " + configuration().getName() + " is not @Named");
        }
        return named;
    }

    /**
     * Whether this use of it accepts frames that each represent several TCP segments ({@code gso:
     * pass}). Such a frame counts as long as its segments on a wire, is marked and dropped whole,
     * and has one set of headers for all. Mechanisms that must see single frames do not.
     */
    default boolean takesSegmentsWhole(Mechanisms.Use use) {
        return false;
    }

    /** A use of it with a configuration, switched on. */
    default Mechanisms.Use use(C configuration) {
        return new Mechanisms.Use(kind(), name(), true, configuration);
    }

    /** The configuration in a use of this mechanism. */
    default C of(Mechanisms.Use use) {
        return configuration().cast(use.configuration());
    }

    /** The part of a network whose configuration has the keys of a kind of mechanisms. */
    enum Holder {
        PORT,
        SWITCH,
        HOST
    }

    /**
     * The place where a mechanism joins, and the key under which a file lists the mechanisms there.
     */
    enum Kind {
        CONGESTION_POINT(
                "congestion",
                Holder.PORT,
                Integer.MAX_VALUE,
                "Congestion mechanisms that watch the port's queues: they mark frames and send"
                        + " notifications."),
        DETOUR(
                "detour",
                Holder.PORT,
                1,
                "A detour around the port's queues, for frames that would wait in them."),
        LINK_PROTOCOL(
                "link-control",
                Holder.PORT,
                Integer.MAX_VALUE,
                "Protocols with the other end of the link, in addition to flow control."),
        QUEUES(
                "queues",
                Holder.PORT,
                1,
                "The queues of the port's frames and their service order."),
        THRESHOLD("threshold", Holder.PORT, 1, "The buffer share that each priority may hold."),
        DOMAIN(
                "domain",
                Holder.SWITCH,
                1,
                "One mechanism that queues the frames of all ports together, instead of separate"
                        + " queues per port."),
        SERVICE(
                "services",
                Holder.SWITCH,
                Integer.MAX_VALUE,
                "Services of the switch itself besides forwarding: it listens, answers and"
                        + " announces."),
        RATE_CONTROL(
                "rate-control",
                Holder.HOST,
                Integer.MAX_VALUE,
                "Rate controls: they set the rate of each flow.");

        private final String key;
        private final Holder holder;
        private final int most;
        private final String says;

        Kind(String key, Holder holder, int most, String says) {
            this.key = key;
            this.holder = holder;
            this.most = most;
            this.says = says;
        }

        /** The key under which a file has mechanisms of this kind. */
        public String key() {
            return key;
        }

        Holder holder() {
            return holder;
        }

        /** How many there may be at one place. */
        int most() {
            return most;
        }

        String says() {
            return says;
        }
    }
}
