package io.headgate.perf.virtual;

import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import io.headgate.testbed.traffic.spec.Workloads;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The simulated networks, with their traffic. */
enum NetworkCase {
    INCAST("3:1 incast, 4 hosts, 1 switch", 300_000_000),
    FAT_TREE_128("three-level fat tree, k = 8: 128 hosts, 80 switches", 2_500_000),
    FAT_TREE_1024("three-level fat tree, k = 16: 1,024 hosts, 320 switches", 400_000),
    LEAF_SPINE_90("two-level fat tree: 90 hosts, 6 switches", 8_000_000);

    /** Length of a frame on the wire, with FCS, preamble and gap: 300 ns at 40 Gb/s. */
    static final int WIRE_BYTES = 1500;

    /** Without them, as our links count. */
    static final int FRAME_BYTES = WIRE_BYTES - 24;

    static final int QUEUE_FRAMES = 100;

    private static final long HOST_RATE_BPS = 40_000_000_000L;
    private static final long CORE_RATE_BPS = 100_000_000_000L;
    private static final long DELAY_NS = 1000;
    private static final double FRAME_NS = WIRE_BYTES * 8e9 / HOST_RATE_BPS;
    private static final double LOAD = 0.7;
    private static final int FLOW_FRAMES = 64;

    private final String title;
    private final long durationNs;

    NetworkCase(String title, long durationNs) {
        this.title = title;
        this.durationNs = durationNs;
    }

    /** The case of a word, such as {@code fat-tree-128}. */
    static Optional<NetworkCase> of(String word) {
        for (NetworkCase one : values()) {
            if (one.word().equals(word)) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String title() {
        return title;
    }

    /** What the hosts send, for a person. */
    String traffic() {
        return switch (this) {
            case INCAST -> "three hosts send to the fourth at the rate of their links";
            case FAT_TREE_128, FAT_TREE_1024 ->
                    "flows of 64 frames, Poisson arrivals, any host to any other, 70 % load on the"
                            + " hosts' links";
            case LEAF_SPINE_90 ->
                    "web-search flows, Poisson arrivals, any host to any other, 70 % load on the"
                            + " links between switches";
        };
    }

    long durationNs() {
        return durationNs;
    }

    /** Ports of each switch of its tree; of a single switch twice its hosts. */
    int radix() {
        return switch (this) {
            case INCAST -> 8;
            case FAT_TREE_128 -> 8;
            case FAT_TREE_1024 -> 16;
            case LEAF_SPINE_90 -> throw new IllegalArgumentException("links of two rates");
        };
    }

    Topology topology() {
        LinkSpec access = LinkSpec.of(HOST_RATE_BPS, DELAY_NS);
        Topology topology =
                switch (this) {
                    case INCAST -> Topologies.singleSwitch(4, access);
                    case FAT_TREE_128 -> Topologies.fatTree(radix(), access);
                    case FAT_TREE_1024 -> Topologies.fatTree(radix(), access);
                    case LEAF_SPINE_90 ->
                            Topologies.leafSpine(
                                    3, 3, 30, 2, access, LinkSpec.of(CORE_RATE_BPS, DELAY_NS));
                };
        return topology.withSizes(
                Topology.Sizes.DEFAULT.withQueueLimitBytes((long) QUEUE_FRAMES * FRAME_BYTES));
    }

    /** The flows of a run, by the time of their beginning. */
    List<PlannedFlow> flows(long untilNs, long seed) {
        if (this == INCAST) {
            return List.of(endless(0), endless(1), endless(2));
        }
        int hosts = topology().hosts().size();
        SizeDistribution sizes =
                this == LEAF_SPINE_90
                        ? Workloads.named("websearch_rocc")
                        : SizeDistribution.fixed((long) FLOW_FRAMES * FRAME_BYTES);
        double meanFrames = sizes.meanBytes() / FRAME_BYTES;
        double meanNs = meanFrames * FRAME_NS / hostLoad(hosts);
        List<PlannedFlow> flows = new ArrayList<>();
        for (int host = 0; host < hosts; host++) {
            NamedRandom random = NamedRandom.of(seed, "host " + host, "flows");
            double atNs = random.nextExponential(meanNs);
            while (atNs < untilNs) {
                int other = (host + 1 + random.nextInt(hosts - 1)) % hosts;
                long frames =
                        Math.max(1, Math.round(sizes.sampleBytes(random) / (double) FRAME_BYTES));
                flows.add(new PlannedFlow((long) atNs, host, other, frames));
                atNs += random.nextExponential(meanNs);
            }
        }
        flows.sort(
                Comparator.comparingLong(PlannedFlow::startNs)
                        .thenComparingInt(PlannedFlow::source));
        return flows;
    }

    private static PlannedFlow endless(int host) {
        return new PlannedFlow(0, host, 3, PlannedFlow.ENDLESS);
    }

    /** Load of a host's link. */
    private double hostLoad(int hosts) {
        if (this != LEAF_SPINE_90) {
            return LOAD;
        }
        // 60 of 89 frames that a leaf's 30 hosts send go up, by six links.
        double goesUp = 60.0 / (hosts - 1);
        return LOAD * 6 * CORE_RATE_BPS / (30 * HOST_RATE_BPS * goesUp);
    }
}
