package io.headgate.testbed.virtual.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.PortTrafficReader;
import io.headgate.control.pauses.PauseTrace;
import io.headgate.control.pauses.PauseView;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.virtual.RunOptions;
import io.headgate.testbed.virtual.VirtualNetwork;
import io.headgate.testbed.virtual.VirtualRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Pauses of networks in virtual time, followed as {@code headgate explain pause} does. */
class PauseTraceTest {
    private static final long MS = 1_000_000_000;
    private static final long RATE_BPS = 10_000_000_000L;

    /** Before that pauses still spread. */
    private static final long LONG_NS = 5_000_000;

    private static final int PRIORITY = 3;
    private static final FrameShape SHAPE = FrameShape.udp(1514).withPriority(PRIORITY, 26);

    /** A network, and what its switches know. */
    private static final class Network implements PauseTrace.Network {
        final VirtualRun run;
        final NetworkPlan plan;
        final VirtualNetwork network;
        final Map<String, Integer> numbers = new HashMap<>();

        Network(Topology topology, long seed) {
            run = new VirtualRun(RunOptions.of(seed));
            plan =
                    NetworkPlan.of(
                            topology.withPorts(
                                    PortTrafficReader.read(
                                            "{flow-control: pfc, classify: {trust: dscp}, buffers:"
                                                    + " {xoff: 50kB}}")),
                            PlanOptions.virtual(seed));
            network = VirtualNetwork.in(run, plan);
            for (int number = 0; number < plan.switches().size(); number++) {
                numbers.put(plan.switches().get(number).name(), number);
            }
        }

        private Map<String, String> peers(int node) {
            Map<String, String> peers = new HashMap<>();
            for (LinkPlan link : plan.links()) {
                tell(peers, node, link.a(), link.b());
                tell(peers, node, link.b(), link.a());
            }
            return peers;
        }

        private void tell(
                Map<String, String> peers, int node, LinkPlan.End self, LinkPlan.End peer) {
            if (!self.isHost() && self.node() == node) {
                peers.put(
                        "p" + (self.port() + 1),
                        peer.isHost()
                                ? plan.hosts().get(peer.node()).name()
                                : plan.switches().get(peer.node()).name()
                                        + ":p"
                                        + (peer.port() + 1));
            }
        }

        @Override
        public PauseView view(String name) {
            int node = Objects.requireNonNull(numbers.get(name));
            return PauseView.of(network.switchNode(node).engine(), run.clock().ns(), peers(node));
        }

        /** All stopped queues that hold frames, as switch and port. */
        List<String[]> stopped() {
            List<String[]> stopped = new ArrayList<>();
            for (String name : numbers.keySet().stream().sorted().toList()) {
                for (PauseView.Queue queue : view(name).queues()) {
                    if (queue.stoppedNs() > LONG_NS && queue.bytes() > 0) {
                        assertThat(queue.priority()).isEqualTo(PRIORITY);
                        stopped.add(new String[] {name, queue.port()});
                    }
                }
            }
            return stopped;
        }
    }

    /**
     * Switches in a tree, hosts at each of them, and all hosts send to one whose link is so slow
     * that pauses spread to wherever a frame for it comes from; some send to others as well.
     */
    private static Network tree(NamedRandom random, long seed, List<String> root) {
        int switches = 2 + random.nextInt(6);
        Topology.Builder net = Topology.builder("tree");
        List<String> at = new ArrayList<>();
        for (int node = 1; node <= switches; node++) {
            net.switchNode("s" + node);
        }
        int sinkAt = 1 + random.nextInt(switches);
        LinkSpec link = LinkSpec.of(RATE_BPS, 1_000);
        for (int node = 1; node <= switches; node++) {
            int hosts = 1 + random.nextInt(3) + (node == sinkAt ? 1 : 0);
            for (int host = 1; host <= hosts; host++) {
                boolean isSink = node == sinkAt && host == 1;
                String name = isSink ? "sink" : "h" + node + "-" + host;
                net.host(name, "s" + node, isSink ? LinkSpec.of(1_000_000, 1_000) : link);
                at.add(name);
            }
        }
        for (int node = 2; node <= switches; node++) {
            net.link("s" + (1 + random.nextInt(node - 1)), "s" + node, link);
        }
        Network made = new Network(net.build(), seed);
        Traffic traffic = made.network.traffic(Traffic.Options.DEFAULT);
        int sink = at.indexOf("sink");
        for (int host = 0; host < at.size(); host++) {
            if (host == sink) {
                continue;
            }
            traffic.start(FlowSpec.greedy("to-sink-" + host, host, sink, SHAPE));
            int other = random.nextInt(at.size());
            if (other != host && other != sink && random.nextInt(3) == 0) {
                traffic.start(FlowSpec.greedy("next-" + host, host, other, SHAPE));
            }
        }
        LinkPlan.End port =
                made.plan.links().stream()
                        .filter(one -> one.a().isHost() && one.a().node() == sink)
                        .map(LinkPlan::b)
                        .findFirst()
                        .orElseGet(() ->
                                made.plan.links().stream()
                                        .filter(one -> one.b().isHost() && one.b().node() == sink)
                                        .map(LinkPlan::a)
                                        .findFirst()
                                        .orElseThrow());
        root.add("s" + sinkAt + ":p" + (port.port() + 1));
        return made;
    }

    @Test
    void eachStoppedQueueOfAHundredRandomTreesHasTheRightRoot() {
        int followed = 0;
        int longest = 0;
        for (long seed = 1; seed <= 100; seed++) {
            List<String> root = new ArrayList<>();
            Network tree = tree(NamedRandom.of(seed, "pauses", "trees"), seed, root);
            tree.run.runUntil(20 * MS);
            for (String[] queue : tree.stopped()) {
                PauseTrace trace = PauseTrace.follow(tree, queue[0], queue[1], PRIORITY);
                assertThat(trace.root())
                        .as("seed %d: %s", seed, trace.toText())
                        .isEqualTo(PauseTrace.Root.CONGESTED);
                assertThat(trace.steps().getLast().name())
                        .as("seed %d: %s", seed, trace.toText())
                        .isEqualTo(root.getFirst());
                assertThat(trace.sentence()).contains("towards sink is congested");
                followed++;
                longest = Math.max(longest, trace.steps().size());
            }
        }
        assertThat(followed).isGreaterThan(100);
        assertThat(longest).isGreaterThan(3);
    }

    @Test
    void theCycleOfTheRingIsNamedInItsOrder() {
        LinkSpec link = LinkSpec.of(RATE_BPS, 1_000);
        Network ring = new Network(Topologies.ring(3, 1, Topologies.Turn.CLOCKWISE, link, link), 1);
        Traffic traffic = ring.network.traffic(Traffic.Options.DEFAULT);
        for (int host = 0; host < 3; host++) {
            traffic.start(FlowSpec.greedy("f" + host, host, (host + 2) % 3, SHAPE));
        }
        ring.run.runUntil(20 * MS);
        PauseTrace trace = PauseTrace.follow(ring, "s2", "p3", PRIORITY);
        assertThat(trace.root()).isEqualTo(PauseTrace.Root.DEADLOCK);
        assertThat(trace.cycle().stream().map(PauseTrace.Step::name))
                .containsExactly("s2:p3", "s3:p3", "s1:p2");
        assertThat(trace.sentence())
                .startsWith(
                        "deadlock: s2:p3 waits for s3:p3 waits for s1:p2 waits for s2:p3. Each of"
                                + " them waits until the next one sends");
    }

    @Test
    void whatIsNotPausedOrNotKnownIsSaid() {
        Network tree = tree(NamedRandom.of(1, "pauses", "trees"), 1, new ArrayList<>());
        PauseTrace sends = PauseTrace.follow(tree, "s1", "p1", PRIORITY);
        assertThat(sends.root()).isEqualTo(PauseTrace.Root.NOT_PAUSED);
        assertThat(sends.toText())
                .isEqualTo("s1:p1: priority " + PRIORITY + " is not paused, and 0.0 kB wait.\n");
        tree.run.runUntil(20 * MS);
        String[] queue = tree.stopped().getFirst();
        PauseTrace alone =
                PauseTrace.follow(
                        name -> {
                            PauseView view = tree.view(name);
                            return new PauseView(name, view.queues(), view.buffers(), Map.of());
                        },
                        queue[0],
                        queue[1],
                        PRIORITY);
        assertThat(alone.root()).isEqualTo(PauseTrace.Root.UNKNOWN);
        assertThat(alone.sentence()).contains("the far end of").contains("is not known");
        PauseTrace oneAnswers =
                PauseTrace.follow(
                        name -> name.equals(queue[0]) ? tree.view(name) : null,
                        queue[0],
                        queue[1],
                        PRIORITY);
        assertThat(oneAnswers.root()).isEqualTo(PauseTrace.Root.UNKNOWN);
        assertThat(oneAnswers.sentence()).contains("cannot be queried from here");
    }
}
