package io.headgate.control.daemon;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Keeps the process alive after ^C or TERM until a command has closed what it opened. */
public final class SignalWait implements AutoCloseable {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);

    /**
     * From now on a signal waits for {@link #close}.
     *
     * @param mostSeconds longest wait; after it the process ends without
     */
    public SignalWait(long mostSeconds) {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().unstarted(() -> awaitEnd(mostSeconds)));
    }

    private void awaitEnd(long mostSeconds) {
        asked.countDown();
        try {
            if (!done.await(mostSeconds, TimeUnit.SECONDS)) {
                System.err.println(
                        "headgate: still not closed after " + mostSeconds + " s; ends without");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a signal, at most for this time; answers whether there was one. */
    public boolean await(long mostMs) throws InterruptedException {
        return asked.await(mostMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        done.countDown();
    }
}
