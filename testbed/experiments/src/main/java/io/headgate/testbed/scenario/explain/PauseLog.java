package io.headgate.testbed.scenario.explain;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.ConfigDefaults;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.virtual.link.LinkObserver;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Records all pauses of a run (IEEE 802.1Qbb and 802.3, annex 31B), as the paused ports receive
 * them.
 */
final class PauseLog implements LinkObserver {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private final List<Pause> over = new ArrayList<>();

    /** By direction: who receives the frames. */
    private final Receiver[] receivers;

    private final class Receiver {
        private final String place;
        private final long quantumPs;
        private final long[] fromPs = new long[PRIORITIES];
        private final long[] untilPs = new long[PRIORITIES];

        Receiver(String place, long rateBps) {
            this.place = place;
            this.quantumPs = ConfigDefaults.quantumPs(rateBps);
        }

        void hears(int priority, long nowPs, int quanta) {
            boolean isPaused = nowPs < untilPs[priority];
            if (!isPaused) {
                close(priority);
            }
            if (quanta > 0) {
                fromPs[priority] = isPaused ? fromPs[priority] : nowPs;
                untilPs[priority] = nowPs + quanta * quantumPs;
            } else if (isPaused) {
                untilPs[priority] = nowPs;
                close(priority);
            }
        }

        private void close(int priority) {
            if (untilPs[priority] > fromPs[priority]) {
                over.add(new Pause(place, priority, fromPs[priority], untilPs[priority]));
            }
            fromPs[priority] = 0;
            untilPs[priority] = 0;
        }

        private void addOpen(List<Pause> to, long endPs) {
            for (int priority = 0; priority < PRIORITIES; priority++) {
                long until = Math.min(untilPs[priority], endPs);
                if (until > fromPs[priority]) {
                    to.add(new Pause(place, priority, fromPs[priority], until));
                }
            }
        }
    }

    PauseLog(NetworkPlan plan) {
        receivers = new Receiver[2 * plan.links().size()];
        for (LinkPlan link : plan.links()) {
            // Directions are numbered by the end that sends.
            long rateBps = link.spec().rateBps();
            receivers[2 * link.number()] = new Receiver(plan.place(link.b()), rateBps);
            receivers[2 * link.number() + 1] = new Receiver(plan.place(link.a()), rateBps);
        }
    }

    @Override
    public void transmitted(
            int direction,
            long startPs,
            long arrivePs,
            int lengthBytes,
            long address,
            int storedBytes) {
        if (arrivePs == LOST) {
            return;
        }
        Receiver receiver = receivers[direction];
        if (MacControl.isPfc(MEMORY, address, storedBytes)) {
            int enabled = MacControl.enabled(MEMORY, address);
            for (int priority = 0; priority < PRIORITIES; priority++) {
                if ((enabled >>> priority & 1) != 0) {
                    receiver.hears(
                            priority, arrivePs, MacControl.quanta(MEMORY, address, priority));
                }
            }
        } else if (MacControl.isPause(MEMORY, address, storedBytes)) {
            for (int priority = 0; priority < PRIORITIES; priority++) {
                receiver.hears(priority, arrivePs, MacControl.pauseQuanta(MEMORY, address));
            }
        }
    }

    /** All pauses in the order of their beginnings, including those that last until then. */
    List<Pause> pauses(long endPs) {
        List<Pause> all = new ArrayList<>(over);
        for (Receiver receiver : receivers) {
            receiver.addOpen(all, endPs);
        }
        all.removeIf(pause -> pause.fromPs() >= endPs);
        all.sort(Comparator.comparingLong(Pause::fromPs).thenComparing(Pause::place));
        return all;
    }
}
