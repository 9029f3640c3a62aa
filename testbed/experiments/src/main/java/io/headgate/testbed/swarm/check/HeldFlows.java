package io.headgate.testbed.swarm.check;

import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.traffic.Flow;
import java.util.List;

/**
 * Checks that no flow stays slower than its host's line forever, whichever notices it received,
 * forged ones included.
 */
public record HeldFlows(CaseNetwork built) {
    /** Call it while flows have more to send. */
    public void check() {
        List<HostPlan> hosts = built.network().plan().hosts();
        for (Flow flow : built.traffic().flows()) {
            if (flow.isHeldForGood(hosts.get(flow.sourceHost()).rateBps())) {
                throw new BrokenException(
                        flow.group().name()
                                + ": sends more slowly than its line, and nothing will end that");
            }
        }
    }
}
