package io.headgate.dataplane.engine;

import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import org.jspecify.annotations.Nullable;

/**
 * Sees the frames that pass one half, for a capture. Called by that half's thread on the path of
 * the frame: copies what it wants and returns at once.
 */
public interface Tap {
    /** Taken from the device, before anything was changed. */
    int RECEIVED = 0;

    /** Taken by the device, as it goes out. */
    int TRANSMITTED = 1;

    /** Dropped by this half. */
    int DROPPED = 2;

    /**
     * @param point {@link #RECEIVED}, {@link #TRANSMITTED} or {@link #DROPPED}
     * @param reason why it was dropped; null at the other points
     * @return false if the frame had to be left out because the writer cannot keep up
     */
    boolean frame(long nowNs, int point, int port, Frame frame, @Nullable DropReason reason);
}
