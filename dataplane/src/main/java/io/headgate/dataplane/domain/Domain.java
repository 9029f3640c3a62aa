package io.headgate.dataplane.domain;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.queue.QueueCounters;
import io.headgate.dataplane.queue.Queues;
import org.jspecify.annotations.Nullable;

/**
 * The common queues of all egress ports of a switch: whether a frame may start at one port may
 * depend on frames that another port has started. Owned by one worker, which calls {@link #begin},
 * then uses the queues of each port, then calls {@link #end} and {@link #deadlineNs}.
 */
public interface Domain {

    /**
     * Any thread: makes the empty queues of an egress port. The first ones made for a port are in
     * use; later ones are in use once the earlier ones have been handed over to them.
     *
     * @param egress number of the port
     * @param schedule chooses the priority to serve next; null: the highest
     */
    Queues queues(int egress, PortConfig port, @Nullable Schedule schedule);

    /** Layout of the counters that the queues of an egress port keep; null if there are none. */
    default QueueCounters.@Nullable Layout counted(int egress) {
        return null;
    }

    /** Changes a port's configuration. */
    void change(int port, PortConfig config);

    /** Called before the queues of all ports are asked for frames to start now. */
    void begin(long nowNs);

    /** Called after the queues of all ports were asked. */
    default void end(long nowNs) {
        // Nothing is left to be done.
    }

    /** Number of frames that have started so far, at all ports. */
    long started();

    /**
     * The time at which a frame that the domain itself holds back may be able to start; now, if
     * more may start at this instant; {@link Long#MAX_VALUE} if it holds none back.
     */
    long deadlineNs();
}
