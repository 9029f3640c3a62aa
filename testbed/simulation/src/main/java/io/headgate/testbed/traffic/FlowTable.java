package io.headgate.testbed.traffic;

import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The flows that began at one host, by number. Owned by that host's device; other hosts read it,
 * also those that another thread runs. One entry per flow, grows with the run; flows of sources are
 * removed some time after they are complete.
 */
final class FlowTable {
    private final LongSupplier apartPs;

    // A reader sees the old array or the new one while it grows; either has all flows that it may
    // ask for.
    private volatile @Nullable Flow[] flows = new Flow[8];
    private int begun;
    private @Nullable Flow firstCompleted;
    private @Nullable Flow lastCompleted;

    FlowTable(LongSupplier apartPs) {
        this.apartPs = apartPs;
    }

    /** Number of flows so far, which is the number of the next flow. */
    int begun() {
        return begun;
    }

    /** Adds a flow, whose number is {@link #begun}. */
    void add(Flow flow) {
        if (begun == flows.length) {
            flows = Arrays.copyOf(flows, 2 * begun);
        }
        flows[begun++] = flow;
    }

    /** Shows all flows that have a size and are not complete, also those that have not begun. */
    void showOpen(Consumer<Flow> to) {
        for (int number = 0; number < begun; number++) {
            Flow flow = flows[number];
            if (flow != null && flow.sizeBytes != FlowSpec.UNLIMITED && !flow.isComplete()) {
                to.accept(flow);
            }
        }
    }

    void showKept(BiConsumer<Flow, Deque<Flow.Message>> to) {
        for (int number = 0; number < begun; number++) {
            Flow flow = flows[number];
            Deque<Flow.Message> kept = flow == null ? null : flow.kept;
            if (flow != null && kept != null) {
                to.accept(flow, kept);
            }
        }
    }

    /** A flow of a source is complete, from {@link Flow#completedPs} on. */
    void completed(Flow flow) {
        Flow last = lastCompleted;
        if (last == null) {
            firstCompleted = flow;
        } else {
            last.nextCompleted = flow;
        }
        lastCompleted = flow;
    }

    void forgetCompleted(long nowPs) {
        // Another host may be as much behind this one, and finds flows for as long.
        long beforePs = nowPs - 2 * apartPs.getAsLong();
        Flow flow = firstCompleted;
        while (flow != null && flow.completedPs < beforePs) {
            Flow next = flow.nextCompleted;
            flow.nextCompleted = null;
            flows[flow.number] = null;
            flow = next;
        }
        firstCompleted = flow;
        if (flow == null) {
            lastCompleted = null;
        }
    }

    /**
     * Finds the flow of a number that began here, for another host or this one; null if it is
     * complete or never was. Another host sees that the sender knows it to be complete only after
     * the time that the two can be apart, in whichever order they are run.
     */
    @Nullable Flow find(int number, int byHost, long nowPs) {
        @Nullable Flow[] all = flows;
        Flow flow = number >= 0 && number < all.length ? all[number] : null;
        return flow != null && isFound(flow, byHost, nowPs, apartPs.getAsLong()) ? flow : null;
    }

    /** Whether a flow that has begun is still found, as in {@link #find}. */
    static boolean isFound(Flow flow, int byHost, long nowPs, long apartPs) {
        if (flow.completedPs == Long.MAX_VALUE) {
            return true;
        }
        boolean byReceiver = flow.isWindowed() && byHost != flow.sourceHost;
        return nowPs < flow.completedPs + (byReceiver ? apartPs : 0);
    }
}
