package io.headgate.testbed.swarm.check;

import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Flow;

/**
 * Whatever notices flows were sent, forged ones among them: no flow stays slower than its host's
 * line for good.
 */
public final class HeldFlows {
    private final CaseNetwork built;

    public HeldFlows(CaseNetwork built) {
        this.built = built;
    }

    /** To be called while flows have more to send. */
    public void check() {
        for (Flow flow : built.traffic().flows()) {
            if (flow.isHeldForGood(lineRateBps(flow.sourceHost()))) {
                throw new BrokenException(
                        flow.group().name() + ": slower than its line, and nothing ends that");
            }
        }
    }

    private long lineRateBps(int host) {
        Topology topology = built.what().topology();
        String name = topology.hosts().get(host).name();
        return topology.links().stream()
                .filter(link -> link.a().equals(name) || link.b().equals(name))
                .mapToLong(link -> link.spec().rateBps())
                .findFirst()
                .orElseThrow();
    }
}
