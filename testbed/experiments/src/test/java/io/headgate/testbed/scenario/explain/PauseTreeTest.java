package io.headgate.testbed.scenario.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Trees of pauses in networks with a great many ways, and with circles. */
class PauseTreeTest {
    private static final int PRIORITY = 3;

    /** Every queue between switches is stopped, and holds frames for all that its switch has. */
    private record AllStopped(NetworkPlan plan) implements PauseTree.Queues {
        @Override
        public boolean isStopped(LinkPlan.End queue, int priority) {
            return !plan.peer(queue).isHost();
        }

        @Override
        public Map<String, Long> waiting(LinkPlan.End queue, int priority) {
            return Map.of("a", 1_000L);
        }

        @Override
        public Map<LinkPlan.End, Map<String, Long>> heldFrom(LinkPlan.End port, int priority) {
            Map<LinkPlan.End, Map<String, Long>> held = new HashMap<>();
            int ports = plan.switches().get(port.node()).ports().size();
            for (int out = 0; out < ports; out++) {
                if (out != port.port()) {
                    held.put(new LinkPlan.End(false, port.node(), out), waiting(port, priority));
                }
            }
            return held;
        }
    }

    private static int size(PauseTree tree) {
        return 1 + tree.behind().stream().mapToInt(PauseTreeTest::size).sum();
    }

    private static long count(PauseTree tree, PauseTree.Kind kind) {
        return (tree.kind() == kind ? 1 : 0)
                + tree.behind().stream().mapToLong(one -> count(one, kind)).sum();
    }

    @Test
    @Timeout(120)
    void eachQueueIsFollowedOnceThoughWaysAndCirclesAreMany() {
        int switches = 12;
        LinkSpec link = LinkSpec.of(10_000_000_000L, 1_000);
        Topology.Builder net = Topology.builder("mesh");
        for (int node = 1; node <= switches; node++) {
            net.switchNode("s" + node);
            net.host("h" + node, "s" + node, link);
            for (int other = 1; other < node; other++) {
                net.link("s" + other, "s" + node, link);
            }
        }
        NetworkPlan plan = NetworkPlan.of(net.build(), PlanOptions.virtual(1));
        LinkPlan.End queue = plan.end("s1:p2");
        assertThat(queue).isNotNull();
        PauseTree tree = PauseTree.of(new AllStopped(plan), queue, PRIORITY);
        int queues = switches * (switches - 1);
        assertThat(count(tree, PauseTree.Kind.PAUSED)).isEqualTo(queues);
        assertThat(size(tree)).isLessThanOrEqualTo(1 + queues * switches);
        assertThat(count(tree, PauseTree.Kind.CIRCLE)).isPositive();
        assertThat(tree.roots()).hasSize(switches);
        assertThat(tree.toText())
                .contains("waits for itself", "for the reason that is shown at its other place");
    }
}
