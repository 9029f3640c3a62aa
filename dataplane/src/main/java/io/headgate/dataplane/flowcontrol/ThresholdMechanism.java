package io.headgate.dataplane.flowcontrol;

import io.headgate.config.Mechanism;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.policy.Threshold;

/**
 * A mechanism that says how much of a shared pool each account of a port may hold, in place of
 * {@code alpha}. Named in the file {@code META-INF/services/io.headgate.config.Mechanism} of its
 * jar, it can stand below {@code threshold} of any port whose buffers have {@code alpha}, which
 * holds while it is off.
 *
 * @param <C> its configuration
 */
public interface ThresholdMechanism<C extends Record> extends Mechanism<C> {

    @Override
    default Kind kind() {
        return Kind.THRESHOLD;
    }

    /**
     * Makes the threshold of a port. Asked again whenever the port's configuration changes; the new
     * threshold knows nothing of the one before.
     *
     * @param alpha what the port's {@code alpha} says, which this may start from
     */
    Threshold threshold(C configuration, Threshold alpha, PortConfig port);
}
