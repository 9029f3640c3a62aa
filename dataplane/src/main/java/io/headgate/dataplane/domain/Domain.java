package io.headgate.dataplane.domain;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.queue.QueueCounters;
import io.headgate.dataplane.queue.Queues;
import org.jspecify.annotations.Nullable;

/**
 * The queues of all egress ports of a switch, which depend on each other: whether a frame may start
 * at one may be a matter of what another has started. Owned by one worker, which calls {@link
 * #begin}, then asks the queues of each port, then {@link #end} and {@link #deadlineNs}.
 */
public interface Domain {

    /**
     * Any thread: makes the queues of an egress port, empty. The first ones made for a port are its
     * own; later ones become so when its own are handed over to them.
     *
     * @param egress number of the port
     * @param schedule which priority is served next; null: the highest
     */
    Queues queues(int egress, PortConfig port, @Nullable Schedule schedule);

    /** What the queues of an egress port count by themselves; null if nothing. */
    default QueueCounters.@Nullable Layout counted(int egress) {
        return null;
    }

    /** A port has another configuration from now on. */
    void change(int port, PortConfig config);

    /** The queues of all ports are about to be asked what starts now. */
    void begin(long nowNs);

    /** The queues of all ports have been asked. */
    default void end(long nowNs) {
        // Nothing is left to be done.
    }

    /** Frames that have started so far, at all ports. */
    long started();

    /**
     * When a frame may be able to start that the domain itself holds back; now, if more may start
     * at this instant, and {@link Long#MAX_VALUE} if it holds none back.
     */
    long deadlineNs();
}
