package io.headgate.hostagent.rate;

import static io.headgate.config.key.Quantity.RATE;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;

/** The value of a rate that never changes. */
@Named(says = "Each flow sends at a fixed rate, without congestion control.")
public record FixedConfig(
        @Key(quantity = RATE, min = "100kbps", max = "400Gbps", example = "1Mbps")
                @Says(
                        "The rate of each flow; includes preamble and inter-frame gap like a real"
                                + " line.")
                long rateBps) {}
