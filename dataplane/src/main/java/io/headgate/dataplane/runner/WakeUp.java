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

    static {
        try {
            SLEEPING =
                    MethodHandles.lookup().findVarHandle(WakeUp.class, "sleeping", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Eventfd eventfd = new Eventfd();

    @SuppressWarnings("unused") // through SLEEPING
    private boolean sleeping;

    @Override
    public void ring(int inputs) {
        // The input must be visible before the flag is read: the sleeper sets the flag before it
        // looks at its inputs for the last time. One of the two sees the other.
        VarHandle.fullFence();
        if ((boolean) SLEEPING.getOpaque(this)) {
            eventfd.signal();
        }
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
