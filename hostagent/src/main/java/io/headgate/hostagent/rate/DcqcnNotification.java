package io.headgate.hostagent.rate;

import io.headgate.hostagent.rate.DcqcnConfig.Notify;

/**
 * DCQCN's notification point: decides when the receiver of a flow notifies its sender of marked
 * frames. Zhu et al., "Congestion Control for Large-Scale RDMA Deployments" (SIGCOMM 2015), figure
 * 6, can be read in two ways; simulators have two more:
 *
 * <ul>
 *   <li>{@link Notify#SILENT}: the first marked frame causes a notification at once; no other
 *       follows in the interval after it;
 *   <li>{@link Notify#END_OF_INTERVAL}: the same, and a notification at the end of each interval in
 *       which another marked frame came, until an interval has no marked frame;
 *   <li>{@link Notify#PERIODIC}: intervals follow each other from the flow's first frame on. If
 *       that frame is marked, the notification is sent at once; all others are sent at the ends of
 *       their intervals (ns3-rdma, and with it the authors of TCD);
 *   <li>{@link Notify#SLOTTED}: the first marked frame in each slot of a clock that all flows share
 *       causes a notification at once (Menikkumbura's simulations).
 * </ul>
 *
 * <p>The interval after a notification begins when the notification leaves the card; at most one is
 * in the card at a time.
 *
 * <p>A notification at an interval's end carries the strongest mark of the interval: congestion is
 * stronger than undetermined, the mark of a port that cannot tell whether it is congested (TCD,
 * SIGCOMM 2021). An unmarked code point has neither. An immediate notification carries its frame's
 * mark; congestion is also sent at once if the previous notification was only undetermined.
 */
final class DcqcnNotification implements NotificationPoint {
    private static final long NEVER_NS = Long.MIN_VALUE;

    private final Notify when;
    private final long intervalNs;
    private long firstNs = NEVER_NS;
    private long quietUntilNs = NEVER_NS;
    private boolean isUnderWay;
    private boolean isCongestionTold; // by the last one
    private int marks;
    private long dueNs = Long.MAX_VALUE;

    DcqcnNotification(Notify when, long intervalNs) {
        this.when = when;
        this.intervalNs = intervalNs;
    }

    @Override
    public int arrived(long nowNs, int frameMarks, int wireBytes) {
        boolean isFirst = firstNs == NEVER_NS;
        firstNs = isFirst ? nowNs : firstNs;
        boolean isQuiet =
                isUnderWay || nowNs < quietUntilNs || (when == Notify.PERIODIC && !isFirst);
        boolean isCongestionNew = (frameMarks & RateControl.MARKED_CE) != 0 && !isCongestionTold;
        if (frameMarks == 0 || (isQuiet && !collects() && !isCongestionNew)) {
            return 0;
        }
        marks |= frameMarks;
        if (isUnderWay) {
            return 0;
        }
        if (isQuiet && collects()) {
            dueNs = Math.min(dueNs, collectedUntilNs(nowNs));
            return 0;
        }
        return tell();
    }

    /** Whether marks wait for an interval's end. */
    private boolean collects() {
        return when == Notify.END_OF_INTERVAL || when == Notify.PERIODIC;
    }

    private long collectedUntilNs(long nowNs) {
        return when == Notify.PERIODIC ? endNs(nowNs, firstNs) : quietUntilNs;
    }

    /** The end of the present interval, if intervals follow each other from a given time on. */
    private long endNs(long nowNs, long fromNs) {
        return nowNs + intervalNs - Math.floorMod(nowNs - fromNs, intervalNs);
    }

    @Override
    public void left(long nowNs) {
        isUnderWay = false;
        quietUntilNs = when == Notify.SLOTTED ? endNs(nowNs, 0) : nowNs + intervalNs;
        if (marks != 0) {
            // Without collecting, only congestion that came behind a weaker mark is left: due at
            // once.
            dueNs = collects() ? collectedUntilNs(nowNs) : nowNs;
        }
    }

    @Override
    public int tick(long nowNs) {
        return nowNs >= dueNs ? tell() : 0;
    }

    private int tell() {
        isCongestionTold = (marks & RateControl.MARKED_CE) != 0;
        int strongest = isCongestionTold ? RateControl.MARKED_CE : marks & RateControl.MARKED_UE;
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
