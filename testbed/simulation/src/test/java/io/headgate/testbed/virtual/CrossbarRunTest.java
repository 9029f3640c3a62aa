package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.Mechanisms;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.config.read.SwitchPatch;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.dataplane.domain.CrossbarConfig;
import io.headgate.dataplane.domain.CrossbarConfig.InputQueues;
import io.headgate.dataplane.domain.CrossbarMechanism;
import io.headgate.dataplane.engine.DomainDuty;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A switch whose egress is a crossbar, in virtual time. */
class CrossbarRunTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long MS = 1_000_000_000L;
    private static final int WIRE_BYTES = 1538;
    private static final FrameShape SHAPE = FrameShape.udp(1514).withPriority(3, 26);
    private static final int WINDOW = 64;

    private static final String PFC =
            "{flow-control: pfc, classify: {trust: dscp}, buffers: {xoff: 40kB, xon: 30kB}}";
    private static final String CREDITS =
            "{flow-control: credits, classify: {trust: dscp},"
                    + " credits: {update: periodic, period: 20us, block-scale: 2, buffer: 100kB,"
                    + " buffer-slots: 100}}";
    private static final String PLAIN = "{classify: {trust: dscp}}";

    private static final class Net {
        final VirtualRun run;
        final Traffic traffic;
        final VirtualNetwork network;
        final List<Flow> flows = new ArrayList<>();

        /** With {@code inputQueues}; null: each port has queues of its own. */
        Net(String ports, int hosts, @Nullable InputQueues inputQueues, RunOptions options) {
            Topology topology =
                    Topologies.singleSwitch(hosts, LinkSpec.of(RATE_BPS, 1_000))
                            .withMode(SwitchConfig.Mode.BRIDGE)
                            .withPorts(PortTrafficReader.read(ports));
            PlanOptions plan = PlanOptions.virtual(1);
            if (inputQueues != null) {
                Mechanisms.Use use =
                        new CrossbarMechanism().use(new CrossbarConfig(inputQueues, 1));
                plan =
                        plan.withAdjust(
                                config -> config.withMechanisms(config.mechanisms().with(use)));
            }
            run = new VirtualRun(options);
            network = VirtualNetwork.in(run, NetworkPlan.of(topology, plan));
            traffic = network.traffic(Traffic.Options.DEFAULT);
        }

        Flow send(int from, int to, int window, long stopPs) {
            FlowSpec spec =
                    FlowSpec.greedy("f" + flows.size(), from, to, SHAPE)
                            .during(0, stopPs)
                            .withWindowFrames(window);
            Flow flow = traffic.start(spec);
            flows.add(flow);
            return flow;
        }

        long dropped() {
            long sum = 0;
            for (VirtualNode node : run.nodes()) {
                CounterDirectory counters = node.engine().counters();
                sum +=
                        CounterLookup.sum(
                                counters.entries(),
                                counters::value,
                                "drops of " + node,
                                entry -> entry.label().startsWith("drop."));
            }
            return sum;
        }

        void atRest() {
            run.runUntil(run.clock().ps() + 20 * MS);
            assertThat(dropped()).isZero();
            for (Flow flow : flows) {
                assertThat(flow.statistics().framesReceived())
                        .isPositive()
                        .isEqualTo(flow.statistics().framesSent());
                assertThat(flow.statistics().framesReordered()).isZero();
            }
        }
    }

    private static long received(Flow flow) {
        return flow.statistics().framesReceived();
    }

    /**
     * h1 and h2 send to h3, whose link has a tenth of the rate, and h1 to h4, whose link is idle.
     */
    @ParameterizedTest
    @EnumSource(InputQueues.class)
    void aFrameToAnIdlePortWaitsBehindOthersInFifoQueuesOnly(InputQueues inputQueues) {
        Net net = new Net(PLAIN, 4, inputQueues, RunOptions.of(1).withChecking(true));
        SwitchNode node = net.network.switchNode(0);
        SwitchConfig slow =
                SwitchPatch.apply(node.engine().config(), List.of("p3.rate=1Gbps")).config();
        net.run.addTimer((_, _) -> node.change(0, slow)).schedule(0);
        Flow behind = net.send(0, 2, WINDOW, 10 * MS);
        Flow other = net.send(1, 2, WINDOW, 10 * MS);
        Flow victim = net.send(0, 3, WINDOW, 10 * MS);
        net.run.runUntil(10 * MS);
        long slots = 10_000_000L / (WIRE_BYTES * 8);
        assertThat(received(behind) + received(other)).isBetween(slots - 8, slots + 1);
        assertThat(Math.abs(received(behind) - received(other))).as("in turn").isLessThan(2);
        if (inputQueues == InputQueues.FIFO) {
            // As many as of those that it stands between, whatever its own link could take.
            assertThat(received(victim) - received(behind)).isBetween(-1L, WINDOW + 1L);
        } else {
            long rest = RATE_BPS / 1_000 * 10 / 8 / WIRE_BYTES - received(behind);
            assertThat(received(victim)).isGreaterThan(rest * 9 / 10);
        }
        net.atRest();
    }

    /** Counters are asked for when somebody looks, from the halves that a domain drives as well. */
    @Test
    void whoeverLooksSeesHowLongItsQueuesAre() {
        Net net = incast(PLAIN, 2, InputQueues.VIRTUAL_OUTPUT);
        CounterDirectory counters = net.network.switchNode(0).engine().counters();
        long queued =
                CounterLookup.sum(
                        counters.entries(),
                        counters::value,
                        "queues",
                        entry -> entry.label().equals("queue.bytes"));
        assertThat(queued).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"2, PFC", "3, PFC", "7, PFC", "3, CREDITS"})
    void severalInputsGetTheSameOfOneEgressToTheFrame(int senders, String flowControl) {
        String ports = flowControl.equals("PFC") ? PFC : CREDITS;
        Net net = incast(ports, senders, InputQueues.VIRTUAL_OUTPUT);
        long least = net.flows.stream().mapToLong(CrossbarRunTest::received).min().orElseThrow();
        long most = net.flows.stream().mapToLong(CrossbarRunTest::received).max().orElseThrow();
        assertThat(most - least).isLessThan(2);
        // One egress is never held back by inputs that have nothing else to do.
        assertThat(sum(net)).isGreaterThanOrEqualTo(sum(incast(ports, senders, null)) - senders);
        net.atRest();
    }

    private static Net incast(String ports, int senders, @Nullable InputQueues inputQueues) {
        Net net = new Net(ports, senders + 1, inputQueues, RunOptions.of(1).withChecking(true));
        for (int sender = 0; sender < senders; sender++) {
            net.send(sender, senders, 0, 4 * MS);
        }
        net.run.runUntil(4 * MS);
        return net;
    }

    private static long sum(Net net) {
        return net.flows.stream().mapToLong(CrossbarRunTest::received).sum();
    }

    @Test
    void twoInputsFillTwoEgressesThatBothWant() {
        Net net = new Net(PFC, 4, InputQueues.VIRTUAL_OUTPUT, RunOptions.of(1).withChecking(true));
        for (int from = 0; from < 2; from++) {
            net.send(from, 2, 0, 4 * MS);
            net.send(from, 3, 0, 4 * MS);
        }
        net.run.runUntil(4 * MS);
        long all = sum(net);
        long full = 2 * 4 * MS / 1000 * (RATE_BPS / 1_000_000_000L) / 8 / WIRE_BYTES;
        assertThat(all).isGreaterThan(full * 98 / 100);
        net.atRest();
    }

    @Test
    void oneDutyOwnsTheEgressOfAllPorts() {
        Net net = new Net(PLAIN, 3, InputQueues.FIFO, RunOptions.of(1));
        List<String> names =
                net.network.switchNode(0).engine().duties().stream()
                        .map(duty -> duty.name())
                        .toList();
        assertThat(names)
                .containsExactly(
                        "p1.ingress",
                        "p2.ingress",
                        "p3.ingress",
                        "local.ingress",
                        "domain.egress",
                        names.getLast());
        assertThat(net.network.switchNode(0).engine().duties().get(4))
                .isInstanceOf(DomainDuty.class);
    }

    @ParameterizedTest
    @EnumSource(InputQueues.class)
    void aRunIsTheSameWhoeverLooksAndHoweverOftenDutiesAreCalled(InputQueues inputQueues) {
        long digest = digest(inputQueues, RunOptions.of(3));
        assertThat(digest(inputQueues, RunOptions.of(3))).isEqualTo(digest);
        assertThat(digest(inputQueues, RunOptions.of(3).withChecking(true))).isEqualTo(digest);
        assertThat(digest(inputQueues, RunOptions.of(3).withExtraCallsMeanPs(37_000)))
                .isEqualTo(digest);
        assertThat(digest(inputQueues, RunOptions.of(3).withReadAheadPorts(0))).isEqualTo(digest);
    }

    private static long digest(InputQueues inputQueues, RunOptions options) {
        Net net = new Net(PFC, 5, inputQueues, options);
        for (int from = 0; from < 5; from++) {
            for (int to = 0; to < 5; to++) {
                if (from != to) {
                    net.send(from, to, (from + to) % 3 * 10, MS / 2);
                }
            }
        }
        net.run.runUntil(MS);
        return net.run.digest();
    }
}
