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
                "The rate of each flow is computed from the queue length, queue growth and load of"
                        + " the most congested port on its path (ICC, Wang et al., 2023). Ports"
                        + " need congestion: {icc: {}}, flows need transport: rocev2.")
public record IccReactionConfig(
        @Key(absent = "consistent")
                @Says(
                        "Equations 1 to 5 as printed in the paper, with which queues grow, or as"
                                + " its text describes them (consistent).")
                IccEquations formulas,
        @Key(quantity = SIZE, min = "1kB", max = "1GB", absent = "25kB")
                @Says(
                        "Qd, the conservative queue threshold that Vmax must not exceed, far below"
                                + " the pause threshold of switches, because queues fill up to the"
                                + " threshold.")
                long qdBytes,
        @Key(quantity = DURATION, min = "0ns", max = "10s", absent = "0ns")
                @Says("T. 0ns: the shortest round trip that acknowledgements have measured.")
                long roundTripNs,
        @Key(quantity = DURATION, min = "0ns", max = "10s", absent = "0ns")
                @Says("td, the delay from the port to the sender. 0ns: half of T.")
                long feedbackDelayNs,
        @Key(min = "0", max = "1", absent = "0")
                @Says(
                        "The share of the data in flight (B T lu) that is subtracted from Vmax;"
                                + " only with consistent formulas.")
                double inFlight,
        @Key(absent = "report")
                @Says(
                        "How often equation 6 raises the rate: with each report, as in the paper's"
                                + " text, or once per round-trip, because earlier reports do not"
                                + " yet reflect the last raise.")
                Increase increase,
        @Key(quantity = RATE, min = "0bps", max = "400Gbps", absent = "0bps")
                @Says(
                        "Minimum rate after a report. 0bps: one frame in T, so that the next report"
                                + " comes in time, but at most half of the flow's share and at"
                                + " least a thousandth of the line rate.")
                long leastRateBps,
        @Key(quantity = DURATION, min = "1us", max = "20s", absent = "1ms")
                @Says(
                        "After this time without a report the rate doubles. Ports report every 15"
                                + " us, so this is for ports that stopped reporting.")
                long recoveryNs) {

    /** How often a rate grows. */
    public enum Increase {
        REPORT,
        ROUND_TRIP
    }
}
