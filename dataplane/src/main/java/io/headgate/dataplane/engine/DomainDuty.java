package io.headgate.dataplane.engine;

import io.headgate.dataplane.domain.Domain;
import org.jspecify.annotations.Nullable;

/**
 * One duty for the egress of all ports of a switch: drives the egress halves, which share the
 * queues of a {@link Domain}. The half that started a frame least recently is called first, so that
 * each gets its share of the domain. A half that fails is stopped, and the others go on.
 */
public final class DomainDuty implements Duty {
    /** Delay after which a failed domain is called again if no input comes. */
    static final long AGAIN_NS = 100_000_000;

    private final Domain domain;
    private final EgressHalf[] halves;

    // Numbers of the halves, in the order in which they are called; and those that have started a
    // frame in this call.
    private final int[] order;
    private final int[] served;

    private @Nullable EgressHalf failed;
    private @Nullable Throwable failure;
    private long deadlineNs = Long.MAX_VALUE;

    DomainDuty(Domain domain, EgressHalf[] halves) {
        this.domain = domain;
        this.halves = halves;
        this.order = new int[halves.length];
        this.served = new int[halves.length];
        for (int port = 0; port < halves.length; port++) {
            order[port] = port;
        }
    }

    @Override
    public String name() {
        return "domain.egress";
    }

    @Override
    public long deadlineNs() {
        return deadlineNs;
    }

    @Override
    public int doWork(long nowNs) {
        // Holds where the domain throws, which rings for none of what waits.
        deadlineNs = nowNs + AGAIN_NS;
        domain.begin(nowNs);
        int work = 0;
        int kept = 0;
        int moved = 0;
        long next = Long.MAX_VALUE;
        for (int i = 0; i < order.length; i++) {
            int port = order[i];
            long before = domain.started();
            work += call(port, nowNs);
            if (domain.started() == before) {
                order[kept++] = port;
            } else {
                served[moved++] = port;
            }
        }
        System.arraycopy(served, 0, order, kept, moved);
        domain.end(nowNs);
        for (int port = 0; port < halves.length; port++) {
            next = Math.min(next, halves[port].deadlineNs());
        }
        deadlineNs = Math.min(next, domain.deadlineNs());
        if (failure != null) {
            throwFailure(failure);
        }
        return work;
    }

    /**
     * Notes the time of a call for all halves: each shows the longest call of the duty that serves
     * it.
     */
    @Override
    public void took(long durationNs, boolean isLong) {
        for (EgressHalf half : halves) {
            half.took(durationNs, isLong);
        }
    }

    @Override
    public void publish() {
        for (EgressHalf half : halves) {
            half.publish();
        }
    }

    private int call(int port, long nowNs) {
        EgressHalf half = halves[port];
        try {
            return half.doWork(nowNs);
        } catch (RuntimeException | Error e) {
            // Of several, the others fail again in the next call.
            if (!half.isStopped() && failure == null) {
                half.stop();
                failed = half;
                failure = e;
            }
            return 1;
        }
    }

    private void throwFailure(Throwable thrown) {
        failure = null;
        if (thrown instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) thrown;
    }

    /** Returns the half that failed and is stopped; the others go on. */
    @Override
    public Duty whatFailed() {
        Duty half = failed;
        failed = null;
        return half == null ? this : half;
    }
}
