package io.headgate.dataplane.queue;

/**
 * Decides which frames may start, by credits and by rates of single queues, and counts those that
 * do.
 */
public interface Gate {

    /** A gate that lets every frame pass. */
    Gate OPEN = new Gate() {};

    /** {@link #blockShift} of a gate that counts frames: each is less than one block of 2 GiB. */
    int WHOLE_FRAMES = 31;

    /**
     * Number of blocks of a queue that may start now; 0 if its first frame, of {@code headBytes},
     * may not.
     */
    default int room(long nowNs, int queue, int headBytes) {
        return Integer.MAX_VALUE;
    }

    /** Block length: 2 to the power of this value, in bytes. Each frame begins a new block. */
    default int blockShift() {
        return WHOLE_FRAMES;
    }

    /** Blocks that a frame takes of the room. */
    default int cost(int frameBytes) {
        return blocks(frameBytes, blockShift());
    }

    /** Blocks of 2 to the power of {@code shift} bytes that a frame takes, at least 1. */
    static int blocks(int frameBytes, int shift) {
        return (frameBytes + ((1 << shift) - 1)) >>> shift;
    }

    /**
     * Notes that frames of a queue start.
     *
     * @param bytes total bytes of the frames
     * @param cost total blocks of the frames
     */
    default void started(long nowNs, int queue, int frames, long bytes, int cost) {
        // It counts none.
    }
}
