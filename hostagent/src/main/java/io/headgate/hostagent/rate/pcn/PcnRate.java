package io.headgate.hostagent.rate.pcn;

import io.headgate.dataplane.frame.Cnp;
import io.headgate.hostagent.rate.NotificationPoint;
import io.headgate.hostagent.rate.RateControl;

/**
 * PCN's reaction point (Cheng et al., NSDI 2020, section 4.3, algorithm 1):
 *
 * <pre>
 *   a notification:    R = min(R, recRate (1 - w_min)),  w = w_min
 *   none for T:        R = R (1 - w) + line w,  w = w (1 - w) + w_max w
 * </pre>
 *
 * <p>so that the first increase is as small as the decrease before it, and later ones grow to half
 * the distance to the line's rate. The paper's rate never reaches the line's; here it does when
 * less than a thousandth is missing.
 */
final class PcnRate implements RateControl {
    private static final double WHOLE = 0.999;

    private final PcnControlConfig keys;
    private double lineRateBps;
    private double leastBps;
    private double rateBps;
    private double weight;
    private long increaseNs = Long.MAX_VALUE;

    PcnRate(PcnControlConfig keys) {
        this.keys = keys;
    }

    @Override
    public void begin(long nowNs, long lineBps, int frameBytes) {
        lineRateBps = (double) lineBps;
        leastBps = (double) Math.min(keys.leastRateBps(), lineBps);
        rateBps = lineRateBps;
        weight = keys.leastWeight();
    }

    @Override
    public boolean notified(long nowNs, int kind, long origin, long value) {
        long arrivedBps = NotificationPoint.arrivedBps(value);
        if (kind != Cnp.KIND || (value & MARKED_CE) == 0 || arrivedBps == 0) {
            return false;
        }
        double less = arrivedBps * (1 - keys.leastWeight());
        rateBps = Math.max(leastBps, Math.min(rateBps, less));
        weight = keys.leastWeight();
        increaseNs = rateBps < lineRateBps ? nowNs + keys.periodNs() : Long.MAX_VALUE;
        return true;
    }

    @Override
    public int tick(long nowNs) {
        if (nowNs < increaseNs) {
            return 0;
        }
        rateBps = rateBps * (1 - weight) + lineRateBps * weight;
        weight = weight * (1 - weight) + keys.mostWeight() * weight;
        increaseNs = nowNs + keys.periodNs();
        if (rateBps >= WHOLE * lineRateBps) {
            rateBps = lineRateBps;
            weight = keys.leastWeight();
            increaseNs = Long.MAX_VALUE;
        }
        return 1;
    }

    @Override
    public long deadlineNs() {
        return increaseNs;
    }

    @Override
    public long rateBps() {
        return (long) rateBps;
    }
}
