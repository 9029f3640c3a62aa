package io.headgate.hostagent.rate.qcn;

import static io.headgate.config.key.Quantity.DURATION;
import static io.headgate.config.key.Quantity.RATE;
import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;

/**
 * The parameters of a host's reaction to the feedback of bridges; see {@link QcnReaction}. The
 * defaults are those for links of 10 Gb/s.
 *
 * @param timerNs TIMER_PERIOD
 */
@Named(
        value = "qcn",
        says =
                "A rate that the feedback of bridges cuts, and that cycles of bytes and time bring"
                        + " back (QCN, IEEE 802.1Qau): ports have it with congestion: {qcn: {}}.")
public record QcnControlConfig(
        @Key(name = "gd", min = "0.0001", max = "0.0158", absent = "0.0078125")
                @Says("Gd: the share of the rate by which each of 63 steps of feedback cuts it.")
                double gain,
        @Key(name = "bc-limit", quantity = SIZE, min = "1kB", max = "1GB", absent = "150kB")
                @Says(
                        "BC_LIMIT: the bytes of a cycle of the byte counter; half of"
                                + " it after fast recovery.")
                long cycleBytes,
        @Key(quantity = DURATION, min = "10us", max = "10s", absent = "10ms")
                @Says("After so long a cycle of the timer is over; half of it after fast recovery.")
                long timerNs,
        @Key(min = "1", max = "1000", absent = "5")
                @Says("The cycles in which the target rate stays the same.")
                int fastRecovery,
        @Key(name = "rai", quantity = RATE, min = "1kbps", max = "400Gbps", absent = "5Mbps")
                @Says("R_AI: the growth of the target in each cycle after fast recovery.")
                long additiveBps,
        @Key(name = "rhai", quantity = RATE, min = "1kbps", max = "400Gbps", absent = "50Mbps")
                @Says("R_HAI: the same, once for each cycle that both have beyond fast recovery.")
                long hyperBps,
        @Key(quantity = RATE, min = "1kbps", max = "400Gbps", absent = "10Mbps")
                @Says("No feedback makes the rate less.")
                long leastRateBps) {}
