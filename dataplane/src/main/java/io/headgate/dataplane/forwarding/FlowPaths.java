package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.frame.FlowHash;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;

/** A flow stays on one path: equal-cost multipath by a hash of the 5-tuple (RFC 2992). */
final class FlowPaths extends PathChoice {
    private final long seed;

    FlowPaths(long seed) {
        this.seed = seed;
    }

    @Override
    int choose(long nowNs, Frame frame, MemorySegment region, int hops) {
        return spread(FlowHash.of(region, frame, seed), hops);
    }
}
