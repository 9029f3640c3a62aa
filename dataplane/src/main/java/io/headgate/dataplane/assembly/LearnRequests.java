package io.headgate.dataplane.assembly;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.forwarding.BridgeForwarding;
import io.headgate.dataplane.memory.sync.WordRing;

/**
 * Requests of one ingress half to the owner of the forwarding table to learn addresses: a bounded
 * ring of preallocated words with one producer and one consumer. A refused request does no harm:
 * the next frame from the address repeats it.
 */
final class LearnRequests implements BridgeForwarding.Learning {
    /** How many a half has room for. */
    private static final int CAPACITY = 256;

    private final WordRing keys;
    private final CounterBlock counters;
    private final Doorbell owner;

    /** Whether something was asked for since the owner was last rung for. */
    private boolean unrung;

    LearnRequests(CounterBlock counters, Doorbell owner) {
        this.keys = new WordRing(CAPACITY, 1);
        this.counters = counters;
        this.owner = owner;
    }

    @Override
    public void request(long nowNs, long key, int port) {
        if (!keys.claim()) {
            counters.add(IngressCounter.LEARN_REFUSED, 1);
            return;
        }
        keys.put(0, key);
        keys.publish();
        counters.add(IngressCounter.LEARN_REQUESTS, 1);
        unrung = true;
    }

    @Override
    public void flush() {
        if (unrung) {
            unrung = false;
            owner.ring(Doorbell.ORDERS);
        }
    }

    /** Consumer: the next key, or 0. */
    long poll() {
        if (!keys.next()) {
            return 0;
        }
        long key = keys.get(0);
        keys.release();
        return key;
    }
}
