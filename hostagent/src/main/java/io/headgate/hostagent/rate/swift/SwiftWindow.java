package io.headgate.hostagent.rate.swift;

import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.Sample;

/**
 * Swift's window (Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in the
 * Datacenter", SIGCOMM 2020, algorithm 1), in frames:
 *
 * <pre>
 *   delay &lt; target:  cwnd += ai / cwnd for each frame acknowledged; ai itself below a frame
 *   otherwise:       cwnd *= max(1 - beta (delay - target) / delay, 1 - max_mdf)
 *   a loss:          cwnd *= 1 - max_mdf; min_cwnd after several without progress
 * </pre>
 *
 * <p>It shrinks at most once per round trip. Section 3.5 scales the target by hops and by the
 * window, so that it is longer where more flows share a link:
 *
 * <pre>
 *   target = base + hops h + max(0, min(a / sqrt(cwnd) + b, fs_range))
 *   a = fs_range / (1 / sqrt(fs_min_cwnd) - 1 / sqrt(fs_max_cwnd)),  b = -a / sqrt(fs_max_cwnd)
 * </pre>
 *
 * <p>The delay is the round trip that an acknowledgement timed; the paper keeps a second window for
 * the delay of hosts, which hosts here do not have. Frames acknowledged between two timed round
 * trips count at the second one. A window below a frame sends one frame per rtt / cwnd; above,
 * frames follow each other at the line's rate.
 */
final class SwiftWindow implements RateControl {
    private static final double BITS_AND_NS = 8e9;

    private final SwiftConfig keys;
    private final double a;
    private final double b;
    private long lineRateBps;
    private int frameBytes;
    private double window;
    private long rttNs = 1;
    private long decreasedNs;
    private boolean mayDecrease = true;
    private long ackedBytes;
    private int losses;

    SwiftWindow(SwiftConfig keys) {
        this.keys = keys;
        double least = 1 / StrictMath.sqrt(keys.leastScaled());
        double most = 1 / StrictMath.sqrt(keys.mostScaled());
        a = keys.rangeNs() / (least - most);
        b = -a * most;
    }

    @Override
    public void begin(long nowNs, long lineBps, int largestFrameBytes) {
        lineRateBps = lineBps;
        frameBytes = largestFrameBytes;
        window = Math.min(keys.initialWindow(), keys.mostWindow());
    }

    double targetNs() {
        double scaled = a / Math.sqrt(window) + b;
        return keys.baseTargetNs()
                + (double) keys.hops() * keys.hopNs()
                + Math.clamp(scaled, 0, (double) keys.rangeNs());
    }

    @Override
    public void acknowledged(long nowNs, Sample sample) {
        if (!sample.isFresh()) {
            return;
        }
        double frames = (double) (sample.ackedBytes() - ackedBytes) / frameBytes;
        ackedBytes = sample.ackedBytes();
        rttNs = sample.roundTripNs();
        losses = 0;
        double target = targetNs();
        if (rttNs < target) {
            set(nowNs, window + keys.additive() * frames / Math.max(window, 1));
        } else if (mayDecrease(nowNs)) {
            double excess = (rttNs - target) / rttNs;
            set(nowNs, window * Math.max(1 - keys.beta() * excess, 1 - keys.mostDecrease()));
        }
    }

    @Override
    public void lost(long nowNs) {
        losses++;
        if (losses >= keys.resetAfter()) {
            set(nowNs, keys.leastWindow());
        } else if (mayDecrease(nowNs)) {
            set(nowNs, window * (1 - keys.mostDecrease()));
        }
    }

    private boolean mayDecrease(long nowNs) {
        return mayDecrease || nowNs - decreasedNs >= rttNs;
    }

    private void set(long nowNs, double frames) {
        double before = window;
        window = Math.clamp(frames, keys.leastWindow(), keys.mostWindow());
        if (window <= before) {
            decreasedNs = nowNs;
            mayDecrease = false;
        }
    }

    @Override
    public long rateBps() {
        if (window >= 1) {
            return lineRateBps;
        }
        return Math.clamp((long) (window * frameBytes * BITS_AND_NS / rttNs), 1, lineRateBps);
    }

    @Override
    public long windowBytes() {
        return (long) (window * frameBytes);
    }

    @Override
    public boolean isIdle() {
        return false; // its window is what it has learned
    }
}
