package io.headgate.dataplane.queue;

/** What frames must pass to start: credits, rates of single queues, and who counts them. */
public interface Gate {

    /** Lets everything pass. */
    Gate OPEN =
            new Gate() {
                @Override
                public int room(long nowNs, int queue, int headBytes) {
                    return Integer.MAX_VALUE;
                }

                @Override
                public int cost(int frameBytes) {
                    return 0;
                }

                @Override
                public void started(long nowNs, int queue, int frames, long bytes, int cost) {
                    // Nothing to count.
                }
            };

    /**
     * How much of a queue may start now, in what frames {@link #cost}; 0 if its first frame, of
     * {@code headBytes}, may not.
     */
    int room(long nowNs, int queue, int headBytes);

    /** What a frame of a length in bytes takes of the room. */
    int cost(int frameBytes);

    /**
     * Notes that frames of a queue start.
     *
     * @param bytes their bytes in all
     * @param cost their cost in all
     */
    void started(long nowNs, int queue, int frames, long bytes, int cost);
}
