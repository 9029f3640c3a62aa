package example;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;

/** How a flow that has slowed down becomes faster again. */
@Named(value = "backoff", says = "Halves a flow's rate at each notice; then it grows step by step.")
public record BackoffConfig(
        @Key(quantity = Quantity.DURATION, min = "1us", max = "100ms", absent = "20us")
                @Says("The rate grows once in this time; a port sends a notice as often.")
                long periodNs,
        @Key(quantity = Quantity.RATE, min = "1kbps", max = "10Gbps", absent = "100Mbps")
                @Says("By how much it grows.")
                long stepBps) {}
