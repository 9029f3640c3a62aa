package io.headgate.dataplane.icc;

/**
 * Decides whether an egress port is congested, and when its senders are notified (ICC, section 4.2,
 * figure 7). A frame that arrives at a non-empty queue begins a pair of samples: the rate at which
 * the queue changes then, qlenrate1, and the rate over the 5 us that follow, qlenrate2. At the end
 * of the pair the port is
 *
 * <ul>
 *   <li><b>congested</b> if qlen, qlenrate1 and qlenrate2 are above 0 and the load lu above 70 %:
 *       senders are notified, and the timer restarts;
 *   <li><b>draining</b> if qlen is above 0, qlenrate2 below and lu below 70 %: no sender is
 *       notified;
 *   <li>neither: senders are notified.
 * </ul>
 *
 * <p>In every state a timer also notifies senders each 15 us.
 *
 * <p>Plain state that receives the time; owned by the port's owner.
 */
final class PortJudgement {
    /** No sender is notified. */
    static final int NOTHING = -1;

    /** Senders are notified, and the timer restarts. */
    static final int CONGESTED = 0;

    /** The queue shortens by itself: no sender is notified. */
    static final int DRAINING = 1;

    /** Senders are notified, because the port is neither congested nor draining. */
    static final int NEITHER = 2;

    /** Senders are notified, because the timer has expired. */
    static final int TIMER = 3;

    private static final long BITS_AT_1_NS = 8_000_000_000L;

    /**
     * Minimum time over which the rate before a frame is measured: a shorter one would give the
     * rate of one frame.
     */
    private static final long LEAST_NS = 1_000;

    private final double bytesPerNs;
    private final long sampleNs;
    private final long timerNs;
    private final double threshold;

    // The look from which qlenrate1 is computed: the last one that is at least LEAST_NS old.
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

    // The values that senders receive.
    private long qlenBytes;
    private double qlenrateBps;
    private double lu;

    /**
     * @param rateBps rate of the port's link
     * @param sampleNs time from qlenrate1 to qlenrate2
     * @param timerNs interval after which senders are notified in any case
     * @param threshold threshold of the load lu, 0 to 1
     */
    PortJudgement(long rateBps, long sampleNs, long timerNs, double threshold) {
        this.bytesPerNs = (double) rateBps / BITS_AT_1_NS;
        this.sampleNs = sampleNs;
        this.timerNs = timerNs;
        this.threshold = threshold;
    }

    /** Notes that a frame with {@code wireBytes} bytes on the wire starts. */
    void sent(long nowNs, int wireBytes) {
        roll(nowNs);
        sentBytes += wireBytes;
    }

    /**
     * Notes that a frame has come.
     *
     * @param foundBytes bytes that waited before it
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

    /**
     * The queue's rate of change in bits per second, since a look that is at least a microsecond
     * old.
     */
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

    /**
     * The time at which to call {@link #due}; {@link Long#MAX_VALUE} if neither a sample nor the
     * timer runs.
     */
    long deadlineNs() {
        return pairNs == Long.MAX_VALUE ? timeNs : Math.min(timeNs, pairNs + sampleNs);
    }

    /**
     * Called when a sample or the timer may be due: returns the port's state, such as {@link
     * #CONGESTED}. Then {@link #qlenBytes} and the other getters return the values for senders.
     *
     * @param waitingBytes bytes that wait
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

    /** The used share of the link during the last window, 0 to 1. */
    double load(long nowNs) {
        roll(nowNs);
        double before = sentBefore * (1 - (double) (nowNs - windowNs) / timerNs);
        return Math.min(1, (before + sentBytes) / (bytesPerNs * timerNs));
    }

    /** The queue length last sent to senders. */
    long qlenBytes() {
        return qlenBytes;
    }

    /** Rate of change of the queue length, in bits per second. */
    double qlenrateBps() {
        return qlenrateBps;
    }

    double lu() {
        return lu;
    }

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
