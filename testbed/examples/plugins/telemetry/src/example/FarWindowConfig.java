package example;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;

/** Which queue is long. */
@Named(
        value = "far-window",
        says = "A window computed from the queues that acknowledgements report.")
public record FarWindowConfig(
        @Key(quantity = Quantity.SIZE, min = "1kB", max = "1GB", absent = "30kB")
                @Says("The window is halved while a port on the way has more in its queues.")
                long limitBytes) {}
