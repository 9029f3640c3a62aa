package io.headgate.dataplane.queue;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.QueueFields;

/**
 * The queues that a port has at the moment, to what watches them: it may be made before other
 * queues take their place, and by another thread. Owned by the egress half.
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
