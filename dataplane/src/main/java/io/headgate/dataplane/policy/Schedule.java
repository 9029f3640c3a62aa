package io.headgate.dataplane.policy;

/**
 * Which queue of a port sends its next frame. What frames count for is the schedule's own: bytes,
 * bytes of wire, or nothing.
 */
public interface Schedule {

    /**
     * Chooses a queue.
     *
     * @param candidates bit i set if queue i has a frame and may send it; never 0
     * @return a queue among the candidates, the first frame of which may be sent at any cost
     */
    int select(QueueFields queues, int candidates);

    /** What a frame of a length in bytes costs its queue. */
    default int cost(int frameBytes) {
        return frameBytes;
    }

    /**
     * Maximum that a chosen queue may send before another is chosen, with the same candidates; 0 if
     * not known: {@link #select} must then be asked for every frame.
     */
    default long room(int queue, int candidates) {
        return 0;
    }

    /**
     * Whether it asks for {@link QueueFields#headArrival}: only then are frames numbered as they
     * come.
     */
    default boolean readsArrivals() {
        return false;
    }

    /**
     * Notes that a frame, or several in a row, have left a queue and start.
     *
     * @param cost of them all
     * @param empty whether the queue is now empty
     */
    void started(int queue, long cost, boolean empty);
}
