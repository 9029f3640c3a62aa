package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.queue.WireFormat;
import java.util.function.Consumer;

/**
 * What a run lends its links.
 *
 * @param first the run's first part, whose clock is right while the run stands still
 * @param standstill refuses to a duty what is done to the whole run, such as "a link is pulled":
 *     where nodes are run one by one, others may be past this time
 * @param log records every frame that starts
 * @param wire what frames occupy in addition to their own bytes
 * @param seed of every generator
 */
public record LinkContext(
        PartContext first, Consumer<String> standstill, WireLog log, WireFormat wire, long seed) {}
