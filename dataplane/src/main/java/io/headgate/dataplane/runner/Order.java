package io.headgate.dataplane.runner;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An order to one half, and its outcome. Runs once or never: a caller that times out cancels the
 * order, so that it cannot run later, once a delayed worker goes on. An exception is passed to the
 * caller; the half goes on.
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

    /** The half's owner: runs it, unless it was taken back. */
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
     * The sender: waits until it has run, and takes it back if it has not begun by then.
     *
     * @return whether it has run to its end, be it by an exception
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

    /** The sender: has it never run, if it has not begun. */
    void takeBack() {
        state.compareAndSet(State.WAITING, State.TAKEN_BACK);
    }

    /** What it threw; null if nothing, or if it has not run. */
    @Nullable RuntimeException failure() {
        return failure;
    }
}
