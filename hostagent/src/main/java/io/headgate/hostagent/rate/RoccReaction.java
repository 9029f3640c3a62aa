package io.headgate.hostagent.rate;

import io.headgate.dataplane.frame.RoccNotice;

/**
 * RoCC's reaction point, after algorithm 2 of Menikkumbura's dissertation (Purdue, 2022, section
 * 3.3.5; CoNEXT 2020): a flow sends at the rate that its congestion point reports. Another point
 * takes over if it does not report a higher rate; while no point reports, the rate doubles (fast
 * recovery), up to the line's, at which the flow is not limited.
 *
 * <p>A faster link's congestion point may report more than the line's rate; the flow then gets the
 * line's rate. Less than a 4000th of it counts as a 4000th: the published least rate is 100 Mb/s,
 * which is this share of 400 Gb/s, and a forged notice cannot delay a frame for longer than 4,000
 * frames take on the wire.
 */
final class RoccReaction implements RateControl {
    private static final long LEAST_PART = 4_000;

    private final long delayNs;
    private final long recoveryNs;
    private long lineRateBps;
    private long currentBps;

    // The congestion point that is followed, while the flow is limited.
    private long currentOrigin;
    private long recoverNs = Long.MAX_VALUE;

    // The last notice that has no effect yet; a later one takes its place, and its time.
    private long toldBps;
    private long toldOrigin;
    private long effectNs = Long.MAX_VALUE;

    RoccReaction(long delayNs, long recoveryNs) {
        this.delayNs = delayNs;
        this.recoveryNs = recoveryNs;
    }

    @Override
    public void begin(long nowNs, long lineBps, int frameBytes) {
        lineRateBps = lineBps;
        currentBps = lineBps;
    }

    @Override
    public boolean notified(long nowNs, int kind, long origin, long value) {
        long saidBps = RoccNotice.rateBps(value);
        if (!RoccNotice.is(kind) || saidBps == 0) {
            return false;
        }
        long rateBps = bounded(saidBps);
        boolean isWaiting = effectNs != Long.MAX_VALUE;
        boolean isLess = !isWaiting || origin == toldOrigin || rateBps < toldBps;
        if (!isTakenFrom(origin, rateBps) || !isLess) {
            // Sound, and of no effect: another point says less.
            return true;
        }
        toldBps = rateBps;
        toldOrigin = origin;
        if (delayNs == 0) {
            follow(nowNs);
        } else if (!isWaiting) {
            effectNs = nowNs + delayNs;
        }
        return true;
    }

    private long bounded(long saidBps) {
        return Math.clamp(saidBps, lineRateBps / LEAST_PART, lineRateBps);
    }

    @Override
    public boolean isSlowedBy(int kind, long value) {
        long saidBps = RoccNotice.rateBps(value);
        // Not as much as it has: forged notices at the least rate would all be heard.
        return RoccNotice.is(kind) && saidBps > 0 && bounded(saidBps) < currentBps;
    }

    private boolean isTakenFrom(long origin, long rateBps) {
        return !isLimited() || origin == currentOrigin || rateBps <= currentBps;
    }

    private boolean isLimited() {
        return recoverNs != Long.MAX_VALUE;
    }

    private void follow(long nowNs) {
        effectNs = Long.MAX_VALUE;
        currentBps = toldBps;
        currentOrigin = toldOrigin;
        recoverNs = currentBps >= lineRateBps ? Long.MAX_VALUE : nowNs + recoveryNs;
    }

    @Override
    public int tick(long nowNs) {
        int done = 0;
        if (nowNs >= effectNs) {
            follow(nowNs);
            done++;
        }
        if (nowNs >= recoverNs) {
            currentBps = currentBps > lineRateBps / 2 ? lineRateBps : 2 * currentBps;
            recoverNs = currentBps >= lineRateBps ? Long.MAX_VALUE : nowNs + recoveryNs;
            done++;
        }
        return done;
    }

    @Override
    public long deadlineNs() {
        return Math.min(effectNs, recoverNs);
    }

    @Override
    public long followed() {
        return isLimited() ? currentOrigin : 0;
    }

    @Override
    public long rateBps() {
        return currentBps;
    }
}
