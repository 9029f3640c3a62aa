package io.headgate.dataplane.runner;

import io.headgate.dataplane.device.linux.Eventfd;
import io.headgate.dataplane.engine.Doorbell;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Wakes one worker. While the worker runs, ringing costs a fence and a flag test; only a worker
 * that sleeps, or is about to, is woken through its eventfd.
 */
final class WakeUp implements Doorbell, AutoCloseable {
    private static final VarHandle SLEEPING;
    private static final VarHandle RUNG;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SLEEPING = lookup.findVarHandle(WakeUp.class, "sleeping", boolean.class);
            RUNG = lookup.findVarHandle(WakeUp.class, "rung", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Eventfd eventfd = new Eventfd();

    @SuppressWarnings("unused") // through SLEEPING
    private boolean sleeping;

    @SuppressWarnings("unused") // through RUNG
    private boolean rung;

    @Override
    public void ring(int inputs) {
        // Pairs with the fence in takeRung: whoever takes the flag back sees the input.
        RUNG.setRelease(this, true);
        // The input must be visible before the flag is read: the sleeper sets the flag before it
        // looks at its inputs for the last time. One of the two sees the other.
        VarHandle.fullFence();
        if ((boolean) SLEEPING.getOpaque(this)) {
            eventfd.signal();
        }
    }

    /** Worker: whether anybody else rang since it was last asked. */
    boolean takeRung() {
        if (!(boolean) RUNG.getOpaque(this)) {
            return false;
        }
        RUNG.setOpaque(this, false);
        // The flag is down before the inputs are looked at, or a ring in between would be lost.
        VarHandle.fullFence();
        return true;
    }

    /** Worker: from now on whoever rings writes the eventfd. Inputs are to be looked at again. */
    void beforeSleep() {
        SLEEPING.setOpaque(this, true);
        VarHandle.fullFence();
    }

    /** Worker: awake again. */
    void afterSleep() {
        SLEEPING.setOpaque(this, false);
        eventfd.drain();
    }

    int fd() {
        return eventfd.fd();
    }

    @Override
    public void close() {
        eventfd.close();
    }
}
