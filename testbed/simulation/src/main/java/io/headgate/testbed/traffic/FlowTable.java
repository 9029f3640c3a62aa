package io.headgate.testbed.traffic;

import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The flows that began at one host, by number: who asks for one finds it until it is complete.
 * Owned by that host's device; other hosts look. One entry a flow, grows with the run; flows of
 * sources are used again.
 */
final class FlowTable {
    private final TrafficClock clock;
    private final FlowScheduler scheduler;
    private final int host;
    private @Nullable Flow[] flows = new Flow[8];
    private int begun;
    private @Nullable Flow pool;
    private @Nullable Flow firstCompleted;
    private @Nullable Flow lastCompleted;

    FlowTable(TrafficClock clock, FlowScheduler scheduler, int host) {
        this.clock = clock;
        this.scheduler = scheduler;
        this.host = host;
    }

    /** Flows so far: the number of the next. */
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

    /** Shows what all connections carry that are kept. */
    void showKept(BiConsumer<Flow, KeptMessages> to) {
        for (int number = 0; number < begun; number++) {
            Flow flow = flows[number];
            KeptMessages kept = flow == null ? null : flow.kept;
            if (flow != null && kept != null) {
                to.accept(flow, kept);
            }
        }
    }

    /** A flow that is not in use; not among those of the table before {@link #add}. */
    Flow take(FlowGroup group, FrameShape shape) {
        forgetCompleted();
        Flow free = pool;
        if (free == null) {
            return new Flow(scheduler, host, group, shape);
        }
        pool = free.nextReady;
        free.nextReady = null;
        return free;
    }

    /** A flow of a source is complete: from now on {@link #find} finds it no more. */
    void completed(Flow flow, long nowPs) {
        flow.completedPs = nowPs;
        Flow last = lastCompleted;
        if (last == null) {
            firstCompleted = flow;
        } else {
            last.nextCompleted = flow;
        }
        lastCompleted = flow;
    }

    /** Forgets flows that no host finds any more; they are used again if nothing waits for them. */
    private void forgetCompleted() {
        // Another host may be as much behind this one, and finds flows for as long.
        long beforePs = clock.nowPs() - 2 * clock.apartPs();
        Flow flow = firstCompleted;
        while (flow != null && flow.completedPs < beforePs) {
            Flow next = flow.nextCompleted;
            flow.nextCompleted = null;
            flows[flow.number] = null;
            if (flow.state == Flow.State.IDLE
                    && !flow.ackPending
                    && !flow.timing
                    && !flow.isNotifying()) {
                flow.nextReady = pool;
                pool = flow;
            }
            flow = next;
        }
        firstCompleted = flow;
        if (flow == null) {
            lastCompleted = null;
        }
    }

    /**
     * The flow of a number that began here, as another host or this one finds it; null if it is
     * complete or never was. That its sender knows it to be complete reaches the other no sooner
     * than the two can be apart in time, in whichever order they are run.
     */
    @Nullable Flow find(int number, int byHost, long nowPs) {
        Flow flow = number >= 0 && number < begun ? flows[number] : null;
        return flow != null && isFound(flow, byHost, nowPs, clock.apartPs()) ? flow : null;
    }

    /**
     * Whether a flow that has begun is still found, as {@link #find} says; also of one that was
     * forgotten, as long as it keeps its number.
     */
    static boolean isFound(Flow flow, int byHost, long nowPs, long apartPs) {
        if (flow.completedPs == Long.MAX_VALUE) {
            return true;
        }
        boolean byReceiver = flow.isWindowed() && byHost != flow.sourceHost;
        return nowPs < flow.completedPs + (byReceiver ? apartPs : 0);
    }
}
