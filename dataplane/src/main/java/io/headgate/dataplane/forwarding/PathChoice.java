package io.headgate.dataplane.forwarding;

import io.headgate.config.RoutedConfig;
import io.headgate.dataplane.frame.FlowHash;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.random.NamedRandom;
import java.lang.foreign.MemorySegment;

/**
 * Which of several equal next hops a packet takes. Each ingress half has its own, whose choices
 * follow from the switch's seed, the port and the packets that came by it. A class and not an
 * interface, so that the compiler calls the only one that is loaded directly.
 */
abstract sealed class PathChoice
        permits PathChoice.FlowPaths, FlowletPaths, PathChoice.PacketPaths {
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

    /** A flow stays on one path: equal-cost multipath by a hash of the 5-tuple (RFC 2992). */
    private static final class FlowPaths extends PathChoice {
        private final long seed;

        FlowPaths(long seed) {
            this.seed = seed;
        }

        @Override
        int choose(long nowNs, Frame frame, MemorySegment region, int hops) {
            return spread(FlowHash.of(region, frame, seed), hops);
        }
    }

    /**
     * Every packet takes a path of its own, at random: random packet spraying (Dixit et al., "On
     * the impact of packet spraying in data center networks", INFOCOM 2013). Flows arrive
     * reordered.
     */
    private static final class PacketPaths extends PathChoice {
        private final NamedRandom random;

        PacketPaths(NamedRandom random) {
            this.random = random;
        }

        @Override
        int choose(long nowNs, Frame frame, MemorySegment region, int hops) {
            return spread((int) (random.nextLong() >>> 32), hops);
        }
    }
}
