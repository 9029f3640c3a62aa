package io.headgate.testbed.virtual.link;

import io.headgate.testbed.virtual.time.ReadySet;
import io.headgate.testbed.virtual.time.VirtualClock;
import java.util.List;

/**
 * The parts of a run part that the link ends at its nodes use. One thread at a time uses it.
 *
 * @param clock the part's time
 * @param ready the duties due in this instant, by their numbers in the part
 * @param pools memory for frames in flight
 * @param crossings notifications to the other ends of directions, in other parts: collected while
 *     the parts run, each in its own thread, and run when all of them rest
 */
public record PartContext(
        VirtualClock clock, ReadySet ready, FlightPools pools, List<Runnable> crossings) {}
