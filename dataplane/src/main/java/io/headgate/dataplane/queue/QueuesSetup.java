package io.headgate.dataplane.queue;

import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.policy.Admit;
import io.headgate.dataplane.policy.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * The port whose frames are to be queued: what of its configuration queues may depend on. Where one
 * of these changes while the port runs, or the mechanism's own configuration, queues are made
 * again.
 *
 * @param port its name
 * @param limitBytes of each priority's queue, where there is one
 * @param lossless a mask of the lossless priorities
 * @param mtuBytes most bytes of payload of a frame, with what mechanisms add
 * @param wire what a frame occupies behind the port
 */
public record QueuesSetup(
        String port, long limitBytes, int lossless, int mtuBytes, WireFormat wire) {

    /** Of a port with a configuration. */
    public static QueuesSetup of(PortConfig port, WireFormat wire) {
        return new QueuesSetup(
                port.name(),
                port.queueLimitBytes(),
                port.traffic().losslessMask(),
                port.grownMtuBytes(),
                wire);
    }

    /**
     * One first-in first-out queue per priority, with the limits that the port is configured with.
     *
     * @param schedule which queue is served next; null: the highest
     * @param admission asked for each frame of a lossy priority that is within its queue's limit;
     *     null: all are admitted
     */
    public Queues byPriority(@Nullable Schedule schedule, @Nullable Admit admission) {
        return new PriorityQueues(limitBytes, lossless, schedule, admission);
    }

    /** The queues of a mechanism that the port has for them. */
    public <C extends Record> Queues of(QueuesMechanism<C> mechanism, Mechanisms.Use use) {
        return mechanism.queues(mechanism.of(use), this);
    }
}
