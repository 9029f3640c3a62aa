package io.headgate.testbed.lab.series;

import java.util.concurrent.locks.LockSupport;

/** Calls a sampling function periodically, on a thread of its own, until it is closed. */
public final class Sampler implements AutoCloseable {
    private final long intervalNs;
    private final Runnable look;
    private final Thread thread;
    private volatile boolean stopping;

    /**
     * Starts.
     *
     * @param name of the thread, behind {@code headgate-lab-}
     * @param intervalNs from one look to the next, in ns
     * @param look called by that thread only, the first time at once, the last time on closing
     */
    public Sampler(String name, long intervalNs, Runnable look) {
        this.intervalNs = intervalNs;
        this.look = look;
        this.thread = Thread.ofPlatform().daemon().name("headgate-lab-" + name).start(this::run);
    }

    private void run() {
        look.run();
        while (!stopping) {
            LockSupport.parkNanos(intervalNs);
            look.run();
        }
    }

    /** Returns when the last look is done. */
    @Override
    public void close() {
        stopping = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
