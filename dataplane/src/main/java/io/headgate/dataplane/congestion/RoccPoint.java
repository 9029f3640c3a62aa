package io.headgate.dataplane.congestion;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.congestion.flows.FlowTable;
import io.headgate.dataplane.congestion.flows.FrameQuotes;
import io.headgate.dataplane.congestion.flows.QueuedFlows;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.frame.Notice;
import io.headgate.dataplane.frame.RoccNotice;
import io.headgate.dataplane.memory.Frame;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * RoCC's congestion point (Menikkumbura et al., "RoCC: Robust Congestion Control for RDMA", CoNEXT
 * 2020; Menikkumbura, dissertation, Purdue 2022, section 3.3.2): it has a {@link FairRate} for each
 * watched queue, and one {@link FlowTable} for all of them. In each period T it sends the rate of
 * their queue, or the values from which hosts compute it themselves, to the sources of the table's
 * flows. It does so also while the queue is paused.
 *
 * <p>The timer runs from the first frame on. Periods in which no frame is queued and all rates are
 * at their maximum change nothing and are left out.
 *
 * <p>At a host's card no source can be notified, so it watches no queue.
 */
final class RoccPoint implements CongestionPoint {
    static final List<CounterText> COUNTERS =
            List.of(
                    CounterText.gauge("rate", "kb/s", "the fair rate"),
                    CounterText.gauge("queue", "bytes", "bytes that wait"),
                    CounterText.gauge("flows", "flows", "flows that get notices"),
                    CounterText.total("notices", "notices", "sources told, or tried to"),
                    CounterText.total(
                            "refused",
                            "frames",
                            "frames whose flow found no room in the flow table, or replaced another"
                                    + " flow"));

    private static final int DETAIL_WORDS = Notice.DETAIL_BYTES / Long.BYTES;
    private static final long[] NOTHING = {};

    private final CongestionSetup setup;
    private final long periodNs;
    private final int unitKbps;
    private final long rateStepBps;
    private final @Nullable FairRate[] rates = new FairRate[PRIORITIES];
    private final FlowTable flows;
    private final boolean isHostComputing;

    // Per queue: the values from which hosts compute the rate; no words if the switch computes it.
    private final long[][] details = new long[PRIORITIES][];
    private final long[] notices = new long[PRIORITIES];
    private final int queues;
    private int sequence;

    // The first place to notify; it moves on when notices were left out.
    private int first;
    private long leftOut;

    // The last step, or the frame with which periods began.
    private long lastNs;
    private long deadlineNs = Long.MAX_VALUE;

    RoccPoint(RoccConfig config, CongestionSetup setup) {
        this.setup = setup;
        this.periodNs = config.periodNs();
        this.rateStepBps = config.rateStepBps();
        this.unitKbps = (int) (rateStepBps / RoccNotice.BPS_PER_KBPS);
        this.isHostComputing = config.computedBy() == RoccConfig.Computes.HOST;
        Arrays.fill(details, NOTHING);
        // At a host's card there is one place, for nothing.
        this.flows =
                setup.sendsNotices()
                        ? config.flowTable().table(config.layout(setup.mtuBytes()), setup.random())
                        : new QueuedFlows(1);
        int watched = 0;
        FairRate.Parameters parameters = config.parameters(setup.rateBps());
        for (int priority : config.priorities()) {
            if (setup.sendsNotices()) {
                rates[priority] = new FairRate(parameters, config.startRateBps() / rateStepBps);
                details[priority] = isHostComputing ? new long[DETAIL_WORDS] : NOTHING;
                watched |= 1 << priority;
            }
        }
        this.queues = watched;
    }

    /** Takes over the other's rates and timer. */
    @Override
    public void goOnFrom(CongestionPoint other) {
        if (other instanceof RoccPoint before) {
            goOn(before);
        }
    }

    private void goOn(RoccPoint before) {
        sequence = before.sequence;
        lastNs = before.lastNs;
        boolean isAtRest = true;
        for (int rest = queues & before.queues; rest != 0; rest &= rest - 1) {
            int queue = Integer.numberOfTrailingZeros(rest);
            FairRate own = rate(queue);
            own.goOnFrom(before.rate(queue), (double) before.rateStepBps / rateStepBps);
            isAtRest &= own.isAtRest();
        }
        if (before.deadlineNs != Long.MAX_VALUE) {
            deadlineNs = nextPeriodNs(lastNs);
        } else if (!isAtRest) {
            // Nothing waits, and a new maximum is still to be reached.
            deadlineNs = 0;
        }
    }

    private FairRate rate(int queue) {
        return Objects.requireNonNull(rates[queue]);
    }

    @Override
    public int queues() {
        return queues;
    }

    @Override
    public boolean readsFlowHash() {
        return true;
    }

    @Override
    public void enqueued(long nowNs, int queue, Frame[] frames, int from, int to) {
        if ((queues >>> queue & 1) == 0) {
            return;
        }
        for (int i = from; i < to; i++) {
            flows.arrived(nowNs, frames[i]);
        }
        if (deadlineNs == Long.MAX_VALUE) {
            lastNs = nowNs;
            deadlineNs = nextPeriodNs(nowNs);
        }
    }

    private long nextPeriodNs(long nowNs) {
        return nowNs - Math.floorMod(nowNs, periodNs) + periodNs;
    }

    @Override
    public void started(long nowNs, Frame[] frames, int from, int to) {
        for (int i = from; i < to; i++) {
            removed(nowNs, frames[i]);
        }
    }

    @Override
    public void removed(long nowNs, Frame frame) {
        if ((queues >>> frame.priority & 1) != 0) {
            flows.left(frame);
        }
    }

    @Override
    public int tick(long nowNs) {
        if (nowNs < deadlineNs) {
            return 0;
        }
        boolean isAtRest = true;
        for (int rest = queues; rest != 0; rest &= rest - 1) {
            int queue = Integer.numberOfTrailingZeros(rest);
            FairRate rate = rate(queue);
            long queueBytes = setup.queues().bytes(queue);
            if (isHostComputing) {
                rate.describe(queueBytes, details[queue]);
            }
            rate.step(queueBytes);
            isAtRest &= rate.isAtRest() && setup.queues().frames(queue) == 0;
        }
        flows.period(nowNs);
        lastNs = nowNs;
        deadlineNs = isAtRest ? Long.MAX_VALUE : nextPeriodNs(nowNs);
        return 1 + tell();
    }

    /** Sends one notice for each flow. */
    private int tell() {
        if (flows.flows() == 0) {
            return 0;
        }
        moveFirst();
        int told = tellPlaces(first, Integer.MAX_VALUE);
        return first == 0 ? told : told + tellPlaces(0, first);
    }

    /** Rotates the first place, so that in the long run all flows are left out equally often. */
    private void moveFirst() {
        long now = setup.notices().leftOut();
        if (now != leftOut) {
            leftOut = now;
            int next = flows.next(first + 1);
            first = next == FlowTable.NONE ? 0 : next;
        }
    }

    /** Sends the notices for a range of places. */
    private int tellPlaces(int from, int to) {
        int told = 0;
        int place = flows.next(from);
        for (; place != FlowTable.NONE && place < to; place = flows.next(place + 1)) {
            int queue = flows.queue(place);
            if (queue != FlowTable.NONE) {
                tell(place, queue);
                notices[queue]++;
                told++;
            }
        }
        return told;
    }

    private void tell(int place, int queue) {
        long steps = isHostComputing ? 0 : rate(queue).steps();
        int kind = isHostComputing ? RoccNotice.kindForHost(queue) : RoccNotice.kind(queue);
        long value = Notice.first(kind, RoccNotice.value(steps, unitKbps));
        long who = Notice.second(RoccNotice.point(setup.port(), queue), sequence++);
        Frame frame = flows.frame(place);
        FrameQuotes quotes = flows.quotes();
        if (frame != null) {
            setup.notices().send(frame, value, who, details[queue]);
        } else if (quotes != null) {
            setup.notices().send(quotes, place, value, who, details[queue]);
        }
    }

    @Override
    public long deadlineNs() {
        return deadlineNs;
    }

    @Override
    public boolean mayWait(FiveTuple flow, int hash, int queue) {
        return (queues >>> queue & 1) == 0 || flows.mayWait(flow, hash, queue);
    }

    @Override
    public long counted(int counter, int queue) {
        return switch (counter) {
            case 0 -> rate(queue).steps() * unitKbps;
            case 1 -> setup.queues().bytes(queue);
            case 2 -> flows.flows(queue);
            case 3 -> notices[queue];
            default -> flows.refused(queue);
        };
    }

    @Override
    public void reset(long nowNs) {
        flows.clear();
        for (int rest = queues; rest != 0; rest &= rest - 1) {
            rate(Integer.numberOfTrailingZeros(rest)).reset();
        }
        deadlineNs = Long.MAX_VALUE;
    }
}
