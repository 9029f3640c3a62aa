package io.headgate.testbed.swarm.draw;

import io.headgate.config.Mechanisms;
import io.headgate.dataplane.deadlockbreaker.DeadlockBreaker;
import io.headgate.dataplane.deadlockbreaker.DeadlockBreakerConfig;
import io.headgate.dataplane.loopbreaker.LoopBreaker;
import io.headgate.dataplane.loopbreaker.LoopBreakerConfig;
import io.headgate.testbed.topology.Topology;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Draws Loop Breaker or Deadlock Breaker for switches without Escape: for all of them, or for some
 * with neighbours that do not know it.
 */
final class BreakerDrawer {
    static final String NAME = "breakers";

    private static final long LEAST_DETECTION_NS = 1000;

    private final Draw draw;
    private final Topology topology;
    private final long frameNs;

    BreakerDrawer(long seed, Topology topology, long frameNs) {
        this.draw = new Draw(seed, NAME);
        this.topology = topology;
        this.frameNs = frameNs;
    }

    /** Returns the settings, sometimes with a breaker if no detour is drawn. */
    PortSettings on(PortSettings plain) {
        if (!draw.chance(0.3) || !plain.detours().isNone()) {
            return plain;
        }
        boolean isMoving = draw.chance(0.5);
        boolean isMixed = draw.chance(0.25);
        Map<String, Mechanisms.Use> switches = new TreeMap<>();
        for (Topology.Switch node : topology.switches()) {
            Mechanisms.Use drawn = use(isMoving);
            if (!isMixed || draw.chance(0.6)) {
                switches.put(node.name(), drawn);
            }
        }
        return plain.with(new DetourSettings(switches, Set.of()));
    }

    private Mechanisms.Use use(boolean isMoving) {
        long leastNs = Math.max(LEAST_DETECTION_NS, 4 * frameNs);
        long detectionNs = draw.magnitude(leastNs, leastNs + 400 * frameNs);
        int slots = draw.oneOf(1, 1, 2, 4);
        Mechanisms.Use use =
                isMoving
                        ? new DeadlockBreaker().use(new DeadlockBreakerConfig(detectionNs, slots))
                        : new LoopBreaker().use(new LoopBreakerConfig(detectionNs));
        return use.enabled(draw.chance(0.95));
    }
}
