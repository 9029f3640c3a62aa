package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.openqueue.language.Policy;

/** State of a port of a policy, like {@link QueueState} for a queue. */
final class PortState {
    final double rate;
    double schedState;

    /** Number of the queue from which the last packet was sent. */
    int currQueue;

    PortState(Policy.Port port) {
        this.rate = port.rate();
        this.schedState = port.initial().schedState();
    }
}
