package io.headgate.hostagent.rate;

import io.headgate.dataplane.frame.Cnp;

/**
 * DCQCN's reaction point, after Zhu et al., "Congestion Control for Large-Scale RDMA Deployments"
 * (SIGCOMM 2015), section 3.2 and figure 7. A notification sets the target rate to the current
 * rate, and cuts the current rate by half of alpha, an average of the notifications' frequency.
 * Without a notification the rate grows at each expiry of a timer, and of a byte counter: it moves
 * half way to the target (fast recovery, while both have expired fewer than F times), and the
 * target itself grows by R_AI (additive increase), or by R_HAI (hyper increase, once both have
 * expired more than F times, or only the timer has).
 *
 * <p>The vendor's cards, as modelled in HPCC's simulator (Li et al., SIGCOMM 2019), collect
 * notifications with two clocks that start with the first notification. At each tick of one clock
 * the rate is cut if a notification came since its last tick; at each tick of the other alpha grows
 * if one came, and falls otherwise.
 *
 * <p>A notification of undetermined marks (TCD, SIGCOMM 2021) holds the rate, as in its authors'
 * simulator: target and recovery restart at the current rate, alpha does not grow.
 *
 * <p>A flow begins at the line's rate, and is not limited until it is first notified. Once it is
 * back at the line's rate, no timer runs; the next notification computes the decay of alpha.
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

    // Where notifications are collected: when one cuts, and whether there was one for alpha.
    private long clockNs;
    private long cutNs = Long.MAX_VALUE;
    private boolean doesAlphaGrow;

    // While the flow is not limited: the time from which alpha falls.
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
            congested(nowNs);
            return true;
        }
        if ((value & MARKED_UE) != 0) {
            hold(nowNs);
            return true;
        }
        return false;
    }

    private void congested(long nowNs) {
        if (!isLimited && nowNs > fallsSinceNs) {
            long expiries = (nowNs - fallsSinceNs) / keys.alphaTimerNs();
            alpha *= StrictMath.pow(1 - keys.gain(), (double) expiries);
        }
        if (keys.cutIntervalNs() == 0) {
            cut(nowNs);
            alpha = (1 - keys.gain()) * alpha + keys.gain();
            alphaNs = nowNs + keys.alphaTimerNs();
        } else {
            collect(nowNs);
        }
        isLimited = true;
    }

    private void collect(long nowNs) {
        if (isLimited) {
            doesAlphaGrow = true;
        } else {
            clockNs = nowNs;
            alphaNs = nowNs + keys.alphaTimerNs();
        }
        if (cutNs == Long.MAX_VALUE) {
            long intervalNs = keys.cutIntervalNs();
            cutNs = nowNs + intervalNs - (nowNs - clockNs) % intervalNs;
        }
    }

    private void cut(long nowNs) {
        boolean hasGrown = timerExpiries + counterExpiries > 0;
        if (hasGrown || keys.target() == DcqcnConfig.Target.CUT) {
            targetBps = currentBps;
        }
        currentBps = Math.max(leastBps, currentBps * (1 - alpha / 2));
        recover(nowNs);
    }

    private void hold(long nowNs) {
        if (isLimited) {
            targetBps = currentBps;
            recover(nowNs);
            alphaNs = nowNs + keys.alphaTimerNs();
        }
    }

    private void recover(long nowNs) {
        timerExpiries = 0;
        counterExpiries = 0;
        countedBytes = 0;
        increaseNs = nowNs + keys.increaseTimerNs();
    }

    @Override
    public int tick(long nowNs) {
        int done = 0;
        if (nowNs >= alphaNs) {
            alpha = (1 - keys.gain()) * alpha + (doesAlphaGrow ? keys.gain() : 0);
            doesAlphaGrow = false;
            alphaNs = nowNs + keys.alphaTimerNs();
            done++;
        }
        if (nowNs >= cutNs) {
            cutNs = Long.MAX_VALUE;
            cut(nowNs);
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
        boolean isTimerEnough = keys.hyper() == DcqcnConfig.Hyper.TIMER;
        int hyper = (isTimerEnough ? timerExpiries : fewer) - keys.fastRecovery();
        if (hyper > 0) {
            boolean grows = keys.hyperSteps() == DcqcnConfig.HyperSteps.GROWING;
            long steps = grows ? hyper : 1;
            targetBps += (double) steps * keys.hyperBps();
        } else if (more >= keys.fastRecovery()) {
            targetBps += keys.additiveBps();
        }
        currentBps = (currentBps + targetBps) / 2;
        if (currentBps >= lineRateBps) {
            currentBps = (double) lineRateBps;
            targetBps = (double) lineRateBps;
            if (cutNs == Long.MAX_VALUE) {
                release();
            }
        }
    }

    private void release() {
        isLimited = false;
        fallsSinceNs = alphaNs - keys.alphaTimerNs();
        increaseNs = Long.MAX_VALUE;
        alphaNs = Long.MAX_VALUE;
        doesAlphaGrow = false;
    }

    @Override
    public long deadlineNs() {
        return Math.min(cutNs, Math.min(increaseNs, alphaNs));
    }

    @Override
    public long rateBps() {
        return (long) currentBps;
    }
}
