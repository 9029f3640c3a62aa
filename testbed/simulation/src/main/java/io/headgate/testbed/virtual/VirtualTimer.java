package io.headgate.testbed.virtual;

/**
 * Something that happens at a time of a run's: a link is pulled, a flow starts; as a probe, a
 * series is sampled.
 */
public interface VirtualTimer {
    /** What is done when a timer fires. */
    @FunctionalInterface
    interface Task {
        /** May set the timer again. */
        void fire(VirtualTimer timer, long nowPs);
    }

    /**
     * Sets the timer to a time, not before now, in place of the one that it was set to. From a
     * timer or a probe, or while the run stands still.
     */
    void schedule(long atPs);

    /** As {@link #schedule}, to no time. */
    void cancel();
}
