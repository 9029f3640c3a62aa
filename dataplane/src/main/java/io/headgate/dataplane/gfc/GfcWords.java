package io.headgate.dataplane.gfc;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.memory.sync.PublishedWords;

/** Two registers by which the ingress half of a port informs the egress half of the same port. */
final class GfcWords {
    /**
     * Per priority the rate that the far end asks for; last, the time until which the rates hold.
     */
    final PublishedWords asked = new PublishedWords(PRIORITIES + 1);

    static final int UNTIL = PRIORITIES;

    /** Per priority the value for the report to the far end: 0 if the line rate is allowed. */
    final PublishedWords held = new PublishedWords(PRIORITIES);
}
