package io.headgate.testbed.virtual.link;

/**
 * Receives every frame that is put on a link, in order: for captures, series and traces. It may
 * look at the bytes while it is called, and must change nothing.
 */
public interface LinkObserver {
    /** The {@code arrivePs} of a frame that is lost on the way. */
    long LOST = Long.MAX_VALUE;

    /**
     * Called when a frame's first bit leaves.
     *
     * @param direction number as in {@link VirtualLink#direction}
     * @param startPs when transmission starts
     * @param arrivePs when it arrives at the far end, {@link #LOST} if never
     * @param lengthBytes length of the frame without FCS
     * @param address address of its stored bytes in {@link
     *     io.headgate.dataplane.memory.FrameRegion#MEMORY}
     */
    void transmitted(
            int direction,
            long startPs,
            long arrivePs,
            int lengthBytes,
            long address,
            int storedBytes);
}
