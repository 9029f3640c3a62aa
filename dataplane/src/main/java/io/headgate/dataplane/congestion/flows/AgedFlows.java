package io.headgate.dataplane.congestion.flows;

import io.headgate.dataplane.memory.Frame;

/**
 * The flow table that is bounded by rates, the second of section 3.3.4 of Menikkumbura's
 * dissertation: no flow's rate is set below Fmin, so at most Fmax / Fmin flows are on a link at a
 * time. A flow is notified until it has had no frame for the ageing time; if the table is full, a
 * new flow replaces the one whose last frame is oldest.
 */
final class AgedFlows extends RememberedFlows {
    private final long ageNs;
    private final long[] seenNs;

    // A ring in the order of last frames, from oldest to latest.
    private final int[] before;
    private final int[] after;
    private int oldest = NONE;
    private int latest = NONE;

    AgedFlows(int most, long ageNs) {
        super(most);
        this.ageNs = ageNs;
        this.seenNs = new long[most];
        this.before = new int[most];
        this.after = new int[most];
    }

    @Override
    public void arrived(long nowNs, Frame frame) {
        int flow = find(frame);
        if (flow == FlowIndex.NO_SOURCE) {
            return;
        }
        if (flow == NONE) {
            if (isFull()) {
                refuse(frame);
                forget(oldest);
            }
            flow = begin(frame);
            append(flow);
        } else if (flow != latest) {
            unlink(flow);
            append(flow);
        }
        seenNs[flow] = nowNs;
    }

    private void append(int flow) {
        before[flow] = latest;
        after[flow] = NONE;
        if (latest == NONE) {
            oldest = flow;
        } else {
            after[latest] = flow;
        }
        latest = flow;
    }

    private void unlink(int flow) {
        if (before[flow] == NONE) {
            oldest = after[flow];
        } else {
            after[before[flow]] = after[flow];
        }
        if (after[flow] == NONE) {
            latest = before[flow];
        } else {
            before[after[flow]] = before[flow];
        }
    }

    private void forget(int flow) {
        unlink(flow);
        end(flow);
    }

    @Override
    public void period(long nowNs) {
        while (oldest != NONE && nowNs - seenNs[oldest] > ageNs) {
            forget(oldest);
        }
        super.period(nowNs);
    }

    @Override
    boolean isToBeTold(int flow) {
        return true;
    }

    @Override
    void cleared() {
        oldest = NONE;
        latest = NONE;
    }
}
