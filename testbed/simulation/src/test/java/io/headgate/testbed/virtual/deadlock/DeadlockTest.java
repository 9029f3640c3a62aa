package io.headgate.testbed.virtual.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.PortTrafficReader;
import io.headgate.config.read.SwitchPatch;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.flowcontrol.EgressFlowControl;
import io.headgate.dataplane.flowcontrol.PfcWatchdog;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.FlowStatistics;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.virtual.RunOptions;
import io.headgate.testbed.virtual.SwitchNode;
import io.headgate.testbed.virtual.VirtualNetwork;
import io.headgate.testbed.virtual.VirtualNode;
import io.headgate.testbed.virtual.VirtualRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Three switches in a ring, and flows of two hops clockwise: each link is offered twice what it
 * carries, each buffer fills with what the next must take, and at last all wait for one another.
 */
class DeadlockTest {
    private static final long MS = 1_000_000_000L;
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long DELAY_NS = 1_000;
    private static final int PRIORITY = 3;
    private static final String COMMON = "flow-control: pfc, classify: {trust: dscp}";
    private static final String CREDITS =
            "flow-control: credits, classify: {trust: dscp}, credits: {buffer: 50kB, period: 20us,"
                    + " min-gap: 1us}";
    private static final String SMALL = "buffers: {xoff: 50kB}";
    private static final String WATCHDOG =
            ", watchdog: {action: drop, detection: 1ms, restoration: 1ms, poll: 200us}";

    private static final class Ring {
        final VirtualRun run;
        final List<Flow> flows = new ArrayList<>();
        final List<SwitchNode> nodes;
        final DeadlockWatch watch;

        Ring(Topologies.Turn turn, String more, long seed) {
            this(turn, COMMON + ", " + more, COMMON + ", " + SMALL, seed);
        }

        Ring(Topologies.Turn turn, String ports, String cards, long seed) {
            run = new VirtualRun(RunOptions.of(seed));
            LinkSpec link = LinkSpec.of(RATE_BPS, DELAY_NS);
            Topology topology =
                    Topologies.ring(3, 1, turn, link, link)
                            .withPorts(PortTrafficReader.read("{" + ports + "}"));
            VirtualNetwork network =
                    VirtualNetwork.in(
                            run,
                            NetworkPlan.of(topology, PlanOptions.virtual(seed)),
                            // Watchdogs are the switches', so that what is dropped is dropped in
                            // the ring.
                            card ->
                                    card.withWire(
                                            PortTrafficReader.read("{" + cards + "}")
                                                    .at(RATE_BPS, 1500, DELAY_NS, 0)));
            nodes = List.of(network.switchNode(0), network.switchNode(1), network.switchNode(2));
            Traffic traffic = network.traffic(Traffic.Options.DEFAULT);
            FrameShape shape = FrameShape.udp(1514).withPriority(PRIORITY, 26);
            for (int host = 0; host < 3; host++) {
                flows.add(
                        traffic.start(
                                FlowSpec.greedy("f" + host, host, (host + 2) % 3, shape)
                                        .during(0, 20 * MS)));
            }
            watch = DeadlockWatch.every(run, MS / 10);
        }

        long received() {
            return flows.stream().mapToLong(flow -> flow.statistics().framesReceived()).sum();
        }

        /** Frames dropped, by the labels of their counters. */
        Map<String, Long> drops() {
            Map<String, Long> sums = new TreeMap<>();
            for (VirtualNode node : run.nodes()) {
                CounterDirectory counters = node.engine().counters();
                for (Entry entry : counters.entries()) {
                    if (entry.label().startsWith(DropCounters.LABEL_PREFIX)
                            && counters.value(entry) != 0) {
                        sums.merge(entry.label(), counters.value(entry), Long::sum);
                    }
                }
            }
            return sums;
        }
    }

    private static EgressFlowControl flow(SwitchNode node, int port) {
        return Objects.requireNonNull(node.engine().egress(port).flow());
    }

    private static void waitsRoundTheRing(List<StoppedQueue> circle) {
        assertThat(circle.stream().map(StoppedQueue::node)).containsExactly("s1", "s2", "s3");
        assertThat(circle.stream().map(StoppedQueue::priority)).containsOnly(PRIORITY);
    }

    @Test
    void pausesRoundARingDeadlockAndThePortsAreNamedInOrder() {
        Ring ring = new Ring(Topologies.Turn.CLOCKWISE, SMALL, 1);
        ring.run.runUntil(10 * MS);
        long received = ring.received();
        ring.run.runUntil(60 * MS);
        assertThat(ring.received()).as("frames that still arrive").isEqualTo(received);
        assertThat(ring.drops()).isEmpty();
        assertThat(WaitGraph.of(ring.run).circles()).hasSize(1);
        waitsRoundTheRing(WaitGraph.of(ring.run).circles().getFirst());
        assertThat(ring.watch.found()).hasSize(1);
        Deadlock deadlock = ring.watch.found().getFirst();
        assertThat(deadlock.lasts()).isTrue();
        assertThat(deadlock.seenPs()).isLessThan(10 * MS);
        waitsRoundTheRing(deadlock.circle());
        assertThat(deadlock.describe())
                .matches(
                        "deadlock, seen from [0-9.]+ us to the end: s1:p[0-9] priority 3 waits for"
                                + " s2:p[0-9] priority 3 waits for s3:p[0-9] priority 3 waits for"
                                + " s1:p[0-9] priority 3");
        // Each switch alone sees that it is stopped while it stops others, and for how long.
        for (StoppedQueue queue : deadlock.circle()) {
            SwitchNode alone = ring.nodes.get(queue.node().charAt(1) - '1');
            long nowNs = ring.run.clock().ns();
            assertThat(flow(alone, queue.port()).times()).isNotNull();
            long stoppedNs =
                    Objects.requireNonNull(flow(alone, queue.port()).times())
                            .presentNs(PRIORITY, nowNs);
            assertThat(stoppedNs).isGreaterThan(50 * MS / 1000);
            long stopping =
                    IntStream.range(0, alone.engine().config().ports().size())
                            .filter(port -> port != queue.port())
                            .mapToObj(port -> flow(alone, port).sender())
                            .filter(sender ->
                                    sender != null
                                            && sender.toldNs(PRIORITY, nowNs) > 50 * MS / 1000)
                            .count();
            assertThat(stopping).isPositive();
        }
    }

    /**
     * What {@code show flow-control} hints by: a port that is stopped, and others that give no
     * credits.
     */
    @Test
    void creditsRoundARingDeadlockAndEachSwitchCountsForHowLongItIsFull() {
        Ring ring = new Ring(Topologies.Turn.CLOCKWISE, CREDITS, CREDITS, 1);
        ring.run.runUntil(10 * MS);
        long received = ring.received();
        ring.run.runUntil(300 * MS);
        assertThat(ring.received()).as("frames that still arrive").isEqualTo(received);
        assertThat(ring.drops()).isEmpty();
        assertThat(ring.watch.found()).hasSize(1);
        for (StoppedQueue queue : ring.watch.found().getFirst().circle()) {
            SwitchNode alone = ring.nodes.get(queue.node().charAt(1) - '1');
            assertThat(value(alone, "stopped.now.ns.p3", queue.portName()))
                    .isBetween(280_000_000L, 300_000_000L);
            long full =
                    alone.engine().config().ports().stream()
                            .filter(port -> !port.name().equals(queue.portName()))
                            .filter(port ->
                                    value(alone, "credits.full.now.ns.p3", port.name())
                                            > 280_000_000L)
                            .count();
            assertThat(full).isPositive();
        }
    }

    private static long value(SwitchNode node, String label, String port) {
        CounterDirectory counters = node.engine().counters();
        return counters.entries().stream()
                .filter(entry -> entry.label().equals(label) && entry.owner().equals(port))
                .mapToLong(counters::value)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theWatchdogBreaksItAndWhatThatCostsIsNamed() {
        Ring ring = new Ring(Topologies.Turn.CLOCKWISE, SMALL + WATCHDOG, 1);
        ring.run.runUntil(60 * MS);
        assertThat(ring.watch.found()).isNotEmpty().noneMatch(Deadlock::lasts);
        waitsRoundTheRing(ring.watch.found().getFirst().circle());
        assertThat(WaitGraph.of(ring.run).circles()).isEmpty();
        Map<String, Long> drops = ring.drops();
        assertThat(drops.keySet()).containsExactly("drop.WATCHDOG");
        long sent = ring.flows.stream().mapToLong(f -> f.statistics().framesSent()).sum();
        assertThat(ring.received() + drops.getOrDefault("drop.WATCHDOG", 0L)).isEqualTo(sent);
        long storms = 0;
        for (StoppedQueue queue : ring.watch.found().getFirst().circle()) {
            SwitchNode node = ring.nodes.get(queue.node().charAt(1) - '1');
            PfcWatchdog dog = Objects.requireNonNull(flow(node, queue.port()).watchdog());
            assertThat(dog.stormed()).isZero();
            assertThat(dog.restored(PRIORITY)).isEqualTo(dog.detected(PRIORITY));
            storms += dog.detected(PRIORITY);
        }
        assertThat(storms).isPositive();
    }

    /** The port with the highest address finds it, drops, and all moves again; again and again. */
    @Test
    void loopBreakerEndsItAndWhatThatCostsIsNamed() {
        Ring ring = new Ring(Topologies.Turn.CLOCKWISE, SMALL + ", detour: {loop-breaker: {}}", 1);
        ring.run.runUntil(30 * MS);
        assertThat(ring.watch.found()).isNotEmpty().noneMatch(Deadlock::lasts);
        Map<String, Long> drops = ring.drops();
        assertThat(drops.keySet()).containsExactly("drop.DEADLOCK");
        long sent = ring.flows.stream().mapToLong(f -> f.statistics().framesSent()).sum();
        assertThat(ring.received() + drops.getOrDefault("drop.DEADLOCK", 0L)).isEqualTo(sent);
        for (Flow flow : ring.flows) {
            assertThat(flow.statistics().framesReordered()).isZero();
            // It forms again soon after each end, and stands for 0.1 ms: 200 times at most.
            assertThat(flow.statistics().framesReceived()).isGreaterThan(100);
        }
        // One port of the three finds it; the others' searches end there.
        assertThat(portsWith(ring, "loop-breaker.found")).hasSize(1);
        assertThat(portsWith(ring, "loop-breaker.dropped"))
                .isEqualTo(portsWith(ring, "loop-breaker.found"));
    }

    /** The same port sends frames round the loop, and nothing is lost. */
    @Test
    void deadlockBreakerEndsItWithoutLossAndInOrder() {
        Ring ring =
                new Ring(Topologies.Turn.CLOCKWISE, SMALL + ", detour: {deadlock-breaker: {}}", 1);
        ring.run.runUntil(30 * MS);
        // Seen each 0.1 ms, which is as long as it stands; its last end is seen all the same.
        assertThat(ring.watch.found()).noneMatch(Deadlock::lasts);
        assertThat(ring.drops()).isEmpty();
        for (Flow flow : ring.flows) {
            FlowStatistics statistics = flow.statistics();
            assertThat(statistics.framesReceived()).isEqualTo(statistics.framesSent());
            assertThat(statistics.framesReordered()).isZero();
            assertThat(statistics.framesReceived()).isGreaterThan(100);
        }
        assertThat(portsWith(ring, "deadlock-breaker.rounds")).hasSize(1);
        assertThat(portsWith(ring, "deadlock-breaker.moved")).hasSize(3);
        assertThat(portsWith(ring, "deadlock-breaker.unexpected")).isEmpty();
    }

    /** The ports at which a counter is not 0. */
    private static List<String> portsWith(Ring ring, String label) {
        List<String> ports = new ArrayList<>();
        for (SwitchNode node : ring.nodes) {
            for (String port : List.of("p1", "p2", "p3")) {
                if (value(node, label, port) > 0) {
                    ports.add(node + "/" + port);
                }
            }
        }
        return ports;
    }

    /** Frames leave paused queues, each switch goes on, and every flow keeps its order. */
    @Test
    void escapeDissolvesItWithoutLossAndInOrder() {
        Ring ring =
                new Ring(
                        Topologies.Turn.CLOCKWISE,
                        SMALL + ", detour: {escape: {period: 2us, reclaim: 100us}}",
                        1);
        ring.run.runUntil(60 * MS);
        assertThat(ring.watch.found()).noneMatch(Deadlock::lasts);
        assertThat(ring.drops()).isEmpty();
        for (Flow flow : ring.flows) {
            FlowStatistics statistics = flow.statistics();
            assertThat(statistics.framesReceived()).isEqualTo(statistics.framesSent());
            assertThat(statistics.framesReordered()).isZero();
            // Half of what a link carries in 20 ms is 8,130 frames.
            assertThat(statistics.framesReceived()).isGreaterThan(7_800);
        }
        for (SwitchNode node : ring.nodes) {
            long escaped =
                    value(node, "escape.escaped", "p2") + value(node, "escape.escaped", "p3");
            assertThat(escaped).isGreaterThan(500);
            for (String port : List.of("p1", "p2", "p3")) {
                assertThat(value(node, "escape.pool.own", port)).isEqualTo(4);
                assertThat(value(node, "escape.pool.through", port)).isEqualTo(4);
            }
        }
    }

    /** No frame of the flows that could go on comes any more, so they must be known from before. */
    @Test
    void escapeThatIsTurnedOnInADeadlockDissolvesIt() {
        Ring ring =
                new Ring(
                        Topologies.Turn.CLOCKWISE,
                        SMALL + ", detour: {escape: {enabled: false, period: 2us, reclaim: 100us}}",
                        1);
        List<String> on = List.of("p1", "p2", "p3");
        for (SwitchNode node : ring.nodes) {
            ring.run
                    .addTimer((_, nowPs) -> {
                        var config = node.engine().config();
                        List<String> set =
                                on.stream()
                                        .map(port -> port + ".detour.escape.enabled=true")
                                        .toList();
                        node.change(nowPs / 1000, SwitchPatch.apply(config, set).config());
                    })
                    .schedule(10 * MS);
        }
        ring.run.runUntil(9 * MS);
        waitsRoundTheRing(WaitGraph.of(ring.run).circles().getFirst());
        ring.run.runUntil(60 * MS);
        assertThat(ring.watch.found()).isNotEmpty().noneMatch(Deadlock::lasts);
        assertThat(ring.drops()).isEmpty();
        for (Flow flow : ring.flows) {
            FlowStatistics statistics = flow.statistics();
            assertThat(statistics.framesReceived()).isEqualTo(statistics.framesSent());
            assertThat(statistics.framesReordered()).isZero();
            // Half of what a link carries in 10 ms is 4,065 frames.
            assertThat(statistics.framesReceived()).isGreaterThan(3_800);
        }
    }

    @Test
    void theShorterWayRoundDoesNot() {
        Ring ring = new Ring(Topologies.Turn.SHORTEST, SMALL, 1);
        ring.run.runUntil(60 * MS);
        assertThat(ring.watch.found()).isEmpty();
        assertThat(ring.drops()).isEmpty();
        long sent = ring.flows.stream().mapToLong(f -> f.statistics().framesSent()).sum();
        assertThat(ring.received()).isPositive().isEqualTo(sent);
    }

    @Test
    void lookingChangesNothing() {
        Ring one = new Ring(Topologies.Turn.CLOCKWISE, SMALL, 7);
        Ring other = new Ring(Topologies.Turn.CLOCKWISE, SMALL, 7);
        one.run.runUntil(10 * MS);
        for (int look = 1; look <= 100; look++) {
            other.run.runUntil(look * MS / 10);
            WaitGraph.of(other.run);
        }
        assertThat(other.run.digest()).isEqualTo(one.run.digest());
    }
}
