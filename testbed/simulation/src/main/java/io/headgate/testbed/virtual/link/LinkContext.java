package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.queue.WireFormat;
import java.util.function.Consumer;

/**
 * The parts of a run that its links use.
 *
 * @param first the run's first part, whose clock is right while the run stands still
 * @param standstill throws if a duty calls an operation on the whole run, such as "a link is
 *     pulled": if nodes are run one by one, others may be past this time
 * @param log records every frame that starts
 * @param wire bytes that each frame occupies in addition to its own
 * @param seed seed of every generator
 */
public record LinkContext(
        PartContext first, Consumer<String> standstill, WireLog log, WireFormat wire, long seed) {}
