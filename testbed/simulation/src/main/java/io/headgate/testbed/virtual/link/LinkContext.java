package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.queue.WireFormat;

/**
 * What a run lends its links.
 *
 * @param first the run's first part, whose clock is right while the run stands still
 * @param standstill where nothing of the whole run is changed by a duty
 * @param log records every frame that starts
 * @param wire what frames occupy in addition to their own bytes
 * @param seed of every generator
 */
public record LinkContext(
        PartContext first, Standstill standstill, WireLog log, WireFormat wire, long seed) {}
