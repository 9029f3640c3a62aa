package io.headgate.testbed.lab.capture;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A moment of a lab that is captured, on a thread of its own. Any thread waits for it or ends it.
 */
public final class CaptureMoment implements AutoCloseable {
    private static final long LOOK_MS = 20;
    private static final long LONGEST_NS = 1_000_000_000;

    private final Runnable open;
    private final Runnable shut;
    private final LongSupplier controlFrames;
    private final Thread thread;
    private volatile boolean hasControl;

    private CaptureMoment(
            long afterNs,
            Runnable open,
            Runnable shut,
            LongSupplier controlFrames,
            boolean controlled) {
        this.open = open;
        this.shut = shut;
        this.controlFrames = controlFrames;
        this.thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("headgate-lab-window")
                        .unstarted(() -> run(afterNs, controlled));
    }

    /**
     * Starts the wait for it.
     *
     * @param afterNs when it begins, from now
     * @param open has frames captured from then on
     * @param shut ends that
     * @param controlFrames how many frames of flow control the switches have sent
     * @param controlled whether it must contain such a frame; it then lasts until there is one, 1 s
     *     at most; else 20 ms
     */
    public static CaptureMoment after(
            long afterNs,
            Runnable open,
            Runnable shut,
            LongSupplier controlFrames,
            boolean controlled) {
        CaptureMoment moment = new CaptureMoment(afterNs, open, shut, controlFrames, controlled);
        moment.thread.start();
        return moment;
    }

    private void run(long afterNs, boolean controlled) {
        try {
            Thread.sleep(Duration.ofNanos(afterNs));
        } catch (InterruptedException e) {
            return; // there was none
        }
        open.run();
        try {
            long before = controlFrames.getAsLong();
            long endNs = System.nanoTime() + LONGEST_NS;
            do {
                Thread.sleep(LOOK_MS);
                hasControl = controlFrames.getAsLong() != before;
            } while (controlled && !hasControl && System.nanoTime() - endNs < 0);
        } catch (InterruptedException e) {
            // It ends earlier.
        } finally {
            shut.run();
        }
    }

    /** Waits until it is over. */
    public void await() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether switches sent frames of flow control during it; final once it is over. */
    public boolean hasControl() {
        return hasControl;
    }

    /** Ends it, also before it begins; afterwards it asks for nothing any more. Idempotent. */
    @Override
    public void close() {
        thread.interrupt();
        await();
    }
}
