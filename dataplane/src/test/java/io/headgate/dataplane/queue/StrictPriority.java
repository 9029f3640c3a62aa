package io.headgate.dataplane.queue;

import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.Schedule;

/**
 * The highest queue first (IEEE 802.1Q, 8.6.8.1). What {@link PriorityQueues} do without a
 * schedule.
 */
public final class StrictPriority implements Schedule {

    @Override
    public int select(QueueFields queues, int candidates) {
        return 31 - Integer.numberOfLeadingZeros(candidates);
    }

    @Override
    public long room(int queue, int candidates) {
        return Long.MAX_VALUE;
    }

    @Override
    public void started(int queue, long cost, boolean empty) {
        // Nothing is remembered.
    }
}
