package io.headgate.dataplane.forwarding;

import io.headgate.config.RoutedConfig;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.random.NamedRandom;
import java.lang.foreign.MemorySegment;

/**
 * Which of several equal next hops a packet takes. Each ingress half has its own, whose choices
 * follow from the switch's seed, the port and the packets that came by it. A class and not an
 * interface, so that the compiler calls the only one that is loaded directly.
 */
abstract sealed class PathChoice permits FlowPaths, FlowletPaths, PacketPaths {
    /**
     * The choice of one ingress half.
     *
     * @param seed the switch's
     */
    static PathChoice of(RoutedConfig.Paths config, long seed, int port) {
        NamedRandom random = NamedRandom.of(seed, "p" + port, "paths");
        return switch (config.unit()) {
            case FLOW -> new FlowPaths(seed);
            case FLOWLET -> new FlowletPaths(seed, random, config.gapNs(), config.entries());
            case PACKET -> new PacketPaths(random);
        };
    }

    /** The next hop of a packet, counted from 0, of at least two. */
    abstract int choose(long nowNs, Frame frame, MemorySegment region, int hops);

    /** Spreads 32 even bits over that many next hops. */
    static int spread(int bits, int hops) {
        return (int) (((bits & 0xFFFF_FFFFL) * hops) >>> 32);
    }
}
