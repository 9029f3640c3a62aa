package io.headgate.dataplane.service;

import io.headgate.config.Mechanism;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.forwarding.Listening;
import java.util.List;

/**
 * A service that a switch may have: named in the file {@code
 * META-INF/services/io.headgate.config.Mechanism} of its jar, it can stand below {@code services}
 * of any switch, and what it counts is with the switch's counters.
 *
 * @param <C> its configuration
 */
public interface ServiceMechanism<C extends Record> extends Mechanism<C> {

    @Override
    default Kind kind() {
        return Kind.SERVICE;
    }

    /** The frames that it is given: none but them come to the switch because of it. */
    List<Listening> listensTo(C configuration);

    /** What it counts; labels get the service's name before: {@code lldp.received}. */
    default List<CounterText> counters() {
        return List.of();
    }

    /** Whether a change of the switch concerns it, though its own configuration stays. */
    default boolean isConcerned(SwitchConfig from, SwitchConfig to) {
        return false;
    }

    /**
     * Makes one; another one whenever its configuration changes, which then goes on from the first,
     * and when it has failed. Called by any thread, also while the one before is at work: it only
     * allocates and reads what it is given. It sends, counts and publishes nothing, and shares
     * nothing that changes with another of its kind; all of that begins with the first call of the
     * service, by its one thread. What it throws refuses the configuration: a sentence in an {@link
     * IllegalArgumentException}.
     */
    LocalService service(C configuration, ServiceSetup setup);
}
