package io.headgate.dataplane.gfc;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.memory.sync.PublishedWords;

/** What the ingress half of a port tells the egress half of the same port, in two registers. */
final class GfcWords {
    /** By priority, the rate that the far end asks for; then the time until which that holds. */
    final PublishedWords asked = new PublishedWords(PRIORITIES + 1);

    static final int UNTIL = PRIORITIES;

    /** By priority, what the far end must know: 0 where the line's rate will do. */
    final PublishedWords held = new PublishedWords(PRIORITIES);
}
