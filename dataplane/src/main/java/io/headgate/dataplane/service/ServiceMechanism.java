package io.headgate.dataplane.service;

import io.headgate.config.Mechanism;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.forwarding.Listening;
import java.util.List;

/**
 * A kind of service for switches. If the file {@code
 * META-INF/services/io.headgate.config.Mechanism} of its jar names it, it can be configured below
 * {@code services} of any switch, and its counters appear with the switch's.
 *
 * @param <C> its configuration
 */
public interface ServiceMechanism<C extends Record> extends Mechanism<C> {

    @Override
    default Kind kind() {
        return Kind.SERVICE;
    }

    /** The frames that it receives; it brings no other frames to the switch. */
    List<Listening> listensTo(C configuration);

    /** Its counters; the service's name is put before the labels: {@code lldp.received}. */
    default List<CounterText> counters() {
        return List.of();
    }

    /**
     * Whether a change of the switch concerns it, even if its own configuration does not change.
     */
    default boolean isConcerned(SwitchConfig from, SwitchConfig to) {
        return false;
    }

    /**
     * Makes the service; a new one after a failure and whenever its configuration changes, which
     * then takes over from the old one. Called by any thread, also while the old one runs: it only
     * allocates, and reads its parameters. It must not send, count or publish, nor share mutable
     * state with another service of its kind; all of that begins with the first call of the
     * service, by its one thread. It refuses a configuration by an {@link IllegalArgumentException}
     * with one sentence.
     */
    LocalService service(C configuration, ServiceSetup setup);
}
