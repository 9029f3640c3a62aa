package io.headgate.testbed.swarm.draw;

import io.headgate.config.Mechanisms;
import io.headgate.dataplane.escape.Escape;
import io.headgate.dataplane.escape.EscapeConfig;
import io.headgate.testbed.topology.Topology;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Draws which switches have Escape, and its settings: all of them, or some with neighbours that do
 * not know it; and whether their ports to hosts are marked as such.
 */
final class EscapeDrawer {
    static final String NAME = "escape";

    private static final long LEAST_PERIOD_NS = 100;
    private static final long LEAST_RECLAIM_NS = 1000;

    private final Draw draw;
    private final EscapeConfig.Selection selection;
    private final Topology topology;
    private final long frameNs;

    EscapeDrawer(long seed, Topology topology, long frameNs) {
        this.draw = new Draw(seed, NAME);
        this.selection =
                new Draw(seed, "escape selection").chance(0.3)
                        ? EscapeConfig.Selection.WEIGHT
                        : EscapeConfig.Selection.TURN;
        this.topology = topology;
        this.frameNs = frameNs;
    }

    /**
     * Settings with Escape: always in cases that are drawn for blocked flows, sometimes in others.
     */
    PortSettings on(PortSettings plain, boolean always) {
        if (!draw.chance(0.35) && !always) {
            return plain;
        }
        boolean mixed = draw.chance(0.25);
        EscapeConfig.Header header = draw.oneOf(EscapeConfig.Header.TAG, EscapeConfig.Header.ROCE);
        Map<String, Mechanisms.Use> switches = new TreeMap<>();
        for (Topology.Switch node : topology.switches()) {
            Mechanisms.Use drawn = use(header);
            if (!mixed || draw.chance(0.6)) {
                switches.put(node.name(), drawn);
            }
        }
        if (always && switches.isEmpty()) {
            switches.put(topology.switches().getFirst().name(), use(header));
        }
        Set<String> known = new TreeSet<>();
        for (Topology.Host host : topology.hosts()) {
            if (draw.chance(0.6)) {
                known.add(host.name());
            }
        }
        return plain.with(new DetourSettings(switches, known));
    }

    private Mechanisms.Use use(EscapeConfig.Header header) {
        int tokens = draw.oneOf(1, 1, 2, 4, 8);
        // Not shorter: a cyclic wait that nothing can end makes tokens for as long as it is seen.
        long shortestNs = Math.max(LEAST_PERIOD_NS, 4 * frameNs);
        long periodNs = draw.magnitude(shortestNs, shortestNs + 20 * frameNs);
        long leastNs = Math.max(LEAST_RECLAIM_NS, periodNs);
        boolean isOn = draw.chance(0.95);
        EscapeConfig config =
                new EscapeConfig(
                        tokens,
                        draw.chance(0.5) ? tokens : draw.between(1, 64),
                        selection,
                        periodNs,
                        draw.magnitude(leastNs, leastNs + 400 * frameNs),
                        header,
                        EscapeConfig.Peer.SWITCH,
                        1);
        return new Escape().use(config).enabled(isOn);
    }
}
