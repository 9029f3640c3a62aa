package io.headgate.hostagent.rate;

/**
 * Linear inter-packet delay (Santos, Turner and Janakiraman, "End-to-end congestion control for
 * system area networks", HPL-2002-4, and Turner, Santos and Janakiraman, "An approach for
 * congestion control in InfiniBand", HPL-2001-277): the delay from packet to packet, in packet
 * times at the line rate, is the line rate over the flow's.
 *
 * <p>A marked acknowledgement lengthens the delay by one: r becomes r / (1 + r / Rmax), but at
 * least Rmin. An unmarked one shortens it by the share Rmin / Rmax, so that flows of any rate
 * recover from one mark in the same time: r becomes r / (1 - Rmin / Rmax), but at most Rmax. One
 * packet at a time is under way.
 */
final class LipdRate implements RateControl {
    private final double most;
    private int frameBytes;
    private long lineRateBps;
    private double delay = 1;

    /**
     * @param most Rmax / Rmin
     */
    LipdRate(double most) {
        this.most = most;
    }

    @Override
    public void begin(long nowNs, long lineBps, int largestFrameBytes) {
        lineRateBps = lineBps;
        frameBytes = largestFrameBytes;
    }

    @Override
    public void acknowledged(long nowNs, Sample sample) {
        delay =
                (sample.marks() & MARKED_CE) != 0
                        ? Math.min(delay + 1, most)
                        : Math.max(delay * (1 - 1 / most), 1);
    }

    @Override
    public long rateBps() {
        return Math.max(1, Math.round(lineRateBps / delay));
    }

    @Override
    public long windowBytes() {
        return frameBytes;
    }

    @Override
    public boolean holdsForWaiting() {
        return true;
    }

    @Override
    public boolean isIdle() {
        return delay == 1;
    }
}
