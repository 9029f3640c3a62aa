package io.headgate.hostagent.rate;

import io.headgate.dataplane.frame.Cnp;

/**
 * DCQCN's reaction point, after Zhu et al., "Congestion Control for Large-Scale RDMA Deployments"
 * (SIGCOMM 2015), section 3.2 and figure 7. A notification cuts the current rate by half of alpha,
 * an average of how often there is one, and what it was becomes the target rate. Without one the
 * rate grows at each expiry of a timer, and of a counter of bytes: half way to the target (fast
 * recovery, while both have expired fewer than F times), the target itself by R_AI (additive), or
 * by R_HAI (hyper increase, once both have expired more than F times).
 *
 * <p>A notification of undetermined marks (TCD, SIGCOMM 2021) holds the rate, as in its authors'
 * simulator: target and recovery begin anew at the rate that there is, alpha does not grow.
 *
 * <p>A flow begins at the line's rate, and is not limited until it is first notified. When it has
 * come back to the line's rate, nothing is timed any more; what alpha would have become by then is
 * worked out at the next notification.
 */
final class DcqcnReaction implements RateControl {
    private static final long LEAST_PART = 4_000;

    private final DcqcnConfig keys;
    private long lineRateBps;
    private double leastBps;
    private double currentBps;

    /** R_T, in bits per second. */
    double targetBps;

    double alpha;
    private boolean isLimited;

    // Since the last notification.
    private int timerExpiries;
    private int counterExpiries;
    private long countedBytes;
    private long increaseNs = Long.MAX_VALUE;
    private long alphaNs = Long.MAX_VALUE;

    // Of a flow that is not limited: since when alpha falls.
    private long fallsSinceNs;

    DcqcnReaction(DcqcnConfig keys) {
        this.keys = keys;
    }

    @Override
    public void begin(long nowNs, long lineBps, int frameBytes) {
        lineRateBps = lineBps;
        long leastPart = Math.max(1, lineBps / LEAST_PART);
        leastBps = (double) Math.clamp(keys.leastRateBps(), leastPart, lineBps);
        currentBps = (double) lineBps;
        targetBps = (double) lineBps;
        alpha = keys.initialAlpha();
        // Nothing has been averaged yet that could fall.
        fallsSinceNs = Long.MAX_VALUE;
    }

    @Override
    public void sent(long nowNs, int wireBytes) {
        if (!isLimited) {
            return;
        }
        countedBytes += wireBytes;
        if (countedBytes >= keys.byteCounterBytes()) {
            countedBytes -= keys.byteCounterBytes();
            counterExpiries++;
            increase();
        }
    }

    @Override
    public boolean notified(long nowNs, int kind, long origin, long value) {
        if (kind != Cnp.KIND) {
            return false;
        }
        if ((value & MARKED_CE) != 0) {
            cut(nowNs);
            return true;
        }
        if ((value & MARKED_UE) != 0) {
            hold(nowNs);
            return true;
        }
        return false;
    }

    private void cut(long nowNs) {
        if (!isLimited && nowNs > fallsSinceNs) {
            long expiries = (nowNs - fallsSinceNs) / keys.alphaTimerNs();
            alpha *= StrictMath.pow(1 - keys.gain(), (double) expiries);
        }
        targetBps = currentBps;
        currentBps = Math.max(leastBps, currentBps * (1 - alpha / 2));
        alpha = (1 - keys.gain()) * alpha + keys.gain();
        isLimited = true;
        restart(nowNs);
    }

    private void hold(long nowNs) {
        if (isLimited) {
            targetBps = currentBps;
            restart(nowNs);
        }
    }

    private void restart(long nowNs) {
        timerExpiries = 0;
        counterExpiries = 0;
        countedBytes = 0;
        increaseNs = nowNs + keys.increaseTimerNs();
        alphaNs = nowNs + keys.alphaTimerNs();
    }

    @Override
    public int tick(long nowNs) {
        int done = 0;
        if (nowNs >= alphaNs) {
            alpha *= 1 - keys.gain();
            alphaNs = nowNs + keys.alphaTimerNs();
            done++;
        }
        if (nowNs >= increaseNs) {
            increaseNs = nowNs + keys.increaseTimerNs();
            timerExpiries++;
            increase();
            done++;
        }
        return done;
    }

    private void increase() {
        int more = Math.max(timerExpiries, counterExpiries);
        int fewer = Math.min(timerExpiries, counterExpiries);
        if (fewer > keys.fastRecovery()) {
            boolean grows = keys.hyperSteps() == DcqcnConfig.HyperSteps.GROWING;
            long steps = grows ? fewer - keys.fastRecovery() : 1;
            targetBps += (double) steps * keys.hyperBps();
        } else if (more >= keys.fastRecovery()) {
            targetBps += keys.additiveBps();
        }
        currentBps = (currentBps + targetBps) / 2;
        if (currentBps >= lineRateBps) {
            release();
        }
    }

    private void release() {
        currentBps = (double) lineRateBps;
        targetBps = (double) lineRateBps;
        isLimited = false;
        fallsSinceNs = alphaNs - keys.alphaTimerNs();
        increaseNs = Long.MAX_VALUE;
        alphaNs = Long.MAX_VALUE;
    }

    @Override
    public long deadlineNs() {
        return Math.min(increaseNs, alphaNs);
    }

    @Override
    public long rateBps() {
        return (long) currentBps;
    }
}
