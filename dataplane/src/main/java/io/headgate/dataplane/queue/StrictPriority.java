package io.headgate.dataplane.queue;

import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.Schedule;

/**
 * The highest queue first (IEEE 802.1Q, 8.6.8.1). What {@link DataQueues} do without a schedule.
 */
public final class StrictPriority implements Schedule {

    @Override
    public int select(QueueFields queues, int candidates) {
        return 31 - Integer.numberOfLeadingZeros(candidates);
    }

    @Override
    public void started(int queue, int frameBytes, boolean empty) {
        // Nothing is remembered.
    }
}
