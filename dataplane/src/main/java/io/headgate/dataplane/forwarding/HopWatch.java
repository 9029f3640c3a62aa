package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.HopRecords;

/**
 * Sees at a host's card by which ports frames came. Called by the half that receives from the wire,
 * on the worker that has all of the card.
 */
@FunctionalInterface
public interface HopWatch {

    /**
     * A parsed frame has come, and is as it was sent.
     *
     * @param hops what a {@link io.headgate.dataplane.frame.Sink} took off it; valid until the call
     *     returns
     */
    void arrived(long nowNs, Frame frame, HopRecords hops);
}
