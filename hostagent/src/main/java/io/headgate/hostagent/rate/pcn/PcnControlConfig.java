package io.headgate.hostagent.rate.pcn;

import static io.headgate.config.key.Quantity.DURATION;
import static io.headgate.config.key.Quantity.RATE;

import io.headgate.config.key.Checked;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Place;
import io.headgate.config.key.Says;

/** The parameters of PCN at hosts; see {@link PcnRate} and {@link PcnNotification}. */
@Named(
        value = "pcn",
        says =
                "A congested flow takes the rate at which it arrives at its receiver, and returns"
                        + " ever faster to the line's while it is not (PCN, NSDI 2020): ports mark with"
                        + " congestion: {pcn: {}}.")
public record PcnControlConfig(
        @Key(quantity = DURATION, min = "1us", max = "1s", absent = "50us")
                @Says(
                        "T: over this the receiver counts, and after it without a notification the"
                                + " rate grows.")
                long periodNs,
        @Key(min = "0.01", max = "1", absent = "0.95")
                @Says("From this share of marked frames in a period on a flow is congested.")
                double marked,
        @Key(name = "w-min", min = "0.0001", max = "1", absent = "0.0078125")
                @Says(
                        "w_min: the share by which the rate is below that of arrival, and the first"
                                + " weight of the line's rate in an increase.")
                double leastWeight,
        @Key(name = "w-max", min = "0.0001", max = "1", absent = "0.5")
                @Says("w_max: to this the weight grows.")
                double mostWeight,
        @Key(quantity = RATE, min = "1kbps", max = "400Gbps", absent = "10Mbps")
                @Says("No notification makes the rate less.")
                long leastRateBps)
        implements Checked {

    @Override
    public void check(Known known, Place place) {
        if (mostWeight < leastWeight) {
            place.child("w-max")
                    .refuse(String.valueOf(mostWeight), "at least w-min, which is " + leastWeight);
        }
    }
}
