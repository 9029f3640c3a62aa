package io.headgate.testbed.virtual;

import io.headgate.hostagent.rate.PacingWheel;

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

    /** Has a timer, by its number in a run that has started, fire at a time. */
    @FunctionalInterface
    interface Setting {
        void set(int number, long atPs);
    }

    private final Setting setting;
    private final Task task;
    private int number = -1;
    private long beforeStartPs = PacingWheel.NEVER;

    VirtualTimer(Setting setting, Task task) {
        this.setting = setting;
        this.task = task;
    }

    /** The run starts, and knows it by this. */
    void number(int newNumber) {
        number = newNumber;
        if (beforeStartPs != PacingWheel.NEVER) {
            setting.set(number, beforeStartPs);
        }
    }

    /**
     * Sets the timer to a time, not before now, in place of the one that it was set to. From a
     * timer or a probe, or while the run stands still.
     */
    public void schedule(long atPs) {
        if (number < 0) {
            beforeStartPs = atPs;
        } else {
            setting.set(number, atPs);
        }
    }

    void fire(long nowPs) {
        task.fire(this, nowPs);
    }
}
