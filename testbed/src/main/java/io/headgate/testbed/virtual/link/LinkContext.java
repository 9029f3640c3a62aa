package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.queue.WireFormat;
import io.headgate.testbed.virtual.time.ReadySet;
import io.headgate.testbed.virtual.time.VirtualClock;

/**
 * What a run lends its links.
 *
 * @param standstill where nothing of the whole run is changed by a duty
 * @param ready the duties due in this instant, by their numbers in the run
 * @param log records every frame that starts
 * @param pools memory for what is in flight
 * @param wire what frames occupy in addition to their own bytes
 * @param seed of every generator
 */
public record LinkContext(
        VirtualClock clock,
        Standstill standstill,
        ReadySet ready,
        WireLog log,
        FlightPools pools,
        WireFormat wire,
        long seed) {}
