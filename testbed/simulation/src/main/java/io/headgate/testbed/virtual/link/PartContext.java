package io.headgate.testbed.virtual.link;

import io.headgate.testbed.virtual.time.ReadySet;
import io.headgate.testbed.virtual.time.VirtualClock;

/**
 * What a part of a run lends the ends of links at its nodes. One thread at a time uses it.
 *
 * @param clock the part's time
 * @param ready the duties due in this instant, by their numbers in the part
 * @param pools memory for what is in flight
 * @param crossings the directions whose other end, in another part, must be notified
 */
public record PartContext(
        VirtualClock clock, ReadySet ready, FlightPools pools, Crossings crossings) {}
