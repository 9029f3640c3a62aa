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
                        + " shorter (TIMELY, SIGCOMM 2015), or as patched so that flows converge"
                        + " (\"ECN or Delay\", CoNEXT 2016); switches need no configuration.")
public record TimelyConfig(
        @Key(absent = "published")
                @Says(
                        "The rule between t-low and t-high: the gradient alone, as published by"
                                + " Mittal et al. (SIGCOMM 2015), or gradient and distance to"
                                + " t-low, as patched by Zhu et al. (CoNEXT 2016) so that flows"
                                + " converge.")
                Rules rules,
        @Key(name = "ewma", min = "0.001", max = "1", absent = "0.875")
                @Says("Alpha: the weight of the newest difference of round trips in the average.")
                double weight,
        @Key(min = "0.001", max = "1", absent = "0.8")
                @Says("Beta: the share of the rate that a gradient of 1 cuts.")
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
                @Says(
                        "D_minRTT: the minimum round trip; differences of round trips are divided"
                                + " by it.")
                long minRttNs,
        @Key(quantity = RATE, min = "1kbps", max = "400Gbps", absent = "10Mbps")
                @Says("Delta: one step of additive increase.")
                long deltaBps,
        @Key(min = "1", max = "1000", absent = "5")
                @Says("Hyper increase begins after this number of gradients of at most 0 in a row.")
                int hyperAfter,
        @Key(min = "1", max = "1000", absent = "5")
                @Says("N: the number of additive steps in one increase of hyper increase.")
                int hyperSteps,
        @Key(quantity = RATE, min = "1kbps", max = "400Gbps", absent = "100Mbps")
                @Says("Minimum rate after a decrease.")
                long leastRateBps) {

    /** The rules between the two thresholds. */
    public enum Rules {
        PUBLISHED,
        PATCHED
    }
}
