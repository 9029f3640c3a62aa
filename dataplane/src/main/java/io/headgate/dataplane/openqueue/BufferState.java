package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.openqueue.language.Policy;

/** A buffer that queues of a policy share, as {@link QueueState} is a queue. */
final class BufferState {
    /** Which one it is. */
    final int number;

    /** Its queues, once they are made. */
    QueueState[] queues = {};

    /** Whether a comparator says which queue loses a packet. */
    final boolean orders;

    final boolean drops;
    final long limit;
    final double size;
    double admState;

    /** Number of the queue that a packet came for last. */
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
