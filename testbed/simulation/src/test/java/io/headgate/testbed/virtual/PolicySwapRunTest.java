package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.config.read.SwitchPatch;
import io.headgate.control.policy.PolicyFile;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Another policy every 100 ms at a port whose link is busy nearly all the time, with all policies
 * that are shipped for a port, in virtual time: no frame is lost or overtaken by that.
 */
class PolicySwapRunTest {
    private static final Path POLICIES = Path.of("..", "config", "policies");
    private static final long RATE_BPS = 100_000_000L;
    private static final long SECOND = 1_000_000_000_000L;
    private static final long SWAP = SECOND / 10;
    private static final int WIRE_BYTES = 1538;

    /**
     * Three flows send at the line rate for 2 ms, all at once, and pause for 4.4 ms: 94 to 98 % of
     * the link, as bursts are of 16 or 17 frames, with up to 34 that wait.
     */
    private static final SendPattern BURSTS =
            new SendPattern.OnOff(
                    RATE_BPS, 2_000_000_000L, 4_400_000_000L, false, SendPattern.Lateness.MADE_UP);

    private static final double LOAD = 0.96;

    @Test
    void nothingIsLostOrOvertakenInFourSeconds() throws Exception {
        swap(4);
    }

    @Test
    @Tag("long")
    void nothingIsLostOrOvertakenInAMinute() throws Exception {
        swap(60);
    }

    /** As a list does not note when each came. */
    @Test
    void framesOfAListCountAsHavingComeAtTheSwap() throws Exception {
        long microsecond = SECOND / 1_000_000;
        Topology topology =
                Topologies.singleSwitch(4, LinkSpec.of(100 * RATE_BPS, 1_000))
                        .withMode(SwitchConfig.Mode.ROUTED)
                        .withPorts(
                                PortTrafficReader.read(
                                        "{queues: {policy: {file: tail-drop.oq, slack: length}}}"));
        VirtualRun run = new VirtualRun(RunOptions.of(1));
        VirtualNetwork network =
                VirtualNetwork.in(run, NetworkPlan.of(topology, PlanOptions.virtual(1)));
        SwitchNode node = network.switchNode(0);
        run.addTimer((_, nowPs) -> change(node, nowPs, "p4.rate=10Mbps")).schedule(0);
        Traffic traffic = network.traffic(Traffic.Options.DEFAULT);
        Flow waits =
                traffic.start(
                        FlowSpec.greedy("long", 0, 3, FrameShape.udp(1514))
                                .during(0, 6 * microsecond));
        long start = 100 * microsecond;
        Flow comes =
                traffic.start(
                        FlowSpec.greedy("short", 1, 3, FrameShape.udp(60))
                                .during(start, start + 1));
        // Long frames may wait for 1.5 us from here on; the short one comes within half of that.
        long swap = start + microsecond / 2;
        run.addTimer((_, nowPs) -> change(node, nowPs, "p4.queues.policy.file=deadline.oq"))
                .schedule(swap);
        run.runUntil(swap + 2_000 * microsecond);
        assertThat(waits.statistics().framesSent()).isGreaterThan(3);
        assertThat(comes.statistics().framesReceived())
                .as("behind the one on the wire")
                .isPositive()
                .isEqualTo(comes.statistics().framesSent());
        assertThat(waits.statistics().framesReceived()).isLessThan(3);
    }

    private static void change(SwitchNode node, long nowPs, String assignment) {
        node.change(
                nowPs / 1_000,
                SwitchPatch.apply(node.engine().config(), List.of(assignment)).config());
    }

    private static List<String> policies() throws Exception {
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.list(POLICIES)) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".oq"))
                    .sorted()
                    .forEach(names::add);
        }
        List<String> ofPorts = new ArrayList<>();
        for (String name : names) {
            Policy policy = PolicyFile.read(POLICIES.resolve(name)).policy();
            if (policy.notices().isEmpty()) {
                ofPorts.add(name);
            }
        }
        return ofPorts;
    }

    private static void swap(int seconds) throws Exception {
        List<String> policies = policies();
        assertThat(policies).hasSizeGreaterThan(20);
        Topology topology =
                Topologies.singleSwitch(4, LinkSpec.of(RATE_BPS, 1_000))
                        .withMode(SwitchConfig.Mode.ROUTED)
                        .withPorts(
                                PortTrafficReader.read(
                                        "{classify: {trust: dscp}, queues: {policy: {file:"
                                                + " tail-drop.oq, size-unit: packets}}}"));
        VirtualRun run = new VirtualRun(RunOptions.of(1));
        VirtualNetwork network =
                VirtualNetwork.in(run, NetworkPlan.of(topology, PlanOptions.virtual(1)));
        Traffic traffic = network.traffic(Traffic.Options.DEFAULT);
        List<Flow> flows = new ArrayList<>();
        for (int from = 0; from < 3; from++) {
            int priority = 1 + 3 * from;
            FrameShape shape = FrameShape.udp(1514).withPriority(priority, 8 * priority);
            flows.add(
                    traffic.start(
                            FlowSpec.greedy("f" + from, from, 3, shape)
                                    .during(0, seconds * SECOND)
                                    .withPattern(BURSTS)));
        }
        SwitchNode node = network.switchNode(0);
        int[] swapped = new int[1];
        run.addTimer(
                        (timer, nowPs) -> {
                            String next = policies.get(swapped[0]++ % policies.size());
                            change(node, nowPs, "p4.queues.policy.file=" + next);
                            if (nowPs + SWAP < seconds * SECOND) {
                                timer.schedule(nowPs + SWAP);
                            }
                        })
                .schedule(SWAP);
        run.runUntil(seconds * SECOND);
        assertThat(swapped[0]).isEqualTo(10 * seconds - 1);
        long received = flows.stream().mapToLong(f -> f.statistics().framesReceived()).sum();
        double full = (double) RATE_BPS / 8 / WIRE_BYTES * seconds;
        assertThat(received / full).isCloseTo(LOAD, within(0.025));
        run.runUntil(seconds * SECOND + SECOND);
        for (Flow flow : flows) {
            assertThat(flow.statistics().framesReceived())
                    .isPositive()
                    .isEqualTo(flow.statistics().framesSent());
            assertThat(flow.statistics().framesReordered()).isZero();
        }
        CounterDirectory counters = node.engine().counters();
        assertThat(
                        CounterLookup.sum(
                                counters.entries(),
                                counters::value,
                                "drops",
                                entry -> entry.label().startsWith("drop.")))
                .isZero();
    }
}
