package io.headgate.dataplane.congestion.pcn;

import io.headgate.dataplane.congestion.Detector;
import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.congestion.Outlook;

/**
 * NP-ECN (Cheng et al., "Re-architecting Congestion Management in Lossless Ethernet", NSDI 2020,
 * section 4.1): when a queue may send again after a pause, the N frames that wait in it were held
 * by the pause, and the next N that start are not marked. All others are marked if more bytes than
 * the threshold wait behind them.
 */
final class PcnDetector implements Detector {
    private final long thresholdBytes;
    private int paused;

    PcnDetector(long thresholdBytes) {
        this.thresholdBytes = thresholdBytes;
    }

    @Override
    public int started(long nowNs, int frameBytes, long behindBytes) {
        if (paused > 0) {
            paused--;
            return Mark.NONE;
        }
        return behindBytes > thresholdBytes ? Mark.CONGESTION : Mark.NONE;
    }

    @Override
    public void foresee(long behindBytes, Outlook outlook) {
        if (paused > 0) {
            outlook.set(Mark.NONE, 0, Long.MAX_VALUE, paused);
        } else if (behindBytes > thresholdBytes) {
            outlook.set(Mark.CONGESTION, thresholdBytes + 1, Long.MAX_VALUE, Outlook.ALWAYS);
        } else {
            outlook.set(Mark.NONE, 0, thresholdBytes, Outlook.ALWAYS);
        }
    }

    @Override
    public void passed(int frames, long lastNs) {
        paused = Math.max(0, paused - frames);
    }

    @Override
    public void released(long endedNs, long queuedBytes, int queuedFrames) {
        paused = queuedFrames;
    }

    @Override
    public void goOnFrom(Detector before) {
        if (before instanceof PcnDetector pcn) {
            paused = pcn.paused;
        }
    }

    @Override
    public void reset(long nowNs) {
        paused = 0;
    }
}
