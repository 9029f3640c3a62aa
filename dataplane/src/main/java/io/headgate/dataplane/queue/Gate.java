package io.headgate.dataplane.queue;

/** What each frame must pass to start: credits, rates of single queues, and who counts them. */
public interface Gate {

    /** Lets everything pass. */
    Gate OPEN =
            new Gate() {
                @Override
                public boolean isOpen(long nowNs, int queue, int frameBytes) {
                    return true;
                }

                @Override
                public void started(long nowNs, int queue, int frameBytes) {
                    // Nobody counts.
                }
            };

    /** Whether the first frame of a queue, of that length, may start now. */
    boolean isOpen(long nowNs, int queue, int frameBytes);

    /** Notes that a frame of a queue starts. */
    void started(long nowNs, int queue, int frameBytes);
}
