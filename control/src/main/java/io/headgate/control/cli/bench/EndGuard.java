package io.headgate.control.cli.bench;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Runs work that ends in order when the process gets a signal to end. */
public final class EndGuard {
    private static final Duration END_WITHIN = Duration.ofSeconds(15);

    private EndGuard() {}

    /** Work, or the clean-up after it. */
    @FunctionalInterface
    public interface Work<E extends Exception> {
        void run() throws E;
    }

    /**
     * Does the work. When the process gets a signal to end, this prints a sentence about the
     * consequences, cancels the work, and, once the work has ended, runs {@code leave}. The process
     * ends after that, or when it takes too long.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the other method is a safe one, too
    public static <E extends Exception> void run(
            Work<E> work, Runnable cancel, Supplier<String> sentence, Work<E>... leave) throws E {
        run(END_WITHIN, work, cancel, sentence, leave);
    }

    /**
     * The same with another time to end.
     *
     * @param within from the signal to the end of the process at the latest
     */
    @SafeVarargs
    public static <E extends Exception> void run(
            Duration within,
            Work<E> work,
            Runnable cancel,
            Supplier<String> sentence,
            Work<E>... leave)
            throws E {
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook =
                Thread.ofPlatform()
                        .name("headgate-end")
                        .unstarted(() -> {
                            System.err.println("\nheadgate: " + sentence.get());
                            cancel.run();
                            try {
                                ended.await(within.toSeconds(), TimeUnit.SECONDS);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The signal to end came before the work began.
            waitForTheEnd();
        }
        try {
            work.run();
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException ending) {
                // The hook runs, and has printed the consequences.
                try {
                    for (Work<E> last : leave) {
                        last.run();
                    }
                } finally {
                    ended.countDown();
                }
                waitForTheEnd();
            }
        }
    }

    private static void waitForTheEnd() {
        while (true) {
            LockSupport.park();
        }
    }
}
