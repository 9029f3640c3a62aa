package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.HopRecords;

/**
 * Observes, at a host's card, the paths (ports) by which frames arrived. Called by the half that
 * receives from the wire, on the worker that runs the whole card.
 */
@FunctionalInterface
public interface HopWatch {

    /**
     * Called for each parsed frame, after added data was removed.
     *
     * @param hops hop records that a {@link io.headgate.dataplane.frame.Sink} removed from it;
     *     valid until the call returns
     */
    void arrived(long nowNs, Frame frame, HopRecords hops);
}
