package io.headgate.hostagent.rate.qcn;

import io.headgate.dataplane.frame.Cnm;
import io.headgate.hostagent.rate.RateControl;

/**
 * QCN's reaction point (IEEE 802.1Qau, clause 30.3; pseudo-code of Rong Pan, version 2.3). Feedback
 * of Fb steps reduces the current rate RC; the previous RC becomes the target RT, if a cycle has
 * ended since the last cut:
 *
 * <pre>  RC = RC (1 - Gd Fb)</pre>
 *
 * <p>Cycles are those of a byte counter and of a timer, both of which restart at a cut. At the end
 * of each
 *
 * <pre>
 *   the first of either, RT above 10 RC:  RT = RT / 8
 *   both beyond fast recovery:            RT += R_HAI (the fewer of both - fast recovery)
 *   one of them:                          RT += R_AI
 *   always:                               RC = (RC + RT) / 2
 * </pre>
 *
 * <p>until RC is the line's rate. The standard varies the lengths of cycles at random; here they
 * are constant.
 */
final class QcnReaction implements RateControl {
    private static final int EXTRA_TIMES = 10;
    private static final int EXTRA_CUT = 8;

    private final QcnControlConfig keys;
    private double lineRateBps;
    private double leastBps;
    private double currentBps;
    private double targetBps;
    private boolean isLimited;
    private int byteCycles;
    private int timerCycles;
    private long leftBytes;
    private long timerNs = Long.MAX_VALUE;

    QcnReaction(QcnControlConfig keys) {
        this.keys = keys;
    }

    @Override
    public void begin(long nowNs, long lineBps, int frameBytes) {
        lineRateBps = (double) lineBps;
        leastBps = (double) Math.min(keys.leastRateBps(), lineBps);
        currentBps = lineRateBps;
        targetBps = lineRateBps;
    }

    /** RT. */
    double targetBps() {
        return targetBps;
    }

    @Override
    public boolean notified(long nowNs, int kind, long origin, long value) {
        if (kind != Cnm.KIND || value <= 0 || value > Cnm.MOST_FEEDBACK) {
            return false;
        }
        if (!isLimited || byteCycles + timerCycles > 0) {
            targetBps = currentBps;
        }
        currentBps = Math.max(leastBps, currentBps * (1 - keys.gain() * value));
        isLimited = true;
        byteCycles = 0;
        timerCycles = 0;
        leftBytes = keys.cycleBytes();
        timerNs = nowNs + keys.timerNs();
        return true;
    }

    @Override
    public void sent(long nowNs, int wireBytes) {
        if (!isLimited) {
            return;
        }
        leftBytes -= wireBytes;
        if (leftBytes <= 0) {
            byteCycles++;
            leftBytes += keys.cycleBytes() / (byteCycles < keys.fastRecovery() ? 1 : 2);
            increase(byteCycles == 1);
        }
    }

    @Override
    public int tick(long nowNs) {
        if (nowNs < timerNs) {
            return 0;
        }
        timerCycles++;
        timerNs = nowNs + keys.timerNs() / (timerCycles < keys.fastRecovery() ? 1 : 2);
        increase(timerCycles == 1);
        return 1;
    }

    private void increase(boolean isFirst) {
        int fewer = Math.min(byteCycles, timerCycles) - keys.fastRecovery();
        int more = Math.max(byteCycles, timerCycles) - keys.fastRecovery();
        if (isFirst && targetBps > EXTRA_TIMES * currentBps) {
            targetBps /= EXTRA_CUT;
        } else if (fewer > 0) {
            targetBps += (double) keys.hyperBps() * fewer;
        } else if (more > 0) {
            targetBps += keys.additiveBps();
        }
        targetBps = Math.min(targetBps, lineRateBps);
        currentBps = (currentBps + targetBps) / 2;
        if (lineRateBps - currentBps < 1) {
            currentBps = lineRateBps;
            isLimited = false;
            timerNs = Long.MAX_VALUE;
        }
    }

    @Override
    public long deadlineNs() {
        return timerNs;
    }

    @Override
    public long rateBps() {
        return (long) currentBps;
    }
}
