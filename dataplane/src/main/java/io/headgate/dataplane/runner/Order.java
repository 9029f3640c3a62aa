package io.headgate.dataplane.runner;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An order to one half, with its outcome. It runs once or never: a caller that times out cancels
 * the order, so that it cannot run later, when a delayed worker continues. An exception is passed
 * to the caller; the half continues.
 */
final class Order<H> implements Consumer<H> {
    private enum State {
        WAITING,
        RUNNING,
        TAKEN_BACK
    }

    private final Consumer<H> work;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable RuntimeException failure;

    Order(Consumer<H> work) {
        this.work = work;
    }

    /** The half's owner: runs the order, unless it was cancelled. */
    @Override
    public void accept(H half) {
        if (!state.compareAndSet(State.WAITING, State.RUNNING)) {
            return;
        }
        try {
            work.accept(half);
        } catch (RuntimeException thrown) {
            failure = thrown;
        } catch (Error thrown) {
            failure = new IllegalStateException(thrown);
            throw thrown;
        } finally {
            ended.countDown();
        }
    }

    /**
     * The sender: waits until the order has run, and cancels it if it has not begun in time.
     *
     * @return whether it has ended, also by an exception
     */
    boolean await(long timeoutNs) throws InterruptedException {
        try {
            if (ended.await(Math.max(0, timeoutNs), TimeUnit.NANOSECONDS)) {
                return true;
            }
        } finally {
            takeBack();
        }
        return ended.getCount() == 0;
    }

    /** The sender: cancels the order if it has not begun. */
    void takeBack() {
        state.compareAndSet(State.WAITING, State.TAKEN_BACK);
    }

    /** The exception that it threw; null if none, or if it has not run. */
    @Nullable RuntimeException failure() {
        return failure;
    }
}
