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
                "Finds deadlocks by tokens that circulate in the cycle, and moves frames around the"
                        + " cycle until the deadlock ends; no frame is lost.")
public record DeadlockBreakerConfig(
        @Key(quantity = DURATION, min = "1us", max = "60s", absent = "100us")
                @Says(
                        "A search starts at a queue that has been paused for this time, and again"
                                + " after each further such time. It must be longer than a token's"
                                + " way around any loop, and longer than pauses in congestion.")
                long detectionNs,
        @Key(unit = "slots", min = "1", max = "64", absent = "1")
                @Says(
                        "Number of frames per lossless priority that the far end can move to this"
                                + " port.")
                @Fixed("slots are laid out at the start")
                int slots) {}
