package io.headgate.dataplane.queue;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.policy.Admit;
import io.headgate.dataplane.policy.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * The port whose frames are to be queued.
 *
 * @param wire what a frame occupies behind the port
 */
public record QueuesSetup(PortConfig port, WireFormat wire) {

    /**
     * One first-in first-out queue per priority, with the limits that the port is configured with.
     *
     * @param schedule which queue is served next; null: the highest
     * @param admission asked for each frame of a lossy priority that is within its queue's limit;
     *     null: all are admitted
     */
    public Queues byPriority(@Nullable Schedule schedule, @Nullable Admit admission) {
        return new PriorityQueues(
                port.queueLimitBytes(), port.traffic().losslessMask(), schedule, admission);
    }

    /** The queues of the mechanism that the port has for them; null if it has none that is on. */
    public @Nullable Queues ofMechanism() {
        for (Mechanisms.Use use : port.mechanisms().of(Mechanism.Kind.QUEUES)) {
            if (use.isEnabled()
                    && MechanismRegistry.find(use.kind(), use.name())
                            instanceof QueuesMechanism<?> mechanism) {
                return queues(mechanism, use);
            }
        }
        return null;
    }

    private <C extends Record> Queues queues(QueuesMechanism<C> mechanism, Mechanisms.Use use) {
        return mechanism.queues(mechanism.of(use), this);
    }
}
