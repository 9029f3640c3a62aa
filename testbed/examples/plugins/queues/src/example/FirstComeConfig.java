package example;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;

/** How much all queues of a port hold together. */
@Named(
        value = "first-come",
        says =
                "Frames of all priorities share one buffer and leave in the order in which they came.")
public record FirstComeConfig(
        @Key(quantity = Quantity.SIZE, min = "10kB", max = "1GB", absent = "100kB")
                @Says(
                        "Frames of lossy priorities are dropped while the port's queues hold this or more.")
                long limitBytes) {}
