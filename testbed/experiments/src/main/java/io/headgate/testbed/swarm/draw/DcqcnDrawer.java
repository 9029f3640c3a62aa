package io.headgate.testbed.swarm.draw;

import io.headgate.config.Mechanisms;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.congestion.Red;
import io.headgate.dataplane.congestion.RedConfig;
import io.headgate.hostagent.rate.Dcqcn;
import io.headgate.hostagent.rate.DcqcnConfig;
import io.headgate.testbed.traffic.frame.FrameShape;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Draws whether some of the flows that follow no fair rate obey congestion notifications (DCQCN),
 * and how. Ports without marking get it.
 */
final class DcqcnDrawer {
    static final String NAME = "dcqcn";

    private static final long SHORTEST_NS = 1_000;
    private static final long LEAST_BPS = 1_000;

    private final Draw draw;
    private final long rateBps;
    private final long frameNs;
    private final int frameBytes;
    private final boolean isDrawn;

    DcqcnDrawer(long seed, long rateBps, long frameNs, int frameBytes) {
        this.draw = new Draw(seed, NAME);
        this.rateBps = rateBps;
        this.frameNs = frameNs;
        this.frameBytes = frameBytes;
        this.isDrawn = draw.chance(0.35);
    }

    boolean isDrawn() {
        return isDrawn;
    }

    /** Returns the settings of ports, unchanged or with marking. */
    PortSettings on(PortSettings plain) {
        long kminBytes = Math.max(1000, draw.magnitude(1, 4L * frameBytes));
        RedConfig red =
                new RedConfig(
                        kminBytes,
                        kminBytes + draw.between(0, 4 * kminBytes),
                        draw.probability(1),
                        1,
                        IntStream.range(0, TrafficConfig.PRIORITIES).boxed().toList());
        boolean marks = plain.mechanisms().get(RedConfig.class) != null;
        return isDrawn && !marks ? plain.with(new Red().use(red)) : plain;
    }

    /** Returns the drawn flows; many of them react to marks and can be marked. */
    List<Stream> notified(List<Stream> streams) {
        if (!isDrawn) {
            return streams;
        }
        Mechanisms.Use control = new Dcqcn().use(config());
        return streams.stream()
                .map(stream ->
                        draw.chance(0.8) ? stream.controlled(control, FrameShape.ECT_0) : stream)
                .toList();
    }

    private DcqcnConfig config() {
        long intervalNs = draw.magnitude(SHORTEST_NS, SHORTEST_NS + 100 * frameNs);
        return new DcqcnConfig(
                DcqcnConfig.Parameters.PUBLISHED,
                0.001 + draw.probability(0.9),
                0.01 + draw.probability(0.9),
                draw.oneOf(List.of(DcqcnConfig.Notify.values())),
                intervalNs,
                draw.chance(0.5) ? 0 : draw.magnitude(SHORTEST_NS, 4 * intervalNs),
                draw.oneOf(List.of(DcqcnConfig.Target.values())),
                draw.magnitude(intervalNs, 4 * intervalNs),
                draw.magnitude(intervalNs, 4 * intervalNs),
                draw.magnitude(1_000, 100L * frameBytes),
                draw.between(1, 6),
                Math.max(LEAST_BPS, rateBps / draw.magnitude(10, 10_000)),
                draw.oneOf(List.of(DcqcnConfig.Hyper.values())),
                Math.max(LEAST_BPS, rateBps / draw.magnitude(10, 1_000)),
                draw.oneOf(DcqcnConfig.HyperSteps.GROWING, DcqcnConfig.HyperSteps.EQUAL),
                Math.max(LEAST_BPS, rateBps / draw.magnitude(1, 10_000)));
    }
}
