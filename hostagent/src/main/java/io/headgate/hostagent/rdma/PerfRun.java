package io.headgate.hostagent.rdma;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.RdmaCounter;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The measurement on one connection: the client's end sends messages, one after another or several
 * at a time; the server's end sends each back if latency is measured. Owned by the card's worker.
 */
final class PerfRun {
    private static final long LONGEST_NS = 1_000_000_000_000L;
    private static final int DIGITS = 3;
    private static final long NOT_YET = Long.MIN_VALUE;
    private static final long ASK_AGAIN_NS = 1_000_000;

    private final PerfPlan plan;
    private final boolean isClient;
    private final BooleanSupplier mayBegin;
    private final CounterBlock counters;

    // A server measures no times.
    private final Histogram times;
    private @Nullable Requester requester;

    // The connection stands, and the client may not begin yet.
    private boolean waits;
    private long startedNs = NOT_YET;
    private long endedNs = NOT_YET;
    private long posted;
    private long sent;
    private long received;
    private long sentNs;

    private PerfRun(
            PerfPlan plan, boolean isClient, BooleanSupplier mayBegin, CounterBlock counters) {
        this.plan = plan;
        this.isClient = isClient;
        this.mayBegin = mayBegin;
        this.counters = counters;
        this.times = isClient ? new Histogram(LONGEST_NS, DIGITS) : new Histogram(DIGITS);
    }

    static PerfRun of(RdmaSetup.Client client, CounterBlock counters) {
        return new PerfRun(client.plan(), true, client.mayBegin(), counters);
    }

    static PerfRun ofServer(PerfPlan plan, CounterBlock counters) {
        return new PerfRun(plan, false, () -> true, counters);
    }

    PerfPlan plan() {
        return plan;
    }

    /** The connection is open. */
    void begin(long nowNs, Requester by) {
        requester = by;
        waits = isClient;
        tick(nowNs);
    }

    /** Sends the first messages, once this is allowed. */
    void tick(long nowNs) {
        Requester by = requester;
        if (waits && by != null && mayBegin.getAsBoolean()) {
            waits = false;
            startedNs = nowNs;
            int depth = plan.test() == PerfPlan.Test.LAT ? 1 : plan.depth();
            for (int i = 0; i < depth && isMore(nowNs); i++) {
                post(by, nowNs);
            }
        }
    }

    private boolean isMore(long nowNs) {
        return (plan.messages() == 0 || posted < plan.messages())
                && (plan.durationNs() == 0 || nowNs - startedNs < plan.durationNs());
    }

    private void post(Requester by, long nowNs) {
        posted++;
        sentNs = nowNs;
        by.post(plan.test().verb(), plan.messageBytes());
    }

    /** A message of this end is completely acknowledged. */
    void sent(long nowNs, long bytes, long firstNs) {
        sent++;
        endedNs = nowNs;
        counters.add(RdmaCounter.MESSAGES_SENT, 1);
        counters.add(RdmaCounter.BYTES_SENT, bytes);
        Requester by = requester;
        if (isClient && plan.test() != PerfPlan.Test.LAT && by != null) {
            times.recordValue(Math.min(nowNs - firstNs, LONGEST_NS));
            if (isMore(nowNs)) {
                post(by, nowNs);
            }
        }
    }

    /** A message of the other end has arrived completely. */
    void received(long nowNs, long bytes, long firstNs) {
        received++;
        if (startedNs == NOT_YET) {
            startedNs = firstNs;
        }
        endedNs = nowNs;
        counters.add(RdmaCounter.MESSAGES_RECEIVED, 1);
        counters.add(RdmaCounter.BYTES_RECEIVED, bytes);
        Requester by = requester;
        if (plan.test() != PerfPlan.Test.LAT || by == null) {
            return;
        }
        if (!isClient) {
            post(by, nowNs);
            return;
        }
        times.recordValue(Math.min(nowNs - sentNs, LONGEST_NS));
        if (isMore(nowNs)) {
            post(by, nowNs);
        }
    }

    /** Whether the client has carried out its plan. */
    boolean isOver(long nowNs) {
        Requester by = requester;
        return isClient
                && by != null
                && !waits
                && by.isIdle()
                && !isMore(nowNs)
                && (plan.test() != PerfPlan.Test.LAT || received == posted);
    }

    /**
     * The time at which to call {@link #tick}, or at which {@link #isOver} may become true by
     * itself, in ns; MAX_VALUE: neither.
     */
    long deadlineNs(long nowNs) {
        if (waits) {
            return nowNs + ASK_AGAIN_NS;
        }
        boolean isTimed = isClient && requester != null && plan.durationNs() > 0;
        long endNs = isTimed ? startedNs + plan.durationNs() : Long.MAX_VALUE;
        return endNs > nowNs ? endNs : Long.MAX_VALUE;
    }

    RdmaReport.Connection report(QueuePair pair) {
        long messages = isClient ? sent : received;
        return new RdmaReport.Connection(
                pair.number(),
                messages,
                messages * plan.messageBytes(),
                startedNs == NOT_YET ? 0 : Math.max(0, endedNs - startedNs),
                times.copy(),
                pair.requester().repeats(),
                pair.requester().naks(),
                pair.requester().timeouts());
    }
}
