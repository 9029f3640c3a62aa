package io.headgate.testbed.virtual.link;

import org.jspecify.annotations.Nullable;

/**
 * Told of every frame that starts on any link of a run: keeps their digest, shows them to an
 * observer. Owned by the run; keeps no frame. Different threads may tell of frames in different
 * directions at once, if there is no observer.
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

    /** Before the run starts: the directions have numbers below that. */
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

    /** A frame starts; as {@link LinkObserver#transmitted}. */
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
