package io.headgate.hostagent.rate;

/**
 * DCQCN's notification point, after Zhu et al., "Congestion Control for Large-Scale RDMA
 * Deployments" (SIGCOMM 2015), section 3.2 and figure 6: the first marked frame of a flow is told
 * of at once; after that there is a notification at the end of each interval in which another one
 * came, until there is an interval without. An interval begins when a notification leaves the card.
 *
 * <p>It carries the strongest mark of its interval: congestion before a port that cannot tell (TCD,
 * SIGCOMM 2021), whose frames have an unmarked code point that is no part of either mark.
 */
final class DcqcnNotification implements NotificationPoint {
    private final long intervalNs;
    private long quietUntilNs = Long.MIN_VALUE;
    private boolean isUnderWay;
    private int marks;
    private long dueNs = Long.MAX_VALUE;

    DcqcnNotification(long intervalNs) {
        this.intervalNs = intervalNs;
    }

    @Override
    public int arrived(long nowNs, int frameMarks, int wireBytes) {
        if (frameMarks == 0) {
            return 0;
        }
        marks |= frameMarks;
        if (isUnderWay) {
            return 0;
        }
        if (nowNs >= quietUntilNs) {
            return tell();
        }
        dueNs = quietUntilNs;
        return 0;
    }

    @Override
    public void left(long nowNs) {
        isUnderWay = false;
        quietUntilNs = nowNs + intervalNs;
        dueNs = marks == 0 ? Long.MAX_VALUE : quietUntilNs;
    }

    @Override
    public int tick(long nowNs) {
        return nowNs >= dueNs ? tell() : 0;
    }

    private int tell() {
        int strongest =
                (marks & RateControl.MARKED_CE) != 0
                        ? RateControl.MARKED_CE
                        : marks & RateControl.MARKED_UE;
        marks = 0;
        isUnderWay = true;
        dueNs = Long.MAX_VALUE;
        return strongest;
    }

    @Override
    public long deadlineNs() {
        return dueNs;
    }

    @Override
    public boolean sendsPackets() {
        return true;
    }
}
