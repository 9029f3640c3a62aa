package io.headgate.hostagent.rate.pcn;

import io.headgate.hostagent.rate.NotificationPoint;
import io.headgate.hostagent.rate.RateControl;

/**
 * PCN's notification point (Cheng et al., "Re-architecting Congestion Management in Lossless
 * Ethernet", NSDI 2020, section 4.2): in each period T it counts a flow's frames, the marked ones
 * among them, and their bytes. At its end, if at least 95 % were marked, the flow is congested, and
 * the notification to its sender carries the rate at which it arrived. Periods follow each other
 * from a frame on, until a period has no frames.
 */
final class PcnNotification implements NotificationPoint {
    private static final double BITS_AND_NS = 8e9;

    private final long periodNs;
    private final double congested;
    private long beganNs;
    private long endNs = Long.MAX_VALUE;
    private long bytes;
    private int frames;
    private int marked;
    private long arrivedBps;

    PcnNotification(long periodNs, double congested) {
        this.periodNs = periodNs;
        this.congested = congested;
    }

    @Override
    public int arrived(long nowNs, int marks, int wireBytes) {
        if (endNs == Long.MAX_VALUE) {
            begin(nowNs);
        }
        bytes += wireBytes;
        frames++;
        marked += (marks & RateControl.MARKED_CE) != 0 ? 1 : 0;
        return 0;
    }

    private void begin(long nowNs) {
        beganNs = nowNs;
        endNs = nowNs + periodNs;
        bytes = 0;
        frames = 0;
        marked = 0;
    }

    @Override
    public int tick(long nowNs) {
        if (nowNs < endNs) {
            return 0;
        }
        boolean isCongested = frames > 0 && marked >= congested * frames;
        if (isCongested) {
            // A late end is one of a longer period.
            arrivedBps = Math.max(1, (long) (bytes * BITS_AND_NS / (nowNs - beganNs)));
        }
        if (frames == 0) {
            endNs = Long.MAX_VALUE;
        } else {
            begin(nowNs);
        }
        return isCongested ? RateControl.MARKED_CE : 0;
    }

    @Override
    public long deadlineNs() {
        return endNs;
    }

    @Override
    public long arrivedBps() {
        return arrivedBps;
    }

    @Override
    public boolean sendsPackets() {
        return true;
    }
}
