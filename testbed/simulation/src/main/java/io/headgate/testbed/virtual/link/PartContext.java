package io.headgate.testbed.virtual.link;

import io.headgate.testbed.virtual.time.ReadySet;
import io.headgate.testbed.virtual.time.VirtualClock;
import java.util.List;

/**
 * What a part of a run lends the ends of links at its nodes. One thread at a time uses it.
 *
 * @param clock the part's time
 * @param ready the duties due in this instant, by their numbers in the part
 * @param pools memory for what is in flight
 * @param crossings notify the other ends of directions, in other parts: noted while parts run, each
 *     in its own thread, and run when all of them rest
 */
public record PartContext(
        VirtualClock clock, ReadySet ready, FlightPools pools, List<Runnable> crossings) {}
