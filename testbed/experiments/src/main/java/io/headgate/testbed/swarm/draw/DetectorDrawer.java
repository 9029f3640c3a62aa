package io.headgate.testbed.swarm.draw;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.congestion.Fecn;
import io.headgate.dataplane.congestion.FecnConfig;
import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.congestion.Tcd;
import io.headgate.dataplane.congestion.TcdConfig;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Draws whether ports have detectors that distinguish congestion from being stopped: TCD, or
 * InfiniBand's rule by credits.
 */
final class DetectorDrawer {
    static final String NAME = "detectors";

    private final Draw draw;
    private final Topology topology;
    private final long frameNs;
    private final int frameBytes;
    private boolean watches;

    DetectorDrawer(long seed, Topology topology, long frameNs) {
        this.draw = new Draw(seed, NAME);
        this.topology = topology;
        this.frameNs = frameNs;
        this.frameBytes = topology.sizes().mtuBytes();
    }

    /** Returns the settings of ports, unchanged or with detectors. */
    PortSettings on(PortSettings plain) {
        PortSettings settings = plain;
        if (draw.chance(0.4)) {
            settings = settings.with(new Tcd().use(tcd()));
            watches = true;
        }
        boolean byCredits = draw.chance(0.6);
        FecnConfig fecn = fecn();
        // InfiniBand's rule is refused on a port without credits.
        if (byCredits && LinkNames.of(topology).stream().allMatch(n -> isCredited(plain, n))) {
            settings = settings.with(new Fecn().use(fecn));
            watches = true;
        }
        return settings;
    }

    private static boolean isCredited(PortSettings settings, String link) {
        return settings.modeOf(link) == Mode.CREDITS;
    }

    private TcdConfig tcd() {
        long kminBytes = Math.max(1000, draw.magnitude(1, 50L * frameBytes));
        return new TcdConfig(
                kminBytes,
                kminBytes + draw.between(0, 2 * kminBytes),
                draw.chance(0.5) ? 1 : draw.probability(1),
                draw.between(0, 4 * frameBytes),
                0.05,
                draw.between(0, 4 * frameNs),
                draw.magnitude(1 + frameNs / 2, 400 * frameNs),
                draw.oneOf(List.of(TcdConfig.Trend.values())),
                field(),
                priorities());
    }

    private FecnConfig fecn() {
        return new FecnConfig(
                Math.max(1000, draw.magnitude(1, 50L * frameBytes)),
                draw.chance(0.3),
                field(),
                priorities());
    }

    private Mark.Field field() {
        return draw.oneOf(Mark.Field.ECN, Mark.Field.ECN, Mark.Field.BOTH, Mark.Field.BTH);
    }

    private List<Integer> priorities() {
        return draw.chance(0.7)
                ? IntStream.range(0, TrafficConfig.PRIORITIES).boxed().toList()
                : List.of(draw.between(0, TrafficConfig.PRIORITIES - 1));
    }

    /** Returns the drawn flows; with detectors most can be marked, many with either mark. */
    List<Stream> capable(List<Stream> streams) {
        return watches
                ? streams.stream()
                        .map(stream ->
                                draw.chance(0.8)
                                        ? stream.withEcn(
                                                draw.chance(0.7)
                                                        ? FrameShape.ECT_1
                                                        : FrameShape.ECT_0)
                                        : stream)
                        .toList()
                : streams;
    }
}
