package io.headgate.dataplane.queue;

import io.headgate.config.Mechanisms;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.policy.Admit;
import io.headgate.dataplane.policy.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * The part of a port's configuration that its queues may depend on. If one of these changes while
 * the port runs, or the mechanism's own configuration does, queues are made again.
 *
 * @param port the port's name
 * @param limitBytes limit of each priority's queue, if it has one
 * @param lossless a mask of the lossless priorities
 * @param mtuBytes most bytes of payload of a frame, with the bytes that mechanisms add
 * @param wire how frames occupy the wire behind the port
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
