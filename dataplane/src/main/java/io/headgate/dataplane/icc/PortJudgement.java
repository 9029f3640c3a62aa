package io.headgate.dataplane.icc;

/**
 * Whether an egress port is congested, and when its senders are told (ICC, section 4.2, figure 7).
 * A frame that finds a queue begins a pair of samples: the rate at which the queue changes then,
 * qlenrate1, and over the 5 us that follow, qlenrate2. At its end the port is
 *
 * <ul>
 *   <li><b>congested</b> if qlen, qlenrate1 and qlenrate2 are above 0 and the load lu above 70 %:
 *       that is told, and the timer begins anew;
 *   <li><b>draining</b> if qlen is above 0, qlenrate2 below and lu below 70 %: nobody is told;
 *   <li>neither: that is told.
 * </ul>
 *
 * <p>Whatever it is, it is told each 15 us by a timer.
 *
 * <p>Plain state and time; owned by whoever owns the port.
 */
final class PortJudgement {
    /** Nobody is told. */
    static final int NOTHING = 0;

    /** The queue shortens by itself: nobody is told. */
    static final int DRAINING = 1;

    /** Told, and the timer begins anew. */
    static final int CONGESTED = 2;

    /** Told, for it is neither of both. */
    static final int NEITHER = 3;

    /** Told, for it is time to. */
    static final int TIMER = 4;

    private static final long BITS_AT_1_NS = 8_000_000_000L;

    /** The rate before a frame is over at least this: shorter, it would be that of one frame. */
    private static final long LEAST_NS = 1_000;

    private final double bytesPerNs;
    private final long sampleNs;
    private final long timerNs;
    private final double threshold;

    // The look that qlenrate1 goes by: the last one that is LEAST_NS or more before.
    private long lookNs;
    private long lookBytes;
    private long laterNs;
    private long laterBytes;

    // A pair of samples under way.
    private long pairNs = Long.MAX_VALUE;
    private long pairBytes;
    private double pairRate;

    private long timeNs = Long.MAX_VALUE;
    private boolean isIdle = true;

    // What was sent in this window of the timer's length, and in the one before.
    private long windowNs;
    private long sentBytes;
    private long sentBefore;

    // What is told.
    private long qlenBytes;
    private double qlenrateBps;
    private double lu;

    /**
     * @param rateBps of the port's link
     * @param sampleNs from qlenrate1 to qlenrate2
     * @param timerNs after which senders are told in any case
     * @param threshold of the load, 0 to 1
     */
    PortJudgement(long rateBps, long sampleNs, long timerNs, double threshold) {
        this.bytesPerNs = (double) rateBps / BITS_AT_1_NS;
        this.sampleNs = sampleNs;
        this.timerNs = timerNs;
        this.threshold = threshold;
    }

    /** A frame starts, of so many bytes on the wire. */
    void sent(long nowNs, int wireBytes) {
        roll(nowNs);
        sentBytes += wireBytes;
    }

    /**
     * A frame has come.
     *
     * @param foundBytes that waited before it
     */
    void arrived(long nowNs, long foundBytes) {
        isIdle = false;
        if (timeNs == Long.MAX_VALUE) {
            timeNs = nowNs + timerNs;
        }
        double rate = rate(nowNs, foundBytes);
        look(nowNs, foundBytes);
        if (foundBytes > 0 && pairNs == Long.MAX_VALUE) {
            pairNs = nowNs;
            pairBytes = foundBytes;
            pairRate = rate;
        }
    }

    /** In bits per second, since the look that is at least a microsecond old. */
    private double rate(long nowNs, long bytes) {
        boolean isOld = nowNs - laterNs >= LEAST_NS;
        long fromNs = isOld ? laterNs : lookNs;
        long ns = Math.max(LEAST_NS, nowNs - fromNs);
        return (double) (bytes - (isOld ? laterBytes : lookBytes)) * BITS_AT_1_NS / ns;
    }

    private void look(long nowNs, long bytes) {
        if (nowNs - laterNs >= LEAST_NS) {
            lookNs = laterNs;
            lookBytes = laterBytes;
            laterNs = nowNs;
            laterBytes = bytes;
        }
    }

    /** When {@link #due} is to be called; {@link Long#MAX_VALUE}: nothing is under way. */
    long deadlineNs() {
        return pairNs == Long.MAX_VALUE ? timeNs : Math.min(timeNs, pairNs + sampleNs);
    }

    /**
     * A sample or the timer may be due: what the port is, of {@link #CONGESTED} and the like. What
     * is told is behind the call {@link #qlenBytes} and so on.
     *
     * @param waitingBytes that wait
     */
    int due(long nowNs, long waitingBytes) {
        int found = NOTHING;
        if (pairNs != Long.MAX_VALUE && nowNs - pairNs >= sampleNs) {
            found = judge(nowNs, waitingBytes);
        }
        if (nowNs >= timeNs) {
            double now = rate(nowNs, waitingBytes);
            tell(nowNs, waitingBytes, found == NOTHING ? now : qlenrateBps);
            found = TIMER;
            timeNs = isIdle && waitingBytes == 0 && lu == 0 ? Long.MAX_VALUE : nowNs + timerNs;
            isIdle = true;
        }
        return found;
    }

    private int judge(long nowNs, long qlen) {
        double qlenrate2 = (double) (qlen - pairBytes) * BITS_AT_1_NS / (nowNs - pairNs);
        double load = load(nowNs);
        boolean isCongested = qlen > 0 && pairRate > 0 && qlenrate2 > 0 && load > threshold;
        pairNs = Long.MAX_VALUE;
        if (!isCongested && qlen > 0 && qlenrate2 < 0 && load < threshold) {
            return DRAINING;
        }
        tell(nowNs, qlen, qlenrate2);
        if (isCongested) {
            timeNs = nowNs + timerNs;
            return CONGESTED;
        }
        return NEITHER;
    }

    private void tell(long nowNs, long bytes, double rateBps) {
        qlenBytes = bytes;
        qlenrateBps = rateBps;
        lu = load(nowNs);
    }

    private void roll(long nowNs) {
        long ends = windowNs + timerNs;
        if (nowNs >= ends) {
            sentBefore = nowNs < ends + timerNs ? sentBytes : 0;
            sentBytes = 0;
            windowNs = nowNs < ends + timerNs ? ends : nowNs;
        }
    }

    /** The share of the link that was used in the last window's time, 0 to 1. */
    double load(long nowNs) {
        roll(nowNs);
        double before = sentBefore * (1 - (double) (nowNs - windowNs) / timerNs);
        return Math.min(1, (before + sentBytes) / (bytesPerNs * timerNs));
    }

    /** What was told last waits. */
    long qlenBytes() {
        return qlenBytes;
    }

    /** How fast that changes, in bits per second. */
    double qlenrateBps() {
        return qlenrateBps;
    }

    /** The load of the link, 0 to 1. */
    double lu() {
        return lu;
    }

    /** Begins anew. */
    void clear(long nowNs) {
        pairNs = Long.MAX_VALUE;
        timeNs = Long.MAX_VALUE;
        isIdle = true;
        lookNs = nowNs;
        lookBytes = 0;
        laterNs = nowNs;
        laterBytes = 0;
        windowNs = nowNs;
        sentBytes = 0;
        sentBefore = 0;
    }
}
