package io.headgate.testbed.virtual;

/**
 * Something that happens at a time of a run's: a link is pulled, a flow starts; as a probe, a
 * series is sampled.
 */
public final class VirtualTimer {
    /** What is done when a timer fires. */
    @FunctionalInterface
    public interface Task {
        /** May set the timer again. */
        void fire(VirtualTimer timer, long nowPs);
    }

    private final VirtualRun run;
    private final Task task;
    private int event = -1;
    private long beforeStartPs = EventQueue.NEVER;

    VirtualTimer(VirtualRun run, Task task) {
        this.run = run;
        this.task = task;
    }

    void number(int entity) {
        event = entity;
        if (beforeStartPs != EventQueue.NEVER) {
            run.setAlarm(event, beforeStartPs);
        }
    }

    /**
     * Sets the timer to a time, not before now, in place of the one that it was set to. From a
     * timer or a probe, or while the run stands still.
     */
    public void schedule(long atPs) {
        if (event < 0) {
            beforeStartPs = atPs;
        } else {
            run.setAlarm(event, atPs);
        }
    }

    /** As {@link #schedule}, to no time. */
    public void cancel() {
        if (event < 0) {
            beforeStartPs = EventQueue.NEVER;
        } else {
            run.cancelAlarm(event);
        }
    }

    void fire(long nowPs) {
        task.fire(this, nowPs);
    }
}
