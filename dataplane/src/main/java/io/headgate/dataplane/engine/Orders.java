package io.headgate.dataplane.engine;

import io.headgate.dataplane.memory.Prefetch;
import java.util.function.Consumer;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;

/**
 * A bounded queue of orders from other threads to one duty, which runs them between bursts:
 * configuration changes, attached and detached devices, captures that start and stop. If an order
 * is refused, its sender must repeat it.
 */
final class Orders<D> implements Prefetch {
    private static final int CAPACITY = 64;
    private static final int ORDERS_PER_CYCLE = 4;

    private final MpscVarHandleArrayQueue<Consumer<D>> orders =
            new MpscVarHandleArrayQueue<>(CAPACITY);
    private final Doorbell doorbell;

    // Asked at every call of every duty, where the queue itself would touch three cache lines.
    private volatile boolean waiting;

    Orders(Doorbell doorbell) {
        this.doorbell = doorbell;
    }

    /** Any thread: queues an order; returns false if too many wait. */
    boolean offer(Consumer<D> order) {
        if (!orders.offer(order)) {
            return false;
        }
        waiting = true;
        doorbell.ring(Doorbell.ORDERS);
        return true;
    }

    @Override
    public long prefetch(int distance) {
        return waiting ? 1 : 0;
    }

    /** Owner only: whether more orders may wait behind those that {@link #drainTo} ran. */
    static boolean stoppedShort(int done) {
        return done == ORDERS_PER_CYCLE;
    }

    /**
     * Owner only: runs a few orders. If an order throws, so does this method; the orders behind it
     * wait.
     */
    int drainTo(D duty) {
        if (!waiting) {
            return 0;
        }
        // Before the queue is looked at: an order that comes later says so again.
        waiting = false;
        int done = 0;
        try {
            while (done < ORDERS_PER_CYCLE) {
                Consumer<D> order = orders.poll();
                if (order == null) {
                    break;
                }
                order.accept(duty);
                done++;
            }
        } finally {
            if (!orders.isEmpty()) {
                waiting = true;
            }
        }
        return done;
    }
}
