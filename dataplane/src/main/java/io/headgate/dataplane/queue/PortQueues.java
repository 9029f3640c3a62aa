package io.headgate.dataplane.queue;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.QueueFields;

/**
 * A port's current queues, as its congestion points see them. The queues may be replaced while a
 * point exists, and another thread may make a point before that. Owned by the egress half.
 */
public final class PortQueues implements QueueFields {
    private Queues now;

    public PortQueues(Queues now) {
        this.now = now;
    }

    public void set(Queues others) {
        now = others;
    }

    public Frame[] waiting(int queue) {
        return now.waiting(queue);
    }

    @Override
    public int queues() {
        return now.queues();
    }

    @Override
    public int frames(int queue) {
        return now.frames(queue);
    }

    @Override
    public long bytes(int queue) {
        return now.bytes(queue);
    }

    @Override
    public long limitBytes(int queue) {
        return now.limitBytes(queue);
    }

    @Override
    public int headBytes(int queue) {
        return now.headBytes(queue);
    }

    @Override
    public long headArrival(int queue) {
        return now.headArrival(queue);
    }
}
