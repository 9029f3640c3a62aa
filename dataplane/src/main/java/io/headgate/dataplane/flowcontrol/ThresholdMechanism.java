package io.headgate.dataplane.flowcontrol;

import io.headgate.config.Mechanism;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.policy.Threshold;

/**
 * A mechanism that sets how much of a shared pool each account of a port may hold, instead of
 * {@code alpha}. If the file {@code META-INF/services/io.headgate.config.Mechanism} of its jar
 * names it, it can be configured below {@code threshold} of any port whose buffers have {@code
 * alpha}, which is used while the mechanism is off.
 *
 * @param <C> its configuration
 */
public interface ThresholdMechanism<C extends Record> extends Mechanism<C> {

    @Override
    default Kind kind() {
        return Kind.THRESHOLD;
    }

    /**
     * Makes the threshold of a port. Called again whenever the port's configuration changes; the
     * new threshold has no state of the one before.
     *
     * @param alpha threshold of the port's {@code alpha}, as a possible starting point
     */
    Threshold threshold(C configuration, Threshold alpha, PortConfig port);
}
