package example;

import io.headgate.dataplane.memory.HopRecords;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.Sample;

/** Halves a flow's window, once a round trip, while the longest queue on its way is too long. */
final class FarWindowFlow implements RateControl {
    private final long limitBytes;
    private long lineBps;
    private double windowBytes;
    private double frameBytes;
    private long heldUntilBytes;

    FarWindowFlow(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    @Override
    public void begin(long nowNs, long lineRateBps, int largestFrameBytes) {
        lineBps = lineRateBps;
        frameBytes = largestFrameBytes;
        windowBytes = 16 * frameBytes;
    }

    @Override
    public void acknowledged(long nowNs, Sample sample) {
        HopRecords there = sample.echoed();
        long longest = 0;
        for (int hop = 0; hop < there.hops(); hop++) {
            longest = Math.max(longest, there.hop(hop).queueBytes);
        }
        for (int hop = 0; hop < sample.hops(); hop++) {
            longest = Math.max(longest, sample.hop(hop).queueBytes);
        }
        if (longest <= limitBytes) {
            windowBytes += sample.hops() == 0 ? 0 : frameBytes * frameBytes / windowBytes;
        } else if (sample.ackedBytes() >= heldUntilBytes) {
            windowBytes = Math.max(windowBytes / 2, frameBytes);
            heldUntilBytes = sample.sentBytes();
        }
    }

    @Override
    public long rateBps() {
        return lineBps;
    }

    @Override
    public long windowBytes() {
        return (long) windowBytes;
    }
}
