package io.headgate.hostagent.rate.hpcc;

import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import io.headgate.hostagent.rate.HopEcho;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.Sample;

/**
 * HPCC's sender (Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, algorithm 1).
 * From two records of a port it computes the bytes in flight over its link, as a share of the bytes
 * that the link carries in T: the bytes sent between the records, plus the bytes waiting. The
 * largest share of all links enters an average U. Above eta the window is divided by U / eta;
 * otherwise it grows by a step, or by division after {@code maxStage} steps. The computation starts
 * from the reference Wc, which is set to the window once per round trip, so that all
 * acknowledgements of a round trip refer to the same Wc.
 *
 * <p>Where the paper is silent: U begins with 1, as in its authors' code. Records of another port
 * than last time (the path changed), or whose time or bytes did not advance, are only stored. If a
 * port sent several packets at one moment, because it was called late, the first one is used for
 * the measurement. The window is at most that of the line, and at least a frame.
 */
final class HpccWindow implements RateControl {
    private static final double BITS_AND_NS = 8e9;

    /** An upper bound above the effect of any real queue: forged values count no more than this. */
    private static final double MOST_USE = 1024;

    private final HpccConfig config;
    private final HopRecords last;
    private long lineRateBps;
    private double mostBytes;
    private double leastBytes;
    private double stepBytes;

    private double windowBytes;
    private double referenceBytes;
    private double use = 1;
    private int stage;
    private long updatedUntilBytes;

    HpccWindow(HpccConfig config) {
        this.config = config;
        this.last = new HopRecords(HopEcho.WHOLE.mostHops());
    }

    @Override
    public void begin(long nowNs, long lineBps, int largestFrameBytes) {
        lineRateBps = lineBps;
        mostBytes = Math.max(config.bytesInT(lineBps), largestFrameBytes);
        leastBytes = Math.max(config.bytesInT(config.leastRateBps()), largestFrameBytes);
        leastBytes = Math.min(leastBytes, mostBytes);
        stepBytes = config.stepBytes(lineBps);
        windowBytes = mostBytes;
        referenceBytes = mostBytes;
    }

    @Override
    public void acknowledged(long nowNs, Sample sample) {
        HopRecords hops = sample.echoed();
        if (hops.hops() == 0) {
            return;
        }
        if (!isSameWay(hops)) {
            last.copy(hops);
        } else if (measure(sample)) {
            boolean isNewRoundTrip = sample.ackedBytes() > updatedUntilBytes;
            follow(isNewRoundTrip);
            if (isNewRoundTrip) {
                updatedUntilBytes = sample.sentBytes();
            }
        }
    }

    private boolean isSameWay(HopRecords hops) {
        if (hops.hops() != last.hops()) {
            return false;
        }
        for (int i = 0; i < hops.hops(); i++) {
            if (!hops.hop(i).isOfPort(last.hop(i))) {
                return false;
            }
        }
        return true;
    }

    /** MeasureInflight; also stores the records used. False if no link reported anything. */
    private boolean measure(Sample sample) {
        HopRecords hops = sample.echoed();
        double most = -1;
        double mostNs = 0;
        for (int i = 0; i < hops.hops(); i++) {
            HopRecord hop = hops.hop(i);
            HopRecord before = last.hop(i);
            double ns = hop.nsSince(before);
            double bytes = hop.bytesSince(before);
            if (ns == 0 && bytes > 0 && hop.timeNs != 0) {
                return false; // of the same burst: it counts with the next one's first packet
            }
            if (ns < 0 || bytes < 0 || hop.rateBps <= 0 || hop.queueBytes < 0) {
                sample.ignore();
                continue;
            }
            if (ns == 0) {
                continue; // a port that says no times
            }
            double waiting = Math.min(hop.queueBytes, before.queueBytes);
            double of = bytes * BITS_AND_NS / (ns * hop.rateBps);
            double inFlight = waiting / config.bytesInT(hop.rateBps) + of;
            if (inFlight > most) {
                most = inFlight;
                mostNs = ns;
            }
        }
        last.copy(hops);
        if (most < 0) {
            return false;
        }
        if (most > MOST_USE) {
            sample.ignore();
            most = MOST_USE;
        }
        double share = Math.min(mostNs / config.baseRttNs(), 1);
        use += share * (most - use);
        return true;
    }

    /** ComputeWind. */
    private void follow(boolean isNewRoundTrip) {
        boolean divides = use >= config.eta() || stage >= config.maxStage();
        double base = divides ? referenceBytes / (use / config.eta()) : referenceBytes;
        windowBytes = Math.clamp(base + stepBytes, leastBytes, mostBytes);
        if (isNewRoundTrip) {
            stage = divides ? 0 : stage + 1;
            referenceBytes = windowBytes;
        }
    }

    @Override
    public long rateBps() {
        return Math.clamp((long) (windowBytes / mostBytes * lineRateBps), 1, lineRateBps);
    }

    @Override
    public long windowBytes() {
        return config.window() ? (long) windowBytes : NO_WINDOW;
    }

    @Override
    public boolean isIdle() {
        return false; // its window is what it has learned
    }
}
