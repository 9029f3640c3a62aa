package io.headgate.hostagent;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.HostCounter;
import io.headgate.dataplane.device.DeviceDecorator;
import io.headgate.dataplane.device.tap.TapDevice;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.hostagent.rate.FlowShaper;
import org.jspecify.annotations.Nullable;

/**
 * The TAP of a host, which holds its senders back when their frames fill their share of the card. A
 * TAP that is not read loses frames without notice to their senders, so it is always read, and the
 * senders are stopped before it: by its queueing discipline, whose rate a {@link Throttle} sets.
 *
 * <p>If the rates of flows are controlled, these flows have queues of their own, and wait in a
 * {@link FlowShaper} until they may send; the senders of each such queue are stopped separately.
 */
final class ThrottledTap extends DeviceDecorator {
    /** The queue of flows that are not limited; it may be the only one. */
    private static final int FREE_FLOWS = 0;

    private static final int BURST = 32;

    private final TapDevice tap;
    private final TapSettings settings;
    private final Accounts accounts;
    private final SenderThrottle senders;
    private final Throttle throttle;
    private final CounterBlock counters;
    private final long throttledBps;
    private final int mostLimited;
    private boolean throttled;
    private long throttledSinceNs;

    /** Whether no slot was left when it was last read. */
    private boolean starved;

    // Where rates of flows are controlled; queues but the first are of such flows.
    private final @Nullable FlowShaper shaper;
    private final QueueThrottles queues;
    private final Frame[] arrivals = new Frame[BURST];
    private boolean closed;

    /**
     * @param shaper of the flows in all queues of the TAP but the first; null: there is one queue
     * @param throttledBps limit for senders in the first queue when they are held back
     */
    ThrottledTap(
            TapDevice tap,
            TapSettings settings,
            @Nullable FlowShaper shaper,
            Accounts accounts,
            int slots,
            Throttle throttle,
            long throttledBps,
            CounterBlock counters) {
        super(tap);
        this.tap = tap;
        this.settings = settings;
        this.shaper = shaper;
        this.queues = new QueueThrottles(tap.queues(), throttle);
        this.throttledBps = throttledBps;
        this.mostLimited = slots / 2;
        this.accounts = accounts;
        this.senders = new SenderThrottle(slots);
        this.throttle = throttle;
        this.counters = counters;
        counters.set(HostCounter.THROTTLED, 0);
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        // What came with the last batch has been charged, and what has left is back.
        boolean now = senders.update(accounts);
        if (now != throttled) {
            turn(now, nowNs);
        }
        FlowShaper limits = shaper;
        int count =
                limits == null
                        ? tap.receive(nowNs, free, batch, limit)
                        : receive(limits, nowNs, free, batch, limit);
        starved = free.size() == 0;
        return count;
    }

    private int receive(FlowShaper limits, long nowNs, FreeList free, Frame[] batch, int limit) {
        limits.tick(nowNs);
        tap.look();
        // While the card has enough, limited flows wait in their lists.
        int count = throttled ? 0 : limits.release(nowNs, batch, 0, limit);
        count += tap.receive(nowNs, FREE_FLOWS, free, batch, count, limit - count);
        for (int queue = 1; queue < tap.queues(); queue++) {
            int room = Math.min(BURST, mostLimited - limits.waiting());
            int came = tap.receive(nowNs, queue, free, arrivals, 0, room);
            for (int i = 0; i < came; i++) {
                limits.take(nowNs, queue, arrivals[i]);
            }
            queues.turn(limits, nowNs, queue);
        }
        limits.publish(nowNs);
        counters.set(HostCounter.LIMITED_FLOWS, limits.flows());
        counters.set(HostCounter.LIMITED_WAITING, limits.waiting());
        counters.set(HostCounter.LIMITED_SHARING, limits.sharing());
        return count;
    }

    private void turn(boolean now, long nowNs) {
        throttled = now;
        throttle.throttle(FREE_FLOWS, now ? throttledBps : Throttle.OPEN);
        counters.set(HostCounter.THROTTLED, now ? 1 : 0);
        if (now) {
            throttledSinceNs = nowNs;
            counters.add(HostCounter.THROTTLES, 1);
        } else {
            counters.add(HostCounter.THROTTLED_NS, nowNs - throttledSinceNs);
        }
    }

    @Override
    public String trouble() {
        if (closed || isGone()) {
            return "";
        }
        String changed = throttle.trouble();
        return changed.isEmpty() ? settings.trouble() : changed;
    }

    @Override
    public int receiveFd() {
        // What is not read, however full it is, must not wake the worker: it would spin. Slots that
        // come home ring, and frames of limited flows are released at times of their own.
        if (starved) {
            return POLLED;
        }
        FlowShaper limits = shaper;
        return limits != null && limits.waiting() >= mostLimited
                ? tap.receiveFd(FREE_FLOWS)
                : tap.receiveFd();
    }

    @Override
    public long deadlineNs() {
        // What waits for the card's slots has no deadline: they ring when they come home.
        FlowShaper limits = shaper;
        if (limits == null) {
            return tap.deadlineNs();
        }
        long ownNs = Math.min(Math.min(tap.deadlineNs(), limits.tickNs()), limits.publishNs());
        return throttled ? ownNs : Math.min(ownNs, limits.deadlineNs());
    }

    @Override
    public void close() {
        // It, too, has a socket in the TAP's namespace.
        throttle.close();
        super.close();
        closed = true;
    }
}
