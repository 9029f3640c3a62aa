package io.headgate.dataplane.queue;

import io.headgate.config.Mechanisms;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.policy.Admit;
import io.headgate.dataplane.policy.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * The part of a port's configuration that its queues may depend on. If a value or the mechanism's
 * own configuration changes while the port runs, the queues are made again.
 *
 * @param port the port's name
 * @param limitBytes limit of each priority's queue, if it has one
 * @param lossless a mask of the lossless priorities
 * @param mtuBytes maximum payload bytes of a frame, including bytes that mechanisms add
 * @param wire wire format behind the port
 */
public record QueuesSetup(
        String port, long limitBytes, int lossless, int mtuBytes, WireFormat wire) {

    /** The setup for a port's configuration. */
    public static QueuesSetup of(PortConfig port, MemoryConfig memory, WireFormat wire) {
        return new QueuesSetup(
                port.name(),
                port.queueLimitBytes(),
                port.traffic().losslessMask(),
                port.queuedPayloadBytes(memory),
                wire);
    }

    /**
     * Creates one first-in first-out queue per priority, with the port's configured limits.
     *
     * @param schedule chooses the queue to serve next; null: the highest
     * @param admission decides about each frame of a lossy priority within its queue's limit; null:
     *     all are admitted
     */
    public Queues byPriority(@Nullable Schedule schedule, @Nullable Admit admission) {
        return new PriorityQueues(limitBytes, lossless, schedule, admission);
    }

    /** The queues of the port's queueing mechanism. */
    public <C extends Record> Queues of(QueuesMechanism<C> mechanism, Mechanisms.Use use) {
        return mechanism.queues(mechanism.of(use), this);
    }
}
