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
@Named(says = "Finds deadlocks by tokens that go round them, and drops frames to end them.")
public record LoopBreakerConfig(
        @Key(quantity = DURATION, min = "1us", max = "60s", absent = "100us")
                @Says(
                        "A queue that has been paused for so long is searched from, and again each"
                                + " time that it has been for as long: longer than the way round"
                                + " any loop, and than pauses of congestion last.")
                long detectionNs) {}
