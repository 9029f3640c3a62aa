package io.headgate.hostagent.rate;

import static io.headgate.config.key.Quantity.DURATION;

import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.dataplane.congestion.RoccConfig;

/** The parameters of a host's reaction to fair rates; see {@link RoccReaction}. */
@Named(
        value = "rocc",
        says =
                "Each flow sends at the fair rate that its congestion point reports (RoCC, CoNEXT"
                        + " 2020). Ports need congestion: {rocc: {}}.")
public record RoccReactionConfig(
        @Key(quantity = DURATION, min = "0ns", max = "1s", absent = "0ns")
                @Says(
                        "Time from a notification's arrival to its effect: 15us in the authors'"
                                + " simulations.")
                long delayNs,
        @Key(quantity = DURATION, min = "1us", max = "10s", example = "40us")
                @Says(
                        "The period of the congestion points; at most two notifications of each"
                                + " point are accepted per period.")
                @Otherwise(
                        "the period of congestion points of the card's rate: 100us at 10 Gb/s, 40us"
                                + " at 40 and at 100 Gb/s, longer below; 40us in scenarios")
                long periodNs,
        @Key(quantity = DURATION, min = "1us", max = "20s", example = "55us")
                @Says("After this time without a notification the rate doubles (fast recovery).")
                @Otherwise("eleven eighths of period: 55us for 40us, as in the authors' simulator")
                long recoveryNs) {
    private static final int EIGHTHS = 11;

    static long periodNs(Known known) {
        return RoccConfig.publishedPeriodNs(known.number("rate"));
    }

    static long recoveryNs(Known known) {
        return known.number("period") * EIGHTHS / Byte.SIZE;
    }
}
