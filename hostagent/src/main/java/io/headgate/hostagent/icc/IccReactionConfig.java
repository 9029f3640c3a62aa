package io.headgate.hostagent.icc;

import static io.headgate.config.key.Quantity.DURATION;
import static io.headgate.config.key.Quantity.RATE;
import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;

/**
 * The parameters of a host's reaction to the reports of ports; see {@link IccReaction}. The paper
 * has no values for them.
 */
@Named(
        value = "icc",
        says =
                "Each flow sends at the rate that follows from the queue, its growth and the load of"
                        + " the most congested port on its way (ICC, Wang et al., 2023): ports have it with"
                        + " congestion: {icc: {}}, flows need transport: rocev2.")
public record IccReactionConfig(
        @Key(absent = "consistent")
                @Says(
                        "Equations 1 to 5 as printed, which let queues grow, or as the sentences"
                                + " around them say (consistent).")
                IccEquations formulas,
        @Key(quantity = SIZE, min = "1kB", max = "1GB", absent = "25kB")
                @Says(
                        "Qd, the conservative threshold of a port's queue that Vmax must not"
                                + " exceed, far below what makes switches pause: a queue that may"
                                + " be is one that is.")
                long qdBytes,
        @Key(quantity = DURATION, min = "0ns", max = "10s", absent = "0ns")
                @Says("T. 0ns: the shortest round trip that acknowledgements have timed.")
                long roundTripNs,
        @Key(quantity = DURATION, min = "0ns", max = "10s", absent = "0ns")
                @Says("td, from the port to the sender. 0ns: half of T.")
                long feedbackDelayNs,
        @Key(min = "0", max = "1", absent = "0")
                @Says(
                        "The share of B T lu, what is on its way, that Vmax is less by; only where"
                                + " formulas are consistent.")
                double inFlight,
        @Key(absent = "report")
                @Says(
                        "How often equation 6 raises the rate: with each report, as the text has"
                                + " it, or once in round-trip, since reports that come sooner know"
                                + " nothing of the last raise.")
                Increase increase,
        @Key(quantity = RATE, min = "0bps", max = "400Gbps", absent = "0bps")
                @Says(
                        "No report makes the rate less. 0bps: one frame in T, so that the next report"
                                + " comes in time, but half of the flow's share at most, and a"
                                + " thousandth of the line's at least.")
                long leastRateBps,
        @Key(quantity = DURATION, min = "1us", max = "20s", absent = "1ms")
                @Says(
                        "Without a report for so long, the rate doubles: ports report each 15 us,"
                                + " so it is for ports that do no longer.")
                long recoveryNs) {

    /** How often a rate grows. */
    public enum Increase {
        REPORT,
        ROUND_TRIP
    }
}
