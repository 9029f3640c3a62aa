package io.headgate.dataplane.engine;

import java.util.function.Consumer;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;

/**
 * Orders from other threads to one duty, run by that duty between bursts: configuration, devices
 * that come and go, captures that start and stop. Bounded; a refused order is the sender's to
 * repeat.
 */
final class Inbox<D> {
    private static final int CAPACITY = 64;
    private static final int ORDERS_PER_CYCLE = 4;

    private final MpscVarHandleArrayQueue<Consumer<D>> orders =
            new MpscVarHandleArrayQueue<>(CAPACITY);
    private final Doorbell doorbell;

    Inbox(Doorbell doorbell) {
        this.doorbell = doorbell;
    }

    /** Any thread. Answers false if the inbox is full. */
    boolean offer(Consumer<D> order) {
        boolean taken = orders.offer(order);
        if (taken) {
            doorbell.ring(Doorbell.INBOX);
        }
        return taken;
    }

    /** Owner only: whether more orders may wait behind those that {@link #drainTo} ran. */
    static boolean stoppedShort(int done) {
        return done == ORDERS_PER_CYCLE;
    }

    /** Owner only: runs a few orders. */
    int drainTo(D duty) {
        int done = 0;
        while (done < ORDERS_PER_CYCLE) {
            Consumer<D> order = orders.poll();
            if (order == null) {
                break;
            }
            order.accept(duty);
            done++;
        }
        return done;
    }
}
