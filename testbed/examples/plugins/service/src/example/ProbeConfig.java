package example;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;

/** How often a switch asks at its ports. */
@Named(
        value = "probe",
        says = "Asks at each port whether a neighbour answers, and answers neighbours.")
public record ProbeConfig(
        @Key(quantity = Quantity.DURATION, min = "10us", max = "3600s", absent = "1s")
                @Says("So often each port asks whether its neighbour answers.")
                long everyNs) {}
