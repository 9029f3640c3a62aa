package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.openqueue.language.Policy;

/** A port of a policy, as {@link QueueState} is a queue. */
final class PortState {
    final double rate;
    double schedState;

    /** Number of the queue that a packet was sent from last. */
    int currQueue;

    PortState(Policy.Port port) {
        this.rate = port.rate();
        this.schedState = port.initial().schedState();
    }
}
