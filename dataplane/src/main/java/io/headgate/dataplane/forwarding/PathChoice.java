package io.headgate.dataplane.forwarding;

import io.headgate.config.RoutedConfig;
import io.headgate.dataplane.frame.FlowHash;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.random.NamedRandom;
import java.lang.foreign.MemorySegment;

/**
 * Chooses one of several equal next hops for a packet. Each ingress half has its own instance; its
 * choices depend only on the switch's seed, the port and the port's packets. A class and not an
 * interface, so that the JIT calls the only loaded subclass directly.
 */
abstract sealed class PathChoice
        permits PathChoice.FlowPaths, FlowletPaths, PathChoice.PacketPaths {
    /**
     * Creates the instance of one ingress half.
     *
     * @param seed the switch's seed
     */
    static PathChoice of(RoutedConfig.Paths config, long seed, int port) {
        NamedRandom random = NamedRandom.of(seed, "p" + port, "paths");
        return switch (config.unit()) {
            case FLOW -> new FlowPaths(seed);
            case FLOWLET -> new FlowletPaths(seed, random, config.gapNs(), config.entries());
            case PACKET -> new PacketPaths(random);
        };
    }

    /** The index of a packet's next hop, from 0, among at least two. */
    abstract int choose(long nowNs, Frame frame, MemorySegment region, int hops);

    /** Maps 32 evenly distributed bits to one of {@code hops} next hops. */
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
