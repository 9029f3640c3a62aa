package io.headgate.testbed.swarm.draw;

import io.headgate.config.Mechanisms;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.congestion.Red;
import io.headgate.dataplane.congestion.RedConfig;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Draws whether ports mark frames by queue length, with which settings, and which flows can be
 * marked.
 */
final class MarkingDrawer {
    static final String NAME = "red";

    private final Draw draw;
    private final int frameBytes;

    MarkingDrawer(long seed, Topology topology) {
        this.draw = new Draw(seed, NAME);
        this.frameBytes = topology.sizes().mtuBytes();
    }

    Mechanisms mechanisms() {
        if (!draw.chance(0.4)) {
            return Mechanisms.NONE;
        }
        long kminBytes = Math.max(1000, draw.magnitude(1, 50L * frameBytes));
        RedConfig red =
                new RedConfig(
                        kminBytes,
                        kminBytes + draw.between(0, 4 * kminBytes),
                        draw.probability(1),
                        draw.chance(0.6) ? 1 : Math.max(0.0001, draw.probability(0.1)),
                        draw.chance(0.5)
                                ? IntStream.range(0, TrafficConfig.PRIORITIES).boxed().toList()
                                : List.of(draw.between(0, TrafficConfig.PRIORITIES - 1)));
        return Mechanisms.NONE.with(new Red().use(red));
    }

    /** Returns the drawn flows; with marking mechanisms most use an ECN-capable transport. */
    List<Stream> capable(List<Stream> streams, Mechanisms mechanisms) {
        return mechanisms.uses().isEmpty()
                ? streams
                : streams.stream()
                        .map(stream -> draw.chance(0.8) ? stream.withEcn(FrameShape.ECT_0) : stream)
                        .toList();
    }
}
