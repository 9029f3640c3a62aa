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
                "Feedback of bridges cuts the rate; cycles of a byte counter and a timer raise it"
                        + " again (QCN, IEEE 802.1Qau). Ports need congestion: {qcn: {}}.")
public record QcnControlConfig(
        @Key(name = "gd", min = "0.0001", max = "0.0158", absent = "0.0078125")
                @Says("Gd: the share of the rate that each of 63 feedback steps cuts.")
                double gain,
        @Key(name = "bc-limit", quantity = SIZE, min = "1kB", max = "1GB", absent = "150kB")
                @Says(
                        "BC_LIMIT: the length of one cycle of the byte counter; half of it after"
                                + " fast recovery.")
                long cycleBytes,
        @Key(quantity = DURATION, min = "10us", max = "10s", absent = "10ms")
                @Says("The length of one cycle of the timer; half of it after fast recovery.")
                long timerNs,
        @Key(min = "1", max = "1000", absent = "5")
                @Says("Number of cycles in which the target rate stays the same (fast recovery).")
                int fastRecovery,
        @Key(name = "rai", quantity = RATE, min = "1kbps", max = "400Gbps", absent = "5Mbps")
                @Says("R_AI: the growth of the target in each cycle after fast recovery.")
                long additiveBps,
        @Key(name = "rhai", quantity = RATE, min = "1kbps", max = "400Gbps", absent = "50Mbps")
                @Says(
                        "R_HAI: the same in hyper increase, once per cycle that both counter and"
                                + " timer have had after fast recovery.")
                long hyperBps,
        @Key(quantity = RATE, min = "1kbps", max = "400Gbps", absent = "10Mbps")
                @Says("Minimum rate after feedback.")
                long leastRateBps) {}
