package io.headgate.dataplane.loopbreaker;

import static io.headgate.config.key.Quantity.DURATION;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;

/**
 * Configuration of Loop Breaker at a port.
 *
 * @param detectionNs T<sub>det</sub>, which neither paper gives: far longer than a pause in healthy
 *     congestion
 */
@Named(
        says =
                "Finds deadlocks by tokens that circulate in the cycle, and drops frames to end"
                        + " them.")
public record LoopBreakerConfig(
        @Key(quantity = DURATION, min = "1us", max = "60s", absent = "100us")
                @Says(
                        "A search starts at a queue that has been paused for this time, and again"
                                + " after each further such time. It must be longer than a token's"
                                + " way around any loop, and longer than pauses in congestion.")
                long detectionNs) {}
