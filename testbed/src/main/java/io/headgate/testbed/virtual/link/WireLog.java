package io.headgate.testbed.virtual.link;

import org.jspecify.annotations.Nullable;

/**
 * Told of every frame that starts on any link of a run: counts them, keeps their digest, shows them
 * to an observer. Owned by the run; keeps no frame.
 */
public final class WireLog {
    private final @Nullable FrameDigest digest;
    private @Nullable LinkObserver observer;
    private long frames;

    /**
     * @param digested whether a digest of all frames is kept
     */
    public WireLog(boolean digested) {
        this.digest = digested ? new FrameDigest() : null;
    }

    /** Sets the observer of every frame from now on; null: none. */
    public void observe(@Nullable LinkObserver newObserver) {
        observer = newObserver;
    }

    public boolean isObserved() {
        return observer != null;
    }

    /** A frame starts; as {@link LinkObserver#transmitted}. */
    void started(
            int direction,
            long startPs,
            long arrivePs,
            int lengthBytes,
            long address,
            int storedBytes) {
        frames++;
        if (digest != null) {
            digest.add(direction, startPs, arrivePs, lengthBytes, address, storedBytes);
        }
        if (observer != null) {
            observer.transmitted(direction, startPs, arrivePs, lengthBytes, address, storedBytes);
        }
    }

    /** Frames so far, each counted for each link. */
    public long frames() {
        return frames;
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
