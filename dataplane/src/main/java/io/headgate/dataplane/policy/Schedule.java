package io.headgate.dataplane.policy;

/**
 * Scheduling policy: chooses the queue of a port that sends the next frame. The schedule defines
 * the cost of a frame: bytes, bytes of wire, or none.
 */
public interface Schedule {

    /**
     * Chooses a queue.
     *
     * @param candidates bit i set if queue i has a frame and may send it; never 0
     * @return a queue among the candidates; its first frame may be sent at any cost
     */
    int select(QueueFields queues, int candidates);

    /** The cost of a frame, by its length in bytes. */
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
     * Whether it reads {@link QueueFields#headArrival}: only then are frames numbered on arrival.
     */
    default boolean readsArrivals() {
        return false;
    }

    /**
     * Notes that a frame, or several in a row, have left a queue and start.
     *
     * @param cost total cost of the frames
     * @param empty whether the queue is now empty
     */
    void started(int queue, long cost, boolean empty);
}
