package io.headgate.dataplane.queue;

/** What frames must pass to start: credits, rates of single queues, and who counts them. */
public interface Gate {

    /** Lets everything pass. */
    Gate OPEN = new Gate() {};

    /** The {@link #blockShift} of who counts frames: each is less than a block of 2 GiB. */
    int WHOLE_FRAMES = 31;

    /**
     * How many blocks of a queue may start now; 0 if its first frame, of {@code headBytes}, may
     * not.
     */
    default int room(long nowNs, int queue, int headBytes) {
        return Integer.MAX_VALUE;
    }

    /** The length of a block: 2 to the power of this many bytes. Each frame begins a new one. */
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
     * @param bytes their bytes in all
     * @param cost their blocks in all
     */
    default void started(long nowNs, int queue, int frames, long bytes, int cost) {
        // It counts none.
    }
}
