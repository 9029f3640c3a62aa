package io.headgate.hostagent.icc;

import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.Sample;

/**
 * ICC's sender, algorithm 1 (Wang et al., Computers, Materials and Continua 75(1), 2023, section
 * 4.3). Acknowledgements report the most congested port on the flow's way:
 *
 * <pre>
 *   if qlen &gt; 0:                          # line 2
 *       if qlenrate &gt; 0: V = Vmax        # lines 4 and 5
 *       else:            V = Vmin        # line 7; stays if the queue is empty after T by itself
 *   else: V = V lu + lineRate (1 - lu)   # line 10, equation 6
 * </pre>
 *
 * <p>Each report counts once, even if several acknowledgements bring it. Lines 5 and 7 only lower a
 * rate, as the text says. The paper's rates have no bounds; here the bounds are the least rate and
 * the line's, which also limit the effect of forged reports. If no reports come any more, for
 * example because ports stopped writing them, the rate doubles after a while: the paper does not
 * cover this case.
 */
final class IccReaction implements RateControl {
    private static final double FULL = 1_000;
    private static final double LEAST_PART = 1_000;
    private static final double NS_PER_S = 1e9;

    private final IccReactionConfig config;
    private final IccEquations.Port port = new IccEquations.Port();

    // The last report that counted.
    private final HopRecord last = new HopRecord();
    private long lineRateBps;
    private double frameBits;
    private double rateBps;
    private long tNs;
    private long grownNs = Long.MIN_VALUE / 2;
    private long recoverNs = Long.MAX_VALUE;

    IccReaction(IccReactionConfig config) {
        this.config = config;
        this.tNs = config.roundTripNs() == 0 ? Long.MAX_VALUE : config.roundTripNs();
    }

    @Override
    public void begin(long nowNs, long lineBps, int frameBytes) {
        lineRateBps = lineBps;
        rateBps = lineBps;
        frameBits = 8.0 * (frameBytes + Ethernet.WIRE_OVERHEAD_BYTES);
    }

    @Override
    public void acknowledged(long nowNs, Sample sample) {
        if (config.roundTripNs() == 0 && sample.isFresh()) {
            tNs = Math.min(tNs, Math.max(1, sample.roundTripNs()));
        }
        for (int i = 0; i < sample.hops(); i++) {
            HopRecord hop = sample.hop(i);
            if (hop.flows <= 0 || hop.rateBps <= 0 || hop.queueBytes < 0) {
                sample.ignore();
            } else if (isNew(hop) && tNs != Long.MAX_VALUE) {
                last.copy(hop);
                obey(nowNs, hop);
                boolean isLimited = rateBps < lineRateBps;
                recoverNs = isLimited ? nowNs + config.recoveryNs() : Long.MAX_VALUE;
            }
        }
    }

    private boolean isNew(HopRecord hop) {
        return hop.timeNs != last.timeNs
                || hop.node != last.node
                || hop.egressPort != last.egressPort;
    }

    private void obey(long nowNs, HopRecord hop) {
        port.qlen = hop.queueBytes;
        port.qlenrate = hop.growthBps;
        port.lu = Math.clamp(hop.usePermille / FULL, 0, 1);
        port.c = hop.rateBps;
        port.n = hop.flows;
        double t = tNs;
        if (port.qlen <= 0) {
            if (config.increase() == IccReactionConfig.Increase.REPORT || nowNs >= grownNs + tNs) {
                grownNs = nowNs;
                set(rateBps * port.lu + lineRateBps * (1 - port.lu));
            }
        } else if (port.qlenrate > 0) {
            double td = config.feedbackDelayNs() == 0 ? t / 2 : (double) config.feedbackDelayNs();
            double qd = config.qdBytes();
            lower(config.formulas().vmax(port, t, td, qd, config.inFlight()));
        } else if (!IccEquations.drains(port, t)) {
            lower(config.formulas().vmin(port, t));
        }
    }

    private void lower(double bps) {
        set(Math.min(rateBps, bps));
    }

    private void set(double bps) {
        rateBps = Math.clamp(bps, leastBps(), (double) lineRateBps);
    }

    /**
     * The least rate is one frame in T: reports come with acknowledgements, and at a lower rate the
     * next report is late by more than a round trip, while the link idles. It is at most half of
     * the flow's share, so that the queue drains with any number of flows.
     */
    private double leastBps() {
        if (config.leastRateBps() != 0) {
            return Math.min(config.leastRateBps(), lineRateBps);
        }
        double oneInT = Math.min(frameBits * NS_PER_S / tNs, port.c / (2 * port.n));
        return Math.clamp(oneInT, lineRateBps / LEAST_PART, (double) lineRateBps);
    }

    @Override
    public int tick(long nowNs) {
        if (nowNs < recoverNs) {
            return 0;
        }
        set(2 * rateBps);
        recoverNs = rateBps < lineRateBps ? nowNs + config.recoveryNs() : Long.MAX_VALUE;
        return 1;
    }

    @Override
    public long deadlineNs() {
        return recoverNs;
    }

    @Override
    public long rateBps() {
        return (long) rateBps;
    }

    @Override
    public boolean isIdle() {
        return false; // its round trip is what it has learned
    }
}
