package example;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;

/** Queue lengths between which the far end is asked to send ever slower. */
@Named(
        value = "slow-down",
        says = "Asks the far end for a lower rate, the lower the more a priority holds here.")
public record SlowDownConfig(
        @Key(quantity = Quantity.SIZE, min = "1kB", max = "1GB", absent = "60kB")
                @Says("A priority that holds this asks the far end for half of the line's rate.")
                long fromBytes,
        @Key(quantity = Quantity.SIZE, min = "1kB", max = "1GB", absent = "200kB")
                @Says(
                        "With each half of what is left up to here, it asks for half of the rate before.")
                long toBytes) {}
