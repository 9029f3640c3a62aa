package io.headgate.testbed.virtual.link;

import org.jspecify.annotations.Nullable;

/**
 * Records every frame that starts on any link of a run: computes their digest and shows them to an
 * observer. Owned by the run; keeps no frame. Without an observer several threads may record frames
 * of different directions at once.
 */
public final class WireLog {
    private final @Nullable FrameDigest digest;
    private @Nullable LinkObserver observer;

    /**
     * @param digested whether a digest of all frames is kept
     */
    public WireLog(boolean digested) {
        this.digest = digested ? new FrameDigest() : null;
    }

    /**
     * Makes room for directions with numbers below {@code directions}. Called before the run
     * starts.
     */
    public void grow(int directions) {
        if (digest != null) {
            digest.grow(directions);
        }
    }

    /** Sets the observer of every frame from now on; null: none. */
    public void observe(@Nullable LinkObserver newObserver) {
        observer = newObserver;
    }

    public boolean isObserved() {
        return observer != null;
    }

    /** Records a frame that starts; arguments as in {@link LinkObserver#transmitted}. */
    void started(
            int direction,
            long startPs,
            long arrivePs,
            int lengthBytes,
            long address,
            int storedBytes) {
        if (digest != null) {
            digest.add(direction, startPs, arrivePs, lengthBytes, address, storedBytes);
        }
        if (observer != null) {
            observer.transmitted(direction, startPs, arrivePs, lengthBytes, address, storedBytes);
        }
    }

    /**
     * The digest of all frames so far.
     *
     * @throws IllegalStateException if none is kept
     */
    public long digest() {
        if (digest == null) {
            throw new IllegalStateException("this run keeps no digest");
        }
        return digest.value();
    }
}
