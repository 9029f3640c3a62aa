package io.headgate.dataplane.lldp;

import static io.headgate.config.key.Quantity.DURATION;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;

/**
 * Configuration of LLDP (IEEE 802.1AB), by which a switch and its neighbours identify each other.
 */
@Named(
        says =
                "Announces each port to its neighbour, and learns who the neighbour is (IEEE"
                        + " 802.1AB, LLDP).")
public record LldpConfig(
        @Key(quantity = DURATION, min = "100ms", max = "3600s", absent = "30s")
                @Says("Interval at which each port announces itself.")
                long intervalNs,
        @Key(unit = "intervals", min = "2", max = "10", absent = "4")
                @Says("Time to live of the announcements, in intervals.")
                int hold) {

    private static final long NS_PER_S = 1_000_000_000L;
    private static final int MOST_SECONDS = 65_535;

    /**
     * Time to live sent to neighbours, in whole seconds: all intervals plus one second (IEEE
     * 802.1AB-2016, 9.2.5.22), so that the last frame may be slightly late.
     */
    public int timeToLiveSeconds() {
        return (int) Math.min(Math.ceilDiv(intervalNs * hold, NS_PER_S) + 1, MOST_SECONDS);
    }
}
