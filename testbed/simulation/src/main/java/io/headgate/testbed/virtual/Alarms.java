package io.headgate.testbed.virtual;

import io.headgate.hostagent.rate.PacingWheel;
import io.headgate.testbed.virtual.time.VirtualClock;
import java.util.ArrayList;
import java.util.List;

/**
 * The timers of a run and its probes: when each fires, timers first, each kind in the order in
 * which they were added. Owned by the run.
 */
final class Alarms {
    private final VirtualClock clock;
    private final RunParts parts;
    private final PacingWheel queue = PacingWheel.ofRun(16);
    private final List<Alarm> timers = new ArrayList<>();
    private final List<Alarm> probes = new ArrayList<>();
    private final List<Alarm> dueProbes = new ArrayList<>();

    Alarms(VirtualClock clock, RunParts parts) {
        this.clock = clock;
        this.parts = parts;
    }

    VirtualTimer addTimer(VirtualTimer.Task task) {
        return add(timers, task);
    }

    VirtualTimer addProbe(VirtualTimer.Task task) {
        return add(probes, task);
    }

    private VirtualTimer add(List<Alarm> kind, VirtualTimer.Task task) {
        Alarm alarm = new Alarm(task);
        kind.add(alarm);
        return alarm;
    }

    /** There will be no more of them. */
    void start() {
        queue.grow(timers.size() + probes.size());
        for (int i = 0; i < timers.size(); i++) {
            timers.get(i).number(i);
        }
        for (int i = 0; i < probes.size(); i++) {
            probes.get(i).number(timers.size() + i);
        }
    }

    /** When the next one fires; {@link PacingWheel#NEVER} if none will. */
    long nextTime() {
        return queue.nextTime();
    }

    /** Fires the timers of this instant; its probes are due at its end. */
    void fire(long nowPs) {
        while (queue.nextTime() == nowPs) {
            int alarm = queue.poll();
            if (alarm < timers.size()) {
                timers.get(alarm).fire(nowPs);
                parts.timerFired();
            } else {
                dueProbes.add(probes.get(alarm - timers.size()));
            }
        }
    }

    /** Whether any probe is due at the end of this instant. */
    boolean areProbesDue() {
        return !dueProbes.isEmpty();
    }

    /** Has those probes look. */
    void fireProbes(long nowPs) {
        for (Alarm probe : dueProbes) {
            probe.fire(nowPs);
        }
        dueProbes.clear();
    }

    private void set(int number, long atPs) {
        if (atPs < clock.ps()) {
            throw new IllegalArgumentException(
                    "a timer at " + atPs + " ps, at " + clock.ps() + " ps");
        }
        parts.requireNone("a timer is set");
        queue.schedule(number, atPs);
    }

    private final class Alarm implements VirtualTimer {
        private final Task task;
        private int number = -1;
        private long beforeStartPs = PacingWheel.NEVER;

        Alarm(Task task) {
            this.task = task;
        }

        void number(int newNumber) {
            number = newNumber;
            if (beforeStartPs != PacingWheel.NEVER) {
                set(number, beforeStartPs);
            }
        }

        @Override
        public void schedule(long atPs) {
            if (number < 0) {
                beforeStartPs = atPs;
            } else {
                set(number, atPs);
            }
        }

        @Override
        public void cancel() {
            if (number < 0) {
                beforeStartPs = PacingWheel.NEVER;
            } else {
                parts.requireNone("a timer is cancelled");
                queue.cancel(number);
            }
        }

        void fire(long nowPs) {
            task.fire(this, nowPs);
        }
    }
}
