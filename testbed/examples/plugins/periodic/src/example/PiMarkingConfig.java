package example;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;

/**
 * The target length of the queue, and how fast the marking probability follows a deviation from it.
 */
@Named(
        value = "pi-marking",
        says = "Marks frames at random, as likely as holds queues at a reference length.")
public record PiMarkingConfig(
        @Key(quantity = Quantity.SIZE, min = "1kB", max = "10MB", absent = "60kB")
                @Says("The length that the marks aim at.")
                long referenceBytes,
        @Key(quantity = Quantity.DURATION, min = "1us", max = "10ms", absent = "10us")
                @Says("So often the queue is looked at.")
                long everyNs,
        @Key(min = "0", max = "1", absent = "0.001")
                @Says("By how much marks get more likely at a queue of twice the reference.")
                double integral,
        @Key(min = "0", max = "1", absent = "0.01")
                @Says("By how much more, where the queue has grown by the reference meanwhile.")
                double proportional) {}
