package io.headgate.testbed.swarm.draw;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.congestion.Rocc;
import io.headgate.dataplane.congestion.RoccConfig;
import io.headgate.dataplane.congestion.flows.FlowTableKind;
import io.headgate.hostagent.rate.RoccReactionConfig;
import io.headgate.hostagent.rate.RoccReactionMechanism;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws whether ports send sources fair rates (RoCC), with which settings, and which flows follow
 * them.
 */
final class RoccDrawer {
    static final String NAME = "rocc";

    private static final long SHORTEST_NS = 1_000;
    private static final long BPS_PER_KBPS = 1_000;
    private static final long LARGEST_STEP_KBPS = 65_000;

    private final Draw draw;
    private final long rateBps;
    private final long frameNs;
    private final int frameBytes;

    // The drawn configuration; null: no port sends notices.
    private @Nullable RoccConfig config;

    RoccDrawer(long seed, long rateBps, long frameNs, int frameBytes) {
        this.draw = new Draw(seed, NAME);
        this.rateBps = rateBps;
        this.frameNs = frameNs;
        this.frameBytes = frameBytes;
    }

    /**
     * Returns the settings of ports, unchanged or with RoCC where notices do not wait behind data.
     */
    PortSettings on(PortSettings plain) {
        List<Integer> watched = new ArrayList<>();
        for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
            if (!plain.classification().isOfNotices(priority) && draw.chance(0.7)) {
                watched.add(priority);
            }
        }
        if (!draw.chance(0.35) || watched.isEmpty()) {
            return plain;
        }
        long referenceBytes = draw.between(2L, 20L) * frameBytes;
        long middleBytes = referenceBytes + draw.between(0, 2 * referenceBytes);
        long stepKbps = rateBps / draw.magnitude(100, 10_000) / BPS_PER_KBPS;
        long stepBps = Math.min(stepKbps, LARGEST_STEP_KBPS) * BPS_PER_KBPS;
        long leastBps = stepBps * draw.between(1, 20);
        RoccConfig drawn =
                new RoccConfig(
                        referenceBytes,
                        middleBytes,
                        middleBytes + draw.between(0, referenceBytes),
                        0.001 + draw.probability(1),
                        0.001 + draw.probability(3),
                        draw.magnitude(SHORTEST_NS, SHORTEST_NS + 300 * frameNs),
                        stepBps,
                        draw.between(1, frameBytes),
                        leastBps,
                        draw.between(leastBps, rateBps),
                        draw.oneOf(List.of(FlowTableKind.values())),
                        draw.oneOf(1, 4, 64),
                        draw.magnitude(1_000, 100_000),
                        draw.oneOf(1, 10),
                        draw.oneOf(1, 3),
                        draw.oneOf(List.of(RoccConfig.Computes.values())),
                        watched);
        config = drawn;
        return plain.with(new Rocc().use(drawn));
    }

    boolean isDrawn() {
        return config != null;
    }

    /** Returns the drawn flows; many of them follow the fair rate if ports send notices. */
    List<Stream> following(List<Stream> streams) {
        RoccConfig told = config;
        if (told == null) {
            return streams;
        }
        long periodNs = told.periodNs();
        return streams.stream().map(stream -> following(stream, periodNs)).toList();
    }

    private Stream following(Stream stream, long periodNs) {
        RoccReactionConfig reaction =
                new RoccReactionConfig(
                        draw.chance(0.5) ? 0 : draw.magnitude(1, 2 * periodNs),
                        periodNs,
                        draw.magnitude(periodNs, 4 * periodNs));
        return draw.chance(0.8)
                ? stream.controlled(new RoccReactionMechanism().use(reaction), stream.shape().ecn())
                : stream;
    }
}
