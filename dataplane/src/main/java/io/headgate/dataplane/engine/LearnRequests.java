package io.headgate.dataplane.engine;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.forwarding.BridgeForwarding;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Addresses on their way from one ingress half to the owner of the forwarding table: a bounded ring
 * of preallocated words with one producer and one consumer. A refused request does no harm: the
 * next frame from the address asks again.
 */
final class LearnRequests implements BridgeForwarding.Learning {
    /** How many a half has room for. */
    static final int CAPACITY = 256;

    private static final VarHandle TAIL;
    private static final VarHandle HEAD;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(LearnRequests.class, "tail", long.class);
            HEAD = lookup.findVarHandle(LearnRequests.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long[] keys;
    private final CounterBlock counters;
    private final Doorbell owner;

    /** Whether something was asked for since the owner was last rung for. */
    private boolean unrung;

    // Written by the producer, read by the consumer through TAIL, and the other way round.
    private long tail;
    private long head;

    /**
     * @param capacity a power of two
     */
    LearnRequests(int capacity, CounterBlock counters, Doorbell owner) {
        assert Integer.bitCount(capacity) == 1 : capacity;
        this.keys = new long[capacity];
        this.counters = counters;
        this.owner = owner;
    }

    @Override
    public void request(long nowNs, long key, int port) {
        long at = tail;
        // Pairs with the release in poll: slots before head are free to be written.
        if (at - (long) HEAD.getAcquire(this) == keys.length) {
            counters.add(IngressCounter.LEARN_REFUSED, 1);
            return;
        }
        keys[(int) at & keys.length - 1] = key;
        // Pairs with the acquire in poll: the key is there before the tail that covers it.
        TAIL.setRelease(this, at + 1);
        counters.add(IngressCounter.LEARN_REQUESTS, 1);
        unrung = true;
    }

    @Override
    public void flush() {
        if (unrung) {
            unrung = false;
            owner.ring(Doorbell.INBOX);
        }
    }

    /** Consumer: the next key, or 0. */
    long poll() {
        long at = head;
        // Pairs with the release in request.
        if (at == (long) TAIL.getAcquire(this)) {
            return 0;
        }
        long key = keys[(int) at & keys.length - 1];
        // Pairs with the acquire in request.
        HEAD.setRelease(this, at + 1);
        return key;
    }
}
