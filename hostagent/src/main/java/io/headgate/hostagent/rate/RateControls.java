package io.headgate.hostagent.rate;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import org.jspecify.annotations.Nullable;

/**
 * A rate control mechanism with its configuration, which makes the objects that each flow needs.
 */
public record RateControls<C extends Record>(RateControlMechanism<C> mechanism, C configuration) {
    /**
     * @throws IllegalArgumentException if the mechanism returns senseless values
     */
    public RateControls {
        int ackEvery = mechanism.ackEvery(configuration);
        if (ackEvery < 1) {
            throw new IllegalArgumentException(
                    "the rate control %s asks for one acknowledgement per %d packets; at least 1"
                            .formatted(mechanism.name(), ackEvery));
        }
    }

    /**
     * The mechanism of a use.
     *
     * @throws IllegalArgumentException if the mechanism does not control rates
     */
    public static RateControls<?> of(Mechanisms.Use use) {
        Mechanism<?> found = MechanismRegistry.find(Mechanism.Kind.RATE_CONTROL, use.name());
        if (found instanceof RateControlMechanism<?> mechanism) {
            return of(mechanism, use);
        }
        throw new IllegalArgumentException(use.name() + " is not a rate control");
    }

    private static <C extends Record> RateControls<C> of(
            RateControlMechanism<C> mechanism, Mechanisms.Use use) {
        return new RateControls<>(mechanism, mechanism.of(use));
    }

    public long noticePeriodNs() {
        return mechanism.noticePeriodNs(configuration);
    }

    public int ackEvery() {
        return mechanism.ackEvery(configuration);
    }

    public @Nullable HopEcho hopEcho() {
        return mechanism.hopEcho(configuration);
    }

    /** Whether only flows whose receivers acknowledge packets, connections, can obey it. */
    public boolean needsConnections() {
        return mechanism.needsConnections() || hopEcho() != null;
    }

    public RateControl control() {
        return mechanism.control(configuration);
    }

    public NotificationPoint notificationPoint() {
        return mechanism.notificationPoint(configuration);
    }
}
