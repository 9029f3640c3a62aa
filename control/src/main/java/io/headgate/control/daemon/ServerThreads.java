package io.headgate.control.daemon;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Makes daemon threads, and waits for their end. An executor reports its termination while its last
 * thread still runs; only the thread itself tells when it is gone.
 */
public final class ServerThreads implements ThreadFactory {
    private final ThreadFactory factory;
    private final Queue<Thread> made = new ConcurrentLinkedQueue<>();

    /** A factory. */
    public ServerThreads(String name) {
        this.factory = new DefaultThreadFactory(name, true);
    }

    @Override
    public Thread newThread(Runnable work) {
        // An executor replaces a thread that failed, as often as one does.
        made.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
        Thread thread = factory.newThread(work);
        made.add(thread);
        return thread;
    }

    /**
     * Waits until all of its threads are gone; a thread that was never started counts as gone.
     *
     * @param timeoutMs longest time to wait, above 0
     * @return whether they are gone; false if the caller was interrupted; its interrupt flag stays
     *     set
     */
    public boolean awaitGone(long timeoutMs) {
        long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        try {
            for (Thread thread : made) {
                thread.join(Math.max(1, (untilNs - System.nanoTime()) / 1_000_000));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return made.stream().noneMatch(Thread::isAlive);
    }
}
