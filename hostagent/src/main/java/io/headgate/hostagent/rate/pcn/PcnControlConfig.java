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
                "A congested flow gets the rate at which it arrives at its receiver, and returns"
                        + " with growing steps to the line rate when it is not congested (PCN, NSDI"
                        + " 2020). Ports mark with congestion: {pcn: {}}.")
public record PcnControlConfig(
        @Key(quantity = DURATION, min = "1us", max = "1s", absent = "50us")
                @Says(
                        "T: the period in which the receiver counts frames; after each period"
                                + " without a notification the rate grows.")
                long periodNs,
        @Key(min = "0.01", max = "1", absent = "0.95")
                @Says(
                        "A flow is congested if at least this share of its frames in a period is"
                                + " marked.")
                double marked,
        @Key(name = "w-min", min = "0.0001", max = "1", absent = "0.0078125")
                @Says(
                        "w_min: the share by which the rate is set below the arrival rate, and the"
                                + " first weight of the line rate in an increase.")
                double leastWeight,
        @Key(name = "w-max", min = "0.0001", max = "1", absent = "0.5")
                @Says("w_max: the largest weight of the line rate.")
                double mostWeight,
        @Key(quantity = RATE, min = "1kbps", max = "400Gbps", absent = "10Mbps")
                @Says("Minimum rate after a notification.")
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
