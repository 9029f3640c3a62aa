package io.headgate.testbed.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.config.SwitchConfig;
import io.headgate.config.SwitchConfig.Mode;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.config.read.SwitchPatch;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import io.headgate.testbed.virtual.RunOptions;
import io.headgate.testbed.virtual.SwitchNode;
import io.headgate.testbed.virtual.VirtualNetwork;
import io.headgate.testbed.virtual.VirtualRun;
import io.headgate.testbed.virtual.link.LinkObserver;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Marks of a port in virtual time against RED's curve, at queues that neither grow nor shrink. */
class RedCurveTest {
    private static final long KMIN = 20_000;
    private static final long KMAX = 130_000;
    private static final double PMAX = 0.3;
    private static final int FRAME_BYTES = 1000;
    private static final int PAYLOAD_BYTES = 958;
    private static final int FRAMES = 10_000;
    private static final long RATE_BPS = 5_000_000_000L;
    private static final long MS = 1_000_000_000L;
    private static final int TOS_OFFSET = 15;
    private static final int CONGESTION_EXPERIENCED = 3;

    /** What goes through the switch to its last host. */
    private static final class Through implements LinkObserver {
        private final int out;

        /** When those that wait, or are on their way there, come, in ns. */
        private final PriorityQueue<Long> coming = new PriorityQueue<>();

        private long waiting;
        int frames;
        int marks;
        double expected;
        double variance;
        long shortest = Long.MAX_VALUE;
        long longest;

        Through(int out) {
            this.out = out;
        }

        @Override
        public void transmitted(
                int direction,
                long startPs,
                long arrivePs,
                int lengthBytes,
                long address,
                int storedBytes) {
            if (direction / 2 != out) {
                coming.add(arrivePs / 1000);
            } else {
                while (!coming.isEmpty() && coming.peek() <= startPs / 1000) {
                    coming.remove();
                    waiting++;
                }
                waiting--;
                int tos = FrameRegion.MEMORY.get(ValueLayout.JAVA_BYTE, address + TOS_OFFSET);
                started(waiting * FRAME_BYTES, (tos & 3) == CONGESTION_EXPERIENCED);
            }
        }

        private void started(long behindBytes, boolean marked) {
            double p =
                    behindBytes <= KMIN
                            ? 0
                            : behindBytes >= KMAX ? 1 : PMAX * (behindBytes - KMIN) / (KMAX - KMIN);
            frames++;
            marks += marked ? 1 : 0;
            expected += p;
            variance += p * (1 - p);
            if (frames > FRAMES / 2) {
                shortest = Math.min(shortest, behindBytes);
                longest = Math.max(longest, behindBytes);
            }
        }
    }

    /** {@code burst} frames in a burst, then frames at the rate at which they leave. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                10, 18, 24, 30, 36, 42, 48, 54, 60, 66, 72, 78, 84, 90, 96, 102, 110, 120, 132, 140
            })
    void tenThousandFramesAtAQueueLengthAreMarkedWithinThreeStandardDeviationsOfIt(int burst) {
        Topology topology =
                Topologies.singleSwitch(3, LinkSpec.of(10_000_000_000L, 300_000))
                        .withMode(Mode.BRIDGE)
                        .withPorts(
                                PortTrafficReader.read(
                                        "{congestion: {red: {kmin: 20kB, kmax: 130kB, pmax:"
                                                + " 0.3}}}"));
        VirtualRun run = new VirtualRun(RunOptions.of(burst));
        VirtualNetwork network =
                VirtualNetwork.in(run, NetworkPlan.of(topology, PlanOptions.virtual(burst)));
        SwitchNode node = network.switchNode(0);
        SwitchConfig slowed =
                SwitchPatch.apply(node.engine().config(), List.of("p3.rate=5Gbps")).config();
        run.addTimer((_, _) -> node.change(0, slowed)).schedule(0);
        Through through = new Through(network.link(2).number());
        run.observe(through);
        Traffic traffic = network.traffic(Traffic.Options.DEFAULT);
        FrameShape capable = FrameShape.udp(FRAME_BYTES).withEcn(2);
        traffic.start(
                FlowSpec.greedy("steady", 0, 2, capable)
                        .withPattern(
                                new SendPattern.ConstantRate(
                                        RATE_BPS, SendPattern.Lateness.MADE_UP)));
        traffic.start(
                FlowSpec.greedy("burst", 1, 2, capable)
                        .withSizeBytes((long) burst * PAYLOAD_BYTES));
        run.runUntil(17 * MS);
        assertThat(through.frames).isGreaterThanOrEqualTo(FRAMES);
        assertThat(through.longest - through.shortest).isLessThanOrEqualTo(3L * FRAME_BYTES);
        assertThat((double) through.marks)
                .as("marks of %d frames at %d bytes", through.frames, through.longest)
                .isCloseTo(through.expected, within(3 * Math.sqrt(through.variance)));
        long counted =
                CounterLookup.sum(
                        node.engine().counters().entries(),
                        node.engine().counters()::value,
                        "marks",
                        entry -> entry.label().startsWith("red.marked"));
        assertThat(counted).isEqualTo(through.marks);
    }
}
