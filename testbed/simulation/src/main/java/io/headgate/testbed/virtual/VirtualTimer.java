package io.headgate.testbed.virtual;

import io.headgate.hostagent.rate.PacingWheel;

/**
 * A timer or a probe of a run: an action at a given time. Timers pull links and start flows, for
 * example; probes sample series.
 */
public final class VirtualTimer {
    /** The action of a timer. */
    @FunctionalInterface
    public interface Task {
        /** May set the timer again. */
        void fire(VirtualTimer timer, long nowPs);
    }

    /** Sets the time of a timer, given by its number in a run that has started. */
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

    /** Called when the run starts: the timer's number in the run. */
    void number(int newNumber) {
        number = newNumber;
        if (beforeStartPs != PacingWheel.NEVER) {
            setting.set(number, beforeStartPs);
        }
    }

    /**
     * Sets the timer to a time, not before now; replaces an earlier setting. Called from a timer or
     * a probe, or while the run stands still.
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
