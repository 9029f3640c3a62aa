package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig.Mode;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.flowcontrol.IngressAccounts;
import io.headgate.dataplane.flowcontrol.LosslessMargin;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A switch's worker that is stalled, as a thread that the machine puts aside, in the worst moment:
 * when the next frame would have asked for a pause. What the lossless margin promises is kept to
 * the frame, and what it does not promise is lost under a name.
 */
class StalledWorkerTest {
    private static final int PRIORITY = 3;
    private static final long PS_PER_NS = 1000;
    private static final long PS_PER_S = 1_000_000_000_000L;
    private static final int RANDOM_STALLS = 5;
    private static final String PORTS =
            "{flow-control: pfc, classify: {trust: dscp}, link: {own-reaction: 40us},"
                    + " buffers: {xoff: 100kB}}";

    static List<Arguments> ratesAndFrames() {
        return List.of(
                Arguments.of(10L, 1514),
                Arguments.of(10L, 60),
                Arguments.of(40L, 1514),
                Arguments.of(100L, 1514),
                Arguments.of(100L, 60));
    }

    /** Two hosts send to a third, each all it can. */
    private static final class Incast {
        final VirtualRun run = new VirtualRun(RunOptions.of(1).withDigest(false));
        final VirtualNetwork network;
        final List<Flow> flows = new ArrayList<>();
        final long sendPs;
        final int frameBytes;

        Incast(long gigabits, int frameBytes) {
            this.frameBytes = frameBytes;
            long rateBps = gigabits * 1_000_000_000L;
            network =
                    VirtualNetwork.in(
                            run,
                            NetworkPlan.of(
                                    Topologies.singleSwitch(3, LinkSpec.of(rateBps, 1_000))
                                            .withMode(Mode.BRIDGE)
                                            .withPorts(PortTrafficReader.read(PORTS)),
                                    PlanOptions.virtual(1)));
            // Six times what fills an account, and what comes while the switch is stalled.
            sendPs = 6 * 100_000 * 8 * (PS_PER_S / rateBps) + 4 * margin().spareNs() * 1000;
            Traffic traffic = network.traffic(Traffic.Options.DEFAULT);
            FrameShape shape = FrameShape.udp(frameBytes).withPriority(PRIORITY, 26);
            for (int sender = 0; sender < 2; sender++) {
                flows.add(
                        traffic.start(
                                FlowSpec.greedy("f" + sender, sender, 2, shape).during(0, sendPs)));
            }
        }

        LosslessMargin margin() {
            return new LosslessMargin(port());
        }

        PortConfig port() {
            return network.plan().switches().getFirst().ports().getFirst();
        }

        /** Runs until the next frame into a port would make the switch ask for a pause. */
        void runToTheBrink() {
            IngressAccounts accounts =
                    Objects.requireNonNull(network.switchNode(0).engine().ingress(0).flow())
                            .accounts();
            FlowControlConfig.Buffers buffers =
                    Objects.requireNonNull(port().flowControl().buffers());
            while (accounts.bytes(PRIORITY) + frameBytes < buffers.xoffBytes()
                    && accounts.slots(PRIORITY) + 1 < buffers.xoffSlots()) {
                assertThat(run.step(sendPs)).as("the account fills").isTrue();
            }
            assertThat(accounts.pauseWanted()).isZero();
        }

        void stall(long stallNs) {
            VirtualNode node = network.switchNode(0);
            run.stall(node);
            run.runUntil(run.clock().ps() + stallNs * PS_PER_NS);
            run.resume(node);
        }

        /** Lets all that is under way arrive. */
        void finish() {
            run.runUntil(run.clock().ps() + 4 * sendPs);
        }

        long sent() {
            return flows.stream().mapToLong(flow -> flow.statistics().framesSent()).sum();
        }

        long received() {
            return flows.stream().mapToLong(flow -> flow.statistics().framesReceived()).sum();
        }

        /** Frames by node, port and reason. */
        Map<String, Long> drops() {
            Map<String, Long> drops = new TreeMap<>();
            for (VirtualNode node : run.nodes()) {
                CounterDirectory counters = node.engine().counters();
                for (Entry entry : counters.entries()) {
                    if (entry.label().startsWith(DropCounters.LABEL_PREFIX)
                            && counters.value(entry) != 0) {
                        drops.put(
                                node + " " + entry.owner() + " " + entry.label(),
                                counters.value(entry));
                    }
                }
            }
            return drops;
        }

        void lostNothing() {
            finish();
            assertThat(drops()).isEmpty();
            assertThat(received()).isPositive().isEqualTo(sent());
            for (Flow flow : flows) {
                assertThat(flow.statistics().framesReordered()).isZero();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("ratesAndFrames")
    void stalledForTheMarginsTimeOrForHalfOfItItLosesNothing(long gigabits, int frameBytes) {
        for (int parts : new int[] {2, 1}) {
            Incast incast = new Incast(gigabits, frameBytes);
            long stallNs = incast.margin().spareNs() / parts;
            assertThat(stallNs).isGreaterThan(40_000 / parts - 100);
            incast.runToTheBrink();
            incast.stall(stallNs);
            assertThat(incast.margin().at(stallNs, 0, 0).explain()).startsWith("guaranteed");
            incast.lostNothing();
        }
    }

    @ParameterizedTest
    @MethodSource("ratesAndFrames")
    void neitherDoesItWheneverItIsHeldAndAgain(long gigabits, int frameBytes) {
        Incast incast = new Incast(gigabits, frameBytes);
        long stallNs = incast.margin().spareNs();
        for (int stall = 1; stall <= RANDOM_STALLS; stall++) {
            // At instants that have nothing to do with those of the frames.
            incast.run.runUntil(
                    incast.run.clock().ps() + incast.sendPs * stall / (4 * RANDOM_STALLS) + 12_345);
            incast.stall(stallNs);
        }
        incast.lostNothing();
    }

    @ParameterizedTest
    @MethodSource("ratesAndFrames")
    void stalledForTwiceTheMarginsTimeItIsNotGuaranteedAndEveryLossIsNamed(
            long gigabits, int frameBytes) {
        Incast incast = new Incast(gigabits, frameBytes);
        long stallNs = 2 * incast.margin().spareNs();
        // Once it has been so slow, it says so, whether there was anything to be lost or not.
        assertThat(incast.margin().explain()).startsWith("guaranteed");
        assertThat(incast.margin().at(stallNs, 0, 0).explain()).startsWith("not guaranteed: more ");
        incast.runToTheBrink();
        incast.stall(stallNs);
        incast.finish();
        Map<String, Long> drops = incast.drops();
        assertThat(drops.keySet())
                .isNotEmpty()
                .allMatch(drop -> drop.matches("s1 p[12] drop\\.HEADROOM_EXHAUSTED"));
        long dropped = drops.values().stream().mapToLong(Long::longValue).sum();
        assertThat(incast.received() + dropped).isEqualTo(incast.sent());
    }
}
