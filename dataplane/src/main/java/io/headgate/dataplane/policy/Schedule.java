package io.headgate.dataplane.policy;

/** Which queue of a port sends its next frame. */
public interface Schedule {

    /**
     * Chooses a queue.
     *
     * @param candidates bit i set if queue i has a frame and may send it; never 0
     * @return a queue among the candidates
     */
    int select(QueueFields queues, int candidates);

    /**
     * Notes that a frame has left a queue and starts.
     *
     * @param frameBytes its length
     * @param empty whether the queue is now empty
     */
    void started(int queue, int frameBytes, boolean empty);
}
