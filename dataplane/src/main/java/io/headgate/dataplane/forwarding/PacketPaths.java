package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.random.NamedRandom;
import java.lang.foreign.MemorySegment;

/**
 * Every packet takes a path of its own, at random: random packet spraying (Dixit et al., "On the
 * impact of packet spraying in data center networks", INFOCOM 2013). Flows arrive reordered.
 */
final class PacketPaths extends PathChoice {
    private final NamedRandom random;

    PacketPaths(NamedRandom random) {
        this.random = random;
    }

    @Override
    int choose(long nowNs, Frame frame, MemorySegment region, int hops) {
        return spread((int) (random.nextLong() >>> 32), hops);
    }
}
