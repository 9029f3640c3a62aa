package example;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;

/** How often a port makes a token, and where a switch has it leave. */
@Named(value = "token", says = "Sends tokens, and forwards those that come by another port.")
public record TokenConfig(
        @Key(quantity = Quantity.DURATION, min = "1us", max = "1s", absent = "100us")
                @Says("So often a port sends a token to the far end of its link.")
                long everyNs,
        @Key(min = "0", max = "255", absent = "0")
                @Says("The port, counted from 0, by which a switch forwards tokens that come.")
                int to) {}
