package io.headgate.dataplane.engine;

import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.PriorityCounter;
import io.headgate.dataplane.counter.PriorityCounter.Egress;
import io.headgate.dataplane.counter.PriorityCounter.Ingress;
import io.headgate.dataplane.credit.CreditReceiver;
import io.headgate.dataplane.flowcontrol.EgressFlowControl;
import io.headgate.dataplane.flowcontrol.IngressAccounts;
import io.headgate.dataplane.flowcontrol.IngressFlowControl;
import io.headgate.dataplane.flowcontrol.PfcWatchdog;
import io.headgate.dataplane.linkcontrol.StopTimes;
import io.headgate.dataplane.pause.PauseReceiver;
import io.headgate.dataplane.pause.PauseSender;
import org.jspecify.annotations.Nullable;

/** Copies the counts of flow control into a half's counters. */
final class FlowControlCounters {
    private static final int INGRESS = Ingress.values().length;
    private static final int EGRESS = Egress.values().length;

    /** Before the first copy: a restarted half still shows the values from before. */
    private static final int NEVER = -1;

    private final CounterBlock block;
    private final @Nullable CounterBlock ofMechanisms;
    private final int priorities;

    // How many changes had been counted at the last copy. What has not changed since lies in many
    // cache lines, and is not copied again. A half copies what it receives or what it sends, never
    // both.
    private int seenCredits = NEVER;
    private int seenPauses;
    private int seenStops;

    // Totals and maxima that the half had reached when this was made: 0 unless it was restarted.
    private final long[] before;

    /** The counters of a port's half; null if it has no flow control. */
    static @Nullable FlowControlCounters of(
            HalfSetup.Counts counts, PortConfig port, PriorityCounter.Each[] all) {
        return counts.priorities() == null
                ? null
                : new FlowControlCounters(
                        counts.priorities(),
                        counts.links(),
                        port.traffic().losslessMask(),
                        PriorityCounter.kinds(all));
    }

    private FlowControlCounters(
            CounterBlock block,
            @Nullable CounterBlock ofMechanisms,
            int priorities,
            CounterId.Kind[] kinds) {
        this.block = block;
        this.ofMechanisms = ofMechanisms;
        this.priorities = priorities;
        this.before = new long[TrafficConfig.PRIORITIES * kinds.length];
        for (int at = 0; at < before.length; at++) {
            switch (kinds[at % kinds.length]) {
                case TOTAL, MAXIMUM -> before[at] = block.get(at);
                // It is set again only once there is something to show.
                case GAUGE -> block.set(at, 0);
            }
        }
    }

    private void set(int priority, Ingress id, long value) {
        set(at(priority, id), value);
    }

    private void set(int priority, Egress id, long value) {
        set(priority * EGRESS + id.ordinal(), value);
    }

    private void set(int counter, long value) {
        block.set(counter, before[counter] + value);
    }

    private void setMaximum(int counter, long value) {
        block.set(counter, Math.max(before[counter], value));
    }

    /** Starts the maxima of occupancy again from now. */
    void clearOccupancyMaxima() {
        for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
            before[at(priority, Ingress.OCCUPANCY_MAX_BYTES)] = 0;
            before[at(priority, Ingress.OCCUPANCY_MAX_SLOTS)] = 0;
        }
    }

    private static int at(int priority, Ingress id) {
        return priority * INGRESS + id.ordinal();
    }

    void publish(IngressFlowControl flow) {
        if (ofMechanisms != null) {
            flow.publishCounters(ofMechanisms);
        }
        IngressAccounts accounts = flow.accounts();
        for (int rest = priorities; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            set(priority, Ingress.OCCUPANCY_BYTES, accounts.bytes(priority));
            set(priority, Ingress.OCCUPANCY_SLOTS, accounts.slots(priority));
            setMaximum(at(priority, Ingress.OCCUPANCY_MAX_BYTES), accounts.maxBytes(priority));
            setMaximum(at(priority, Ingress.OCCUPANCY_MAX_SLOTS), accounts.maxSlots(priority));
        }
        CreditReceiver credits = flow.credits();
        if (credits != null && credits.changes() != seenCredits) {
            seenCredits = credits.changes();
            publish(credits);
        }
        PauseReceiver pauses = flow.pauses();
        if (pauses != null && pauses.changes() != seenPauses) {
            seenPauses = pauses.changes();
            publish(pauses);
        }
    }

    private void publish(CreditReceiver credits) {
        for (int rest = priorities; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            set(priority, Ingress.CREDIT_BLOCKS_LOST, credits.lostBlocks(priority));
            set(priority, Ingress.FULL_NOW_NS, credits.fullNs(priority));
        }
    }

    private void publish(PauseReceiver pauses) {
        for (int rest = priorities; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            set(priority, Ingress.XOFF_RECEIVED, pauses.xoffs(priority));
            set(priority, Ingress.REFRESH_RECEIVED, pauses.refreshes(priority));
            set(priority, Ingress.XON_RECEIVED, pauses.xons(priority));
        }
    }

    void publish(EgressFlowControl flow, long nowNs) {
        if (ofMechanisms != null) {
            flow.publishCounters(ofMechanisms);
        }
        PfcWatchdog watchdog = flow.watchdog();
        for (int rest = priorities; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            set(priority, Egress.FRAMES_STARTED, flow.transmitted(priority));
            if (watchdog != null) {
                set(priority, Egress.STORMS, watchdog.detected(priority));
                set(priority, Egress.RESTORED, watchdog.restored(priority));
            }
        }
        PauseSender sender = flow.sender();
        if (sender != null && (sender.told() != 0 || sender.changes() != seenPauses)) {
            seenPauses = sender.changes();
            publish(sender, nowNs);
        }
        StopTimes times = flow.times();
        if (times != null && (times.stopped() != 0 || times.changes() != seenStops)) {
            seenStops = times.changes();
            publish(times, nowNs);
        }
    }

    private void publish(PauseSender sender, long nowNs) {
        for (int rest = priorities; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            set(priority, Egress.XOFF_SENT, sender.xoffs(priority));
            set(priority, Egress.REFRESH_SENT, sender.refreshes(priority));
            set(priority, Egress.XON_SENT, sender.xons(priority));
            set(priority, Egress.LAPSES, sender.lapses(priority));
            set(priority, Egress.STOPPING_NOW_NS, sender.toldNs(priority, nowNs));
        }
    }

    private void publish(StopTimes times, long nowNs) {
        // A protocol that has joined may stop lossy priorities, as PAUSE does.
        for (int rest = times.ever(); rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            set(priority, Egress.STOPS, times.stops(priority));
            set(priority, Egress.STOPPED_NS, times.totalNs(priority, nowNs));
            setMaximum(
                    priority * EGRESS + Egress.STOPPED_MAX_NS.ordinal(),
                    times.longestNs(priority, nowNs));
            set(priority, Egress.STOPPED_NOW_NS, times.presentNs(priority, nowNs));
        }
    }
}
