package io.headgate.testbed.virtual;

import io.headgate.hostagent.rate.PacingWheel;
import io.headgate.testbed.virtual.time.VirtualClock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The schedule of a run's timers and probes. At one time timers fire first, then probes, each in
 * the order in which they were added. Owned by the run.
 */
final class Alarms {
    private final VirtualClock clock;
    private final RunParts parts;
    private final PacingWheel queue = PacingWheel.ofRun(16);
    private final List<VirtualTimer> timers = new ArrayList<>();
    private final List<VirtualTimer> probes = new ArrayList<>();
    private final List<VirtualTimer> dueProbes = new ArrayList<>();

    /** The probes that read counters, by their places among the probes. */
    private final BitSet readCounters = new BitSet();

    private boolean countersAreRead;

    Alarms(VirtualClock clock, RunParts parts) {
        this.clock = clock;
        this.parts = parts;
    }

    VirtualTimer addTimer(VirtualTimer.Task task) {
        return add(timers, task);
    }

    VirtualTimer addProbe(VirtualTimer.Task task) {
        readCounters.set(probes.size());
        return add(probes, task);
    }

    /** A probe that reads no counters. */
    VirtualTimer addPlainProbe(VirtualTimer.Task task) {
        return add(probes, task);
    }

    private VirtualTimer add(List<VirtualTimer> kind, VirtualTimer.Task task) {
        VirtualTimer alarm = new VirtualTimer(this::set, task);
        kind.add(alarm);
        return alarm;
    }

    /** Called when the run starts: no more can be added. */
    void start() {
        queue.grow(timers.size() + probes.size());
        for (int i = 0; i < timers.size(); i++) {
            timers.get(i).number(i);
        }
        for (int i = 0; i < probes.size(); i++) {
            probes.get(i).number(timers.size() + i);
        }
    }

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
                int probe = alarm - timers.size();
                dueProbes.add(probes.get(probe));
                countersAreRead |= readCounters.get(probe);
            }
        }
    }

    boolean areProbesDue() {
        return !dueProbes.isEmpty();
    }

    /** Whether one of the probes that are due reads counters. */
    boolean areCountersRead() {
        return countersAreRead;
    }

    void fireProbes(long nowPs) {
        for (VirtualTimer probe : dueProbes) {
            probe.fire(nowPs);
        }
        dueProbes.clear();
        countersAreRead = false;
    }

    private void set(int number, long atPs) {
        if (atPs < clock.ps()) {
            throw new IllegalArgumentException(
                    "a timer at " + atPs + " ps, at " + clock.ps() + " ps");
        }
        parts.requireNone("a timer is set");
        queue.schedule(number, atPs);
    }
}
