package example;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;

/** What a priority may hold of its port's shared pool, however little is left of it. */
@Named(
        value = "burst-floor",
        says = "A priority may hold alpha of what is left of the pool, or a burst if that is more.")
public record BurstFloorConfig(
        @Key(quantity = Quantity.SIZE, min = "1kB", max = "100MB", absent = "30kB")
                @Says(
                        "Bytes of the pool, in full frames, that alpha does not keep from a"
                                + " priority.")
                long leastBytes) {}
