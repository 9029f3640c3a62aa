package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.config.Mechanisms;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.config.read.SwitchPatch;
import io.headgate.control.policy.FabricConfig;
import io.headgate.control.policy.FabricMechanism;
import io.headgate.control.policy.PacketConfig;
import io.headgate.control.policy.PolicyFile;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A switch that a policy lays out, in virtual time. */
class FabricRunTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long MS = 1_000_000_000L;
    private static final int WIRE_BYTES = 1538;
    private static final int FLOODED = 50;
    private static final FrameShape SHAPE = FrameShape.udp(1514).withPriority(3, 26);
    private static final Path LISTINGS = Path.of("..", "config", "policies", "listings");

    private static final String PFC =
            "{flow-control: pfc, lossless: [0, 1, 2, 3, 4, 5, 6, 7], classify: {trust: dscp}, buffers: {xoff: 40kB, xon: 30kB}}";
    private static final String CREDITS =
            "{flow-control: credits, lossless: [0, 1, 2, 3, 4, 5, 6, 7], classify: {trust: dscp},"
                    + " credits: {update: periodic, period: 20us, block-scale: 2, buffer: 100kB,"
                    + " buffer-slots: 100}}";
    private static final String PLAIN = "{classify: {trust: dscp}}";

    private static final class Net {
        final VirtualRun run;
        final Traffic traffic;
        final VirtualNetwork network;
        final List<Flow> flows = new ArrayList<>();

        Net(String ports, int hosts, Path policy, RunOptions options) throws Exception {
            Mechanisms.Use use =
                    new FabricMechanism()
                            .use(
                                    new FabricConfig(
                                            PolicyFile.read(policy),
                                            PacketConfig.standard(PacketConfig.SizeUnit.BYTES),
                                            1));
            Topology topology =
                    Topologies.singleSwitch(hosts, LinkSpec.of(RATE_BPS, 1_000))
                            .withMode(SwitchConfig.Mode.BRIDGE)
                            .withPorts(PortTrafficReader.read(ports));
            PlanOptions plan =
                    PlanOptions.virtual(1)
                            .withAdjust(c -> c.withMechanisms(c.mechanisms().with(use)));
            run = new VirtualRun(options);
            network = VirtualNetwork.in(run, NetworkPlan.of(topology, plan));
            traffic = network.traffic(Traffic.Options.DEFAULT);
        }

        Flow send(int from, int to, int window, long stopPs) {
            Flow flow =
                    traffic.start(
                            FlowSpec.greedy("f" + flows.size(), from, to, SHAPE)
                                    .during(0, stopPs)
                                    .withWindowFrames(window));
            flows.add(flow);
            return flow;
        }

        long dropped() {
            return run.nodes().stream().mapToLong(node -> counted(node, "drop.")).sum();
        }

        long received() {
            return flows.stream().mapToLong(FabricRunTest::received).sum();
        }

        void ends() {
            run.runUntil(run.clock().ps() + 20 * MS);
            long sent = flows.stream().mapToLong(f -> f.statistics().framesSent()).sum();
            // Also copies of the first frames, which go to all ports.
            assertThat(dropped()).isBetween(sent - received(), sent - received() + FLOODED);
            for (Flow flow : flows) {
                assertThat(flow.statistics().framesReordered()).isZero();
            }
        }
    }

    private static long counted(VirtualNode node, String prefix) {
        CounterDirectory counters = node.engine().counters();
        return CounterLookup.sum(
                counters.entries(),
                counters::value,
                prefix + " of " + node,
                entry -> entry.label().startsWith(prefix));
    }

    private static long received(Flow flow) {
        return flow.statistics().framesReceived();
    }

    private static long slots(long ps) {
        return ps / 1_000 * (RATE_BPS / 1_000_000_000L) / 8 / WIRE_BYTES;
    }

    @ParameterizedTest
    @ValueSource(strings = {PFC, CREDITS})
    void aBufferedCrossbarLosesNothingOfLosslessPriorities(String ports) throws Exception {
        Net net =
                new Net(
                        ports,
                        4,
                        Path.of("buffered-crossbar-4.oq"),
                        RunOptions.of(1).withChecking(true));
        for (int from = 0; from < 3; from++) {
            net.send(from, 3, 0, 2 * MS);
        }
        net.run.runUntil(2 * MS);
        long least = net.flows.stream().mapToLong(FabricRunTest::received).min().orElseThrow();
        long most = net.flows.stream().mapToLong(FabricRunTest::received).max().orElseThrow();
        assertThat(most - least).as("in turn").isLessThan(6);
        assertThat(net.received()).isGreaterThan(slots(2 * MS) * 9 / 10);
        net.ends();
        assertThat(net.dropped()).isZero();
    }

    /** h1 sends to h3, whose link has a tenth of the rate, and to h4, whose link is idle. */
    @ParameterizedTest
    @ValueSource(strings = {"buffered-crossbar-4.oq", "virtual-output-4.oq"})
    void noFrameWaitsForAnotherOutputInVirtualOutputQueues(String policy) throws Exception {
        Net net = new Net(PLAIN, 4, Path.of(policy), RunOptions.of(1).withChecking(true));
        SwitchNode node = net.network.switchNode(0);
        SwitchConfig slow =
                SwitchPatch.apply(node.engine().config(), List.of("p3.rate=1Gbps")).config();
        net.run.addTimer((_, _) -> node.change(0, slow)).schedule(0);
        Flow behind = net.send(0, 2, 32, 4 * MS);
        Flow victim = net.send(0, 3, 32, 4 * MS);
        net.run.runUntil(4 * MS);
        assertThat(received(behind)).isBetween(slots(4 * MS) / 10 - 8, slots(4 * MS) / 10 + 1);
        assertThat(received(victim)).isGreaterThan(slots(4 * MS) * 9 / 10 * 9 / 10);
        net.ends();
        assertThat(net.dropped()).isZero();
    }

    /** Two send to one output, each as much as it carries, and a third little to another. */
    @ParameterizedTest
    @CsvSource({"shared-lqd-4.oq, 4", "virtual-output-4.oq, 4", "figure-2.13.oq, 3"})
    void whatIsTooMuchIsDroppedWhereThePolicySays(String name, int hosts) throws Exception {
        Path file = name.startsWith("figure") ? LISTINGS.resolve(name) : Path.of(name);
        Net net = new Net(PLAIN, hosts, file, RunOptions.of(1).withChecking(true));
        net.send(0, 2, 0, 2 * MS);
        net.send(1, 2, 0, 2 * MS);
        Flow other = net.send(2, 1, 4, 2 * MS);
        net.run.runUntil(2 * MS);
        net.ends();
        assertThat(net.dropped()).isCloseTo(slots(2 * MS), within(300L));
        SwitchNode node = net.network.switchNode(0);
        assertThat(counted(node, "fabric.dropped.")).isEqualTo(net.dropped());
        assertThat(counted(node, "fabric.max.")).isPositive();
        assertThat(counted(node, "fabric.current.")).isZero();
        assertThat(received(other)).isEqualTo(other.statistics().framesSent()).isGreaterThan(25);
    }

    @ParameterizedTest
    @ValueSource(strings = {"buffered-crossbar-4.oq", "shared-lqd-4.oq"})
    void aRunIsTheSameWhoeverLooksAndHoweverOftenDutiesAreCalled(String policy) throws Exception {
        long digest = digest(policy, RunOptions.of(3));
        assertThat(digest(policy, RunOptions.of(3))).isEqualTo(digest);
        assertThat(digest(policy, RunOptions.of(3).withChecking(true))).isEqualTo(digest);
        assertThat(digest(policy, RunOptions.of(3).withExtraCallsMeanPs(37_000))).isEqualTo(digest);
        assertThat(digest(policy, RunOptions.of(3).withReadAheadPorts(0))).isEqualTo(digest);
    }

    private static long digest(String policy, RunOptions options) throws Exception {
        Net net = new Net(PLAIN, 4, Path.of(policy), options);
        for (int from = 0; from < 4; from++) {
            for (int to = 0; to < 4; to++) {
                if (from != to) {
                    net.send(from, to, (from + to) % 3 * 10, MS / 4);
                }
            }
        }
        net.run.runUntil(MS / 2);
        return net.run.digest();
    }

    @Test
    void itsQueuesCanBeReadAndItsPortsChanged() throws Exception {
        Net net =
                new Net(
                        PFC,
                        4,
                        Path.of("buffered-crossbar-4.oq"),
                        RunOptions.of(1).withChecking(true));
        SwitchNode node = net.network.switchNode(0);
        SwitchConfig next =
                SwitchPatch.apply(node.engine().config(), List.of("p4.queue-limit=50kB")).config();
        net.run.addTimer((_, _) -> node.change(0, next)).schedule(MS + 1);
        net.send(0, 3, 0, 2 * MS);
        net.send(1, 3, 0, 2 * MS);
        net.run.runUntil(MS);
        assertThat(counted(node, "queue.bytes")).isPositive();
        assertThat(counted(node, "fabric.current.")).isEqualTo(counted(node, "queue.bytes"));
        net.run.runUntil(2 * MS);
        net.ends();
        assertThat(net.dropped()).isZero();
    }
}
