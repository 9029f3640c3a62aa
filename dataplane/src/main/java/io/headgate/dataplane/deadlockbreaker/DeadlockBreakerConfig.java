package io.headgate.dataplane.deadlockbreaker;

import static io.headgate.config.key.Quantity.DURATION;

import io.headgate.config.key.Fixed;
import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;

/**
 * Configuration of Deadlock Breaker at a port.
 *
 * @param detectionNs T<sub>det</sub>, which neither paper gives: far longer than a pause in healthy
 *     congestion
 * @param slots extra buffer, whose size neither paper gives: one frame is enough for a round
 */
@Named(
        says =
                "Finds deadlocks by tokens that go round them, and moves frames round them until"
                        + " they end; nothing is lost.")
public record DeadlockBreakerConfig(
        @Key(quantity = DURATION, min = "1us", max = "60s", absent = "100us")
                @Says(
                        "A queue that has been paused for so long is searched from, and again each"
                                + " time that it has been for as long: longer than the way round"
                                + " any loop, and than pauses of congestion last.")
                long detectionNs,
        @Key(unit = "slots", min = "1", max = "64", absent = "1")
                @Says(
                        "Room for frames of each lossless priority that are moved to this port from"
                                + " the far end.")
                @Fixed("slots are laid out at the start")
                int slots) {}
