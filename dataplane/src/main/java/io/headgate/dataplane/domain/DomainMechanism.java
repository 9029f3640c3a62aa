package io.headgate.dataplane.domain;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import org.jspecify.annotations.Nullable;

/**
 * A mechanism that owns the egress of all ports of a switch. If the file {@code
 * META-INF/services/io.headgate.config.Mechanism} of its jar names it, it can be configured below
 * {@code domain} of any switch, which then runs on one worker.
 *
 * @param <C> its configuration
 */
public interface DomainMechanism<C extends Record> extends Mechanism<C> {

    @Override
    default Kind kind() {
        return Kind.DOMAIN;
    }

    /** Makes the domain of a switch. */
    Domain domain(C configuration, DomainSetup setup);

    /** The domain in a switch's configuration; null if each port has queues of its own. */
    static @Nullable Domain of(Mechanisms mechanisms, DomainSetup setup) {
        for (Mechanisms.Use use : mechanisms.of(Kind.DOMAIN)) {
            if (use.isEnabled()
                    && MechanismRegistry.find(use.kind(), use.name())
                            instanceof DomainMechanism<?> mechanism) {
                return domain(mechanism, use, setup);
            }
        }
        return null;
    }

    private static <C extends Record> Domain domain(
            DomainMechanism<C> mechanism, Mechanisms.Use use, DomainSetup setup) {
        return mechanism.domain(mechanism.of(use), setup);
    }
}
