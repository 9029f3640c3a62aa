package io.headgate.testbed.lab.capture;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Captures a moment of a lab, on a thread of its own. Any thread may wait for it or end it. */
public final class CaptureMoment implements AutoCloseable {
    private static final long LOOK_MS = 20;
    private static final long NS_PER_MS = 1_000_000;
    private static final long LONGEST_NS = 1_000_000_000;
    private static final int LEAST_FRAMES = 100;

    private final Runnable open;
    private final Runnable shut;
    private final LongSupplier frames;
    private final LongSupplier controlFrames;
    private final Thread thread;
    private volatile boolean hasControl;

    private final long longestNs;
    private final long lookMs;

    private CaptureMoment(
            long afterNs,
            Runnable open,
            Runnable shut,
            LongSupplier frames,
            LongSupplier controlFrames,
            boolean controlled,
            long longestNs,
            long lookMs) {
        this.open = open;
        this.shut = shut;
        this.frames = frames;
        this.controlFrames = controlFrames;
        this.longestNs = longestNs;
        this.lookMs = lookMs;
        this.thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("headgate-lab-window")
                        .unstarted(() -> run(afterNs, controlled));
    }

    /**
     * Starts the wait for it. It lasts 20 ms, or, 1 s at most, until a machine that holds senders
     * up has let 100 frames pass.
     *
     * @param afterNs when it begins, from now
     * @param open has frames captured from then on
     * @param shut ends that
     * @param frames how many frames the switches have sent
     * @param controlFrames how many of flow control they have sent in addition
     * @param controlled whether it must contain a frame of flow control; it then lasts until there
     *     is one, too
     */
    public static CaptureMoment after(
            long afterNs,
            Runnable open,
            Runnable shut,
            LongSupplier frames,
            LongSupplier controlFrames,
            boolean controlled) {
        return after(afterNs, open, shut, frames, controlFrames, controlled, LONGEST_NS);
    }

    /** The same for another time at most. */
    static CaptureMoment after(
            long afterNs,
            Runnable open,
            Runnable shut,
            LongSupplier frames,
            LongSupplier controlFrames,
            boolean controlled,
            long longestNs) {
        CaptureMoment moment =
                new CaptureMoment(
                        afterNs, open, shut, frames, controlFrames, controlled, longestNs, LOOK_MS);
        moment.thread.start();
        return moment;
    }

    /** One that begins now and lasts for a time, however few frames pass. */
    public static CaptureMoment during(long ns, Runnable open, Runnable shut) {
        CaptureMoment moment =
                new CaptureMoment(
                        0, open, shut, () -> 0, () -> 0, false, 0, Math.max(1, ns / NS_PER_MS));
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
            long least = frames.getAsLong() + LEAST_FRAMES;
            long endNs = System.nanoTime() + longestNs;
            do {
                Thread.sleep(lookMs);
                hasControl = controlFrames.getAsLong() != before;
            } while (((controlled && !hasControl) || frames.getAsLong() < least)
                    && System.nanoTime() - endNs < 0);
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
