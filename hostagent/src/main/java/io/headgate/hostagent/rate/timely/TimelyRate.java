package io.headgate.hostagent.rate.timely;

import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.Sample;

/**
 * TIMELY's rate computation (Mittal et al., "TIMELY: RTT-based Congestion Control for the
 * Datacenter", SIGCOMM 2015, algorithm 1), at each round trip that an acknowledgement timed:
 *
 * <pre>
 *   rtt_diff = (1 - alpha) rtt_diff + alpha (new_rtt - prev_rtt)
 *   normalized_gradient = rtt_diff / D_minRTT
 *   new_rtt &lt; T_low:           rate += delta
 *   new_rtt &gt; T_high:          rate *= 1 - beta (1 - T_high / new_rtt)
 *   normalized_gradient &lt;= 0:  rate += N delta; N is 1, and more in hyper active increase
 *   otherwise:                 rate *= 1 - beta normalized_gradient
 * </pre>
 *
 * <p>Patched (Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY", CoNEXT
 * 2016, algorithm 2), the last two lines are, with the reference T_low:
 *
 * <pre>
 *   weight = 0 below a gradient of -1/4, 1 above 1/4, 2 gradient + 1/2 between
 *   rate = delta (1 - weight) + rate (1 - beta weight (new_rtt - T_low) / T_low)
 * </pre>
 *
 * <p>so that N flows on a link of rate C settle at a round trip of T_low (1 + N delta / (beta C)).
 * Above T_high the published beta still applies: with the patch's own, a hundredth of that, flows
 * that begin at the line's rate would take hundreds of round trips to slow down.
 *
 * <p>The paper has no bounds for the rate: here it is at least {@code least-rate}, at most the
 * line's.
 */
final class TimelyRate implements RateControl {
    private static final double EDGE = 0.25;

    private final TimelyConfig keys;
    private double lineRateBps;
    private double leastBps;
    private double rateBps;
    private long previousNs = Sample.NOT_TIMED;
    private double differenceNs;
    private int fallen;

    TimelyRate(TimelyConfig keys) {
        this.keys = keys;
    }

    @Override
    public void begin(long nowNs, long lineBps, int frameBytes) {
        lineRateBps = lineBps;
        leastBps = Math.min(keys.leastRateBps(), lineBps);
        rateBps = lineBps;
    }

    @Override
    public void acknowledged(long nowNs, Sample sample) {
        if (!sample.isFresh()) {
            return;
        }
        long rttNs = sample.roundTripNs();
        if (previousNs != Sample.NOT_TIMED) {
            double newest = (double) rttNs - previousNs;
            differenceNs += keys.weight() * (newest - differenceNs);
            rateBps = Math.clamp(next(rttNs), leastBps, lineRateBps);
        }
        previousNs = rttNs;
    }

    private double next(long rttNs) {
        double gradient = differenceNs / keys.minRttNs();
        boolean isBetween = rttNs >= keys.lowNs() && rttNs <= keys.highNs();
        fallen = isBetween && gradient <= 0 ? fallen + 1 : 0;
        if (rttNs < keys.lowNs()) {
            return rateBps + keys.deltaBps();
        }
        if (rttNs > keys.highNs()) {
            return rateBps * (1 - keys.beta() * (1 - (double) keys.highNs() / rttNs));
        }
        if (keys.rules() == TimelyConfig.Rules.PATCHED) {
            double weight = Math.clamp((gradient + EDGE) / (2 * EDGE), 0, 1);
            double error = (double) (rttNs - keys.lowNs()) / keys.lowNs();
            return keys.deltaBps() * (1 - weight)
                    + rateBps * (1 - keys.patchedBeta() * weight * error);
        }
        if (gradient <= 0) {
            int steps = fallen > keys.hyperAfter() ? keys.hyperSteps() : 1;
            return rateBps + (double) steps * keys.deltaBps();
        }
        return rateBps * (1 - keys.beta() * gradient);
    }

    @Override
    public long rateBps() {
        return (long) rateBps;
    }

    @Override
    public boolean isIdle() {
        return false; // its rate is what it has learned
    }
}
