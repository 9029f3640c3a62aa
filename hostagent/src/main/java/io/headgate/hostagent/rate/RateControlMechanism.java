package io.headgate.hostagent.rate;

import io.headgate.config.Mechanism;
import org.jspecify.annotations.Nullable;

/**
 * A mechanism that controls the rates of flows. If the file {@code
 * META-INF/services/io.headgate.config.Mechanism} of its jar names it, it can be configured below
 * {@code control} of a scenario's traffic, and below {@code rate-control} of a host.
 *
 * @param <C> its configuration
 */
public interface RateControlMechanism<C extends Record> extends Mechanism<C> {
    /** Value of {@link #ackEvery} for most cards, and without rate control. */
    int USUAL_ACK_EVERY = 16;

    /** Configuration of a marking mechanism, for any kind of links. */
    String MARKS = "{red: {kmin: 5kB, kmax: 200kB, pmax: 0.01}}";

    @Override
    default Kind kind() {
        return Kind.RATE_CONTROL;
    }

    /** Whether it depends on marks that acknowledgements echo: without them it has no effect. */
    default boolean needsEcho() {
        return false;
    }

    /**
     * Whether it depends on data that switches write into acknowledgements of reliable connections.
     * One with a {@link #hopEcho} needs these in any case.
     */
    default boolean needsConnections() {
        return false;
    }

    /** Whether it depends on marks, so that its flows' frames must be markable. */
    default boolean needsMarks() {
        return needsEcho();
    }

    /**
     * Whether receivers also count the marks that switches write into RoCEv2's base transport
     * header (FECN), as InfiniBand's receivers do, and not only those in the IP header. The sender
     * is notified in the same way: by BECN, in acknowledgements or in separate packets.
     */
    default boolean readsFecn() {
        return false;
    }

    /**
     * The period in which a congestion point sends one notice about a flow, in ns: at most two are
     * accepted. 0: it accepts no notices.
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
     * The format in which the receiver of a reliable connection echoes the telemetry of the forward
     * path ({@link Sample#echoed}); null: it echoes none.
     */
    default @Nullable HopEcho hopEcho(C configuration) {
        return null;
    }

    /**
     * The mechanisms that it needs at switch ports to have an effect, as in a file below {@code
     * congestion}; {@code {}}: none. By default marks, if it depends on them.
     */
    default String atSwitches() {
        return needsMarks() ? MARKS : "{}";
    }

    /** Whether {@link #atSwitches} needs links with credits; by default any will do. */
    default boolean needsCredits() {
        return false;
    }

    /**
     * Keys, as in a file, for a network that is slower than those of its publication: measured
     * defaults, such as a round trip, must be slower there, too.
     */
    default String keysWhereSlowed() {
        return "{}";
    }

    /** Makes the control for a flow. */
    RateControl control(C configuration);

    /** Makes the notification point for a flow. */
    default NotificationPoint notificationPoint(C configuration) {
        return NotificationPoint.ECHO;
    }
}
