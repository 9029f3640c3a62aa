package io.headgate.hostagent.rate.timely;

import static io.headgate.config.key.Quantity.DURATION;
import static io.headgate.config.key.Quantity.RATE;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;

/** The parameters of TIMELY; see {@link TimelyRate}. */
@Named(
        says =
                "A rate that falls while round trips become longer and rises while they become"
                        + " shorter (TIMELY, SIGCOMM 2015), or as patched so that flows converge (\"ECN or"
                        + " Delay\", CoNEXT 2016); switches need nothing.")
public record TimelyConfig(
        @Key(absent = "published")
                @Says(
                        "Between t-low and t-high: by the gradient alone, as Mittal et al. (SIGCOMM"
                                + " 2015) published it, or by gradient and distance to t-low, as"
                                + " Zhu et al. (CoNEXT 2016) patched it so that flows converge.")
                Rules rules,
        @Key(name = "ewma", min = "0.001", max = "1", absent = "0.875")
                @Says("Alpha: the weight of the newest difference of round trips in the average.")
                double weight,
        @Key(min = "0.001", max = "1", absent = "0.8")
                @Says("Beta: the share of the rate by which a gradient of 1 lowers it.")
                double beta,
        @Key(min = "0.0001", max = "1", absent = "0.008")
                @Says("Beta of the patched rule between t-low and t-high.")
                double patchedBeta,
        @Key(name = "t-low", quantity = DURATION, min = "1us", max = "10s", absent = "50us")
                @Says("T_low: below this round trip the rate grows, whatever the gradient.")
                long lowNs,
        @Key(name = "t-high", quantity = DURATION, min = "1us", max = "10s", absent = "500us")
                @Says("T_high: above this round trip the rate falls, whatever the gradient.")
                long highNs,
        @Key(quantity = DURATION, min = "100ns", max = "10s", absent = "20us")
                @Says("D_minRTT: differences of round trips are divided by it.")
                long minRttNs,
        @Key(quantity = RATE, min = "1kbps", max = "400Gbps", absent = "10Mbps")
                @Says("Delta: one step of additive increase.")
                long deltaBps,
        @Key(min = "1", max = "1000", absent = "5")
                @Says("Hyper increase begins after this number of gradients of at most 0 in a row.")
                int hyperAfter,
        @Key(min = "1", max = "1000", absent = "5")
                @Says("N: the number of steps that one increase has in hyper increase.")
                int hyperSteps,
        @Key(quantity = RATE, min = "1kbps", max = "400Gbps", absent = "100Mbps")
                @Says("No decrease goes below it.")
                long leastRateBps) {

    /** The rules between the two thresholds. */
    public enum Rules {
        PUBLISHED,
        PATCHED
    }
}
