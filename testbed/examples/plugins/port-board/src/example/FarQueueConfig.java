package example;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;

/** Length from which a queue is reported. */
@Named(
        value = "far-queue",
        says = "Marks frames while the queues of the port by which they came are long.")
public record FarQueueConfig(
        @Key(quantity = Quantity.SIZE, min = "1kB", max = "1GB", absent = "30kB")
                @Says("Frames are marked while the port by which they came has more in its queues.")
                long limitBytes) {}
