package io.headgate.dataplane.engine;

import io.headgate.dataplane.counter.CounterBlock;
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

/** Copies what flow control counts into a half's counters, at the end of its work. */
final class FlowControlCounters {
    private static final int INGRESS = Ingress.values().length;
    private static final int EGRESS = Egress.values().length;

    private final CounterBlock block;
    private final @Nullable CounterBlock ofMechanisms;
    private final int priorities;

    /**
     * For a half of either kind.
     *
     * @param ofMechanisms for what link mechanisms count; null if that is nothing
     * @param priorities mask of those that are counted
     */
    FlowControlCounters(CounterBlock block, @Nullable CounterBlock ofMechanisms, int priorities) {
        this.block = block;
        this.ofMechanisms = ofMechanisms;
        this.priorities = priorities;
    }

    private void set(int priority, Ingress id, long value) {
        block.set(priority * INGRESS + id.ordinal(), value);
    }

    private void set(int priority, Egress id, long value) {
        block.set(priority * EGRESS + id.ordinal(), value);
    }

    void publish(IngressFlowControl flow) {
        if (ofMechanisms != null) {
            flow.publishCounters(ofMechanisms);
        }
        IngressAccounts accounts = flow.accounts();
        PauseReceiver pauses = flow.pauses();
        CreditReceiver credits = flow.credits();
        for (int rest = priorities; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            set(priority, Ingress.OCCUPANCY_BYTES, accounts.bytes(priority));
            set(priority, Ingress.OCCUPANCY_SLOTS, accounts.slots(priority));
            set(priority, Ingress.OCCUPANCY_MAX_BYTES, accounts.maxBytes(priority));
            set(priority, Ingress.OCCUPANCY_MAX_SLOTS, accounts.maxSlots(priority));
            if (pauses != null) {
                set(priority, Ingress.XOFF_RECEIVED, pauses.xoffs(priority));
                set(priority, Ingress.REFRESH_RECEIVED, pauses.refreshes(priority));
                set(priority, Ingress.XON_RECEIVED, pauses.xons(priority));
            }
            if (credits != null) {
                set(priority, Ingress.CREDIT_BLOCKS_LOST, credits.lostBlocks(priority));
                set(priority, Ingress.FULL_NOW_NS, credits.fullNs(priority));
            }
        }
    }

    void publish(EgressFlowControl flow, long nowNs) {
        if (ofMechanisms != null) {
            flow.publishCounters(ofMechanisms);
        }
        PauseSender sender = flow.sender();
        PfcWatchdog watchdog = flow.watchdog();
        StopTimes times = flow.times();
        for (int rest = priorities; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            set(priority, Egress.FRAMES_STARTED, flow.transmitted(priority));
            if (sender != null) {
                set(priority, Egress.XOFF_SENT, sender.xoffs(priority));
                set(priority, Egress.REFRESH_SENT, sender.refreshes(priority));
                set(priority, Egress.XON_SENT, sender.xons(priority));
                set(priority, Egress.LAPSES, sender.lapses(priority));
                set(priority, Egress.STOPPING_NOW_NS, sender.toldNs(priority, nowNs));
            }
            if (times != null) {
                set(priority, Egress.STOPS, times.stops(priority));
                set(priority, Egress.STOPPED_NS, times.totalNs(priority, nowNs));
                set(priority, Egress.STOPPED_MAX_NS, times.longestNs(priority, nowNs));
                set(priority, Egress.STOPPED_NOW_NS, times.presentNs(priority, nowNs));
            }
            if (watchdog != null) {
                set(priority, Egress.STORMS, watchdog.detected(priority));
                set(priority, Egress.RESTORED, watchdog.restored(priority));
            }
        }
    }
}
