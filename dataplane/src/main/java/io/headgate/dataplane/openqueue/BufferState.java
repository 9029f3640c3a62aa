package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.openqueue.language.Policy;

/** State of a buffer that queues of a policy share, like {@link QueueState} for a queue. */
final class BufferState {
    /** Number of the buffer in the policy. */
    final int number;

    /** Its queues, once they are created. */
    QueueState[] queues = {};

    /** Whether a comparator decides which queue loses a packet. */
    final boolean orders;

    final boolean drops;
    final long limit;
    final double size;
    double admState;

    /** Number of the queue for which the last packet arrived. */
    int currQueue;

    long held;

    BufferState(int number, Policy.Buffer buffer) {
        this.number = number;
        this.orders = buffer.order() != null;
        this.drops = PolicyPlan.drops(buffer.congestion());
        this.size = buffer.size();
        this.limit = (long) Math.floor(buffer.size());
        this.admState = buffer.initial().admState();
    }
}
