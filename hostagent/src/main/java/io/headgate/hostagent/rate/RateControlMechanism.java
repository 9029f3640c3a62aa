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

    /** Marks that any links allow. */
    String MARKS = "{red: {kmin: 5kB, kmax: 200kB, pmax: 0.01}}";

    @Override
    default Kind kind() {
        return Kind.RATE_CONTROL;
    }

    /** Whether it depends on what acknowledgements echo: without echoed marks it has no effect. */
    default boolean needsEcho() {
        return false;
    }

    /**
     * Whether it depends on what switches write into acknowledgements of reliable connections. One
     * with a {@link #hopEcho} needs these in any case.
     */
    default boolean needsConnections() {
        return false;
    }

    /** Whether it depends on marks, so that its flows' frames must be markable. */
    default boolean needsMarks() {
        return needsEcho();
    }

    /**
     * Whether receivers also count as marks what switches write into RoCEv2's base transport header
     * (FECN), as InfiniBand's do, and not only the IP header's. The sender is notified in the same
     * way: by BECN, in acknowledgements or in separate packets.
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
     * One packet in this many of a reliable connection asks for an acknowledgement, at least 1: a
     * control that depends on samples needs more acknowledgements than others.
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
     * The mechanisms that switch ports need for it to have an effect, as a file has them below
     * {@code congestion}; {@code {}}: none. By default marks, if it depends on them.
     */
    default String atSwitches() {
        return needsMarks() ? MARKS : "{}";
    }

    /** Whether {@link #atSwitches} needs links with credits; by default any will do. */
    default boolean needsCredits() {
        return false;
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
