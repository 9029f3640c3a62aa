package io.headgate.hostagent.rate;

import io.headgate.config.Mechanism;
import org.jspecify.annotations.Nullable;

/**
 * A mechanism that says how fast flows may send: named in the file {@code
 * META-INF/services/io.headgate.config.Mechanism} of its jar, it can stand below {@code control} of
 * a scenario's traffic, and below {@code rate-control} of a host.
 *
 * @param <C> its configuration
 */
public interface RateControlMechanism<C extends Record> extends Mechanism<C> {
    /** {@link #ackEvery} of most cards, and where nothing controls the rate. */
    int USUAL_ACK_EVERY = 16;

    @Override
    default Kind kind() {
        return Kind.RATE_CONTROL;
    }

    /** Whether it goes by what acknowledgements say: without them and their marks it is nothing. */
    default boolean needsEcho() {
        return false;
    }

    /** Whether it goes by marks, so that a flow must be one that can be marked. */
    default boolean needsMarks() {
        return needsEcho();
    }

    /**
     * Whether receivers take for marks also what switches write into RoCEv2's base transport header
     * (FECN), as InfiniBand's do, and not the IP header's alone. The sender is told in the same
     * way: by BECN, of acknowledgements or of packets of their own.
     */
    default boolean readsFecn() {
        return false;
    }

    /**
     * In which a congestion point sends one notice about a flow, in ns: more than two are not
     * taken. 0: it takes no notices.
     */
    default long noticePeriodNs(C configuration) {
        return 0;
    }

    /**
     * One packet in so many of a reliable connection asks for an acknowledgement, at least 1: a
     * control that goes by samples wants more of them than others.
     */
    default int ackEvery(C configuration) {
        return USUAL_ACK_EVERY;
    }

    /**
     * How the receiver tells what telemetry said of the way there ({@link Sample#echoed}), at
     * reliable connections; null: it does not.
     */
    default @Nullable HopEcho hopEcho(C configuration) {
        return null;
    }

    /**
     * What ports of switches must have so that it does anything, as a file has it below {@code
     * congestion}; {@code {}}: nothing. By default marks, where it goes by these.
     */
    default String atSwitches() {
        return needsMarks() ? "{red: {kmin: 5kB, kmax: 200kB, pmax: 0.01}}" : "{}";
    }

    /**
     * Keys, as a file has them, for a network that is slower than those of its source: what is
     * measured by default, such as a round trip, must be slower there, too.
     */
    default String keysWhereSlowed() {
        return "{}";
    }

    /** Makes one for a flow. */
    RateControl control(C configuration);

    /** Makes the receiver's part for a flow. */
    default NotificationPoint notificationPoint(C configuration) {
        return NotificationPoint.ECHO;
    }
}
