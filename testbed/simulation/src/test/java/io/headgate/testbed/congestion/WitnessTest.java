package io.headgate.testbed.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig.Mode;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.dataplane.capture.Tap;
import io.headgate.dataplane.frame.CreditControl;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.virtual.RunOptions;
import io.headgate.testbed.virtual.VirtualNetwork;
import io.headgate.testbed.virtual.VirtualNode;
import io.headgate.testbed.virtual.VirtualRun;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a congestion point is notified of, and when: to the nanosecond, in virtual time. */
class WitnessTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long MS = 1_000_000_000L;
    private static final int LOSSLESS = 3;
    private static final long PAUSE_NS_PER_QUANTUM_X10 = 512; // 51.2 ns at 10 Gb/s

    /** Two flows over a trunk to one host that both fill: the trunk's far end stops its sender. */
    private static final class Net {
        final VirtualRun run = new VirtualRun(RunOptions.of(1));
        final VirtualNode sender;
        final int trunk;
        final WitnessPoint witness;

        Net(String ports, LinkFaults faults) {
            LinkSpec access = LinkSpec.of(RATE_BPS, 300_000);
            VirtualNetwork network =
                    VirtualNetwork.in(
                            run,
                            NetworkPlan.of(
                                    Topologies.dumbbell(3, 2, access, access.withFaults(faults))
                                            .withMode(Mode.BRIDGE)
                                            .withPorts(PortTrafficReader.read(ports)),
                                    PlanOptions.virtual(1)),
                            card -> card);
            Traffic traffic = network.traffic(Traffic.Options.DEFAULT);
            // Hosts: three on the left, then two on the right.
            send(traffic, "over", 0, 3, LOSSLESS, 1514);
            send(traffic, "too", 4, 3, LOSSLESS, 1514);
            send(traffic, "other", 1, 4, 0, 800);
            send(traffic, "odd", 2, 3, LOSSLESS, 333);
            sender = network.switchNode(0);
            trunk = 3; // behind those of the hosts
            witness =
                    (WitnessPoint)
                            Objects.requireNonNull(sender.engine().egress(trunk).congestionPoint());
        }

        private static void send(
                Traffic traffic, String name, int from, int to, int priority, int bytes) {
            FrameShape shape = FrameShape.udp(bytes).withPriority(priority, 8 * priority);
            traffic.start(FlowSpec.greedy(name, from, to, shape).during(0, 10 * MS));
        }
    }

    /** Looks at what comes in, before the port's egress half does. */
    private abstract static class Arriving implements Tap {
        @Override
        public void transmitted(int port, int queue, Frame frame, long nowNs) {}

        @Override
        public void dropped(int port, DropReason reason, Frame frame, long nowNs) {}
    }

    /** Looks at what starts. */
    private abstract static class Starting implements Tap {
        @Override
        public void received(int port, Frame frame, long nowNs) {}

        @Override
        public void dropped(int port, DropReason reason, Frame frame, long nowNs) {}
    }

    @Test
    void aPauseEndsWhenItRunsOutOrAtTheFrameThatResumes() {
        Net net =
                new Net(
                        "{flow-control: pfc, classify: {trust: dscp}, buffers: {xoff: 60kB, xon:"
                                + " 50kB}, pause: {quanta: 600, refresh: 20us}, congestion: {witness:"
                                + " {}}}",
                        // Where a resumption is lost, the pause runs out.
                        LinkFaults.NONE.withLossProbability(0.05));
        List<Long> expected = new ArrayList<>();
        int[] kinds = new int[2];
        long[] untilNs = {0};
        net.sender
                .engine()
                .ingress(net.trunk)
                .tap(
                        new Arriving() {
                            @Override
                            public void received(int port, Frame frame, long nowNs) {
                                if (frame.etherType != EtherType.MAC_CONTROL) {
                                    return;
                                }
                                int quanta =
                                        MacControl.quanta(
                                                FrameRegion.MEMORY, frame.dataOffset, LOSSLESS);
                                boolean again = quanta != 0 && untilNs[0] == nowNs;
                                if (untilNs[0] != 0 && untilNs[0] <= nowNs && !again) {
                                    expected.add(untilNs[0]);
                                    kinds[0]++;
                                } else if (untilNs[0] != 0 && quanta == 0) {
                                    expected.add(nowNs);
                                    kinds[1]++;
                                }
                                untilNs[0] =
                                        quanta == 0
                                                ? 0
                                                : nowNs
                                                        + Math.ceilDiv(
                                                                quanta * PAUSE_NS_PER_QUANTUM_X10,
                                                                10);
                            }
                        });
        net.run.runUntil(12 * MS);
        if (untilNs[0] != 0) {
            expected.add(untilNs[0]);
        }
        assertThat(kinds[0]).as("pauses that ran out").isGreaterThan(3);
        assertThat(kinds[1]).as("pauses that were ended").isGreaterThan(3);
        assertThat(net.witness.releases())
                .extracting(WitnessPoint.Release::endedNs)
                .isEqualTo(expected);
        assertThat(net.witness.releases())
                .allMatch(release -> release.queue() == LOSSLESS)
                .allMatch(release -> release.toldNs() == release.endedNs());
    }

    @Test
    void wantOfCreditsEndsWithTheGrantThatCoversTheFirstFrame() {
        Net net =
                new Net(
                        "{flow-control: credits, classify: {trust: dscp}, credits: {update:"
                                + " periodic, period: 3us, min-gap: 1us, block-scale: 0, buffer: 20kB},"
                                + " congestion: {witness: {}}}",
                        LinkFaults.NONE);
        List<Long> expected = new ArrayList<>();
        List<Long> uncovered = new ArrayList<>();
        long[] otherUntilNs = {0};
        int[] whileBusy = {0};
        net.sender
                .engine()
                .egress(net.trunk)
                .tap(
                        new Starting() {
                            @Override
                            public void transmitted(int port, int queue, Frame frame, long nowNs) {
                                long wireNs = (frame.lengthBytes + 24) * 8L * 1_000_000_000L;
                                otherUntilNs[0] =
                                        frame.priority == LOSSLESS ? 0 : nowNs + wireNs / RATE_BPS;
                            }
                        });
        net.sender
                .engine()
                .ingress(net.trunk)
                .tap(
                        new Arriving() {
                            @Override
                            public void received(int port, Frame frame, long nowNs) {
                                boolean stopped = (net.witness.stopped() >>> LOSSLESS & 1) != 0;
                                if (frame.etherType != EtherType.LINK_CONTROL || !stopped) {
                                    return;
                                }
                                Frame head = Objects.requireNonNull(net.witness.head(LOSSLESS));
                                long needed =
                                        net.witness.startedBlocks(LOSSLESS)
                                                + Math.ceilDiv(head.lengthBytes, 64);
                                long left = (limit(frame) - needed) & 4095;
                                (left <= 2048 ? expected : uncovered).add(nowNs);
                                whileBusy[0] += left <= 2048 && nowNs < otherUntilNs[0] ? 1 : 0;
                            }
                        });
        net.run.runUntil(12 * MS);
        assertThat(uncovered).as("grants of too little").hasSizeGreaterThan(50);
        assertThat(whileBusy[0])
                .as("grants while a frame of another priority is on the wire")
                .isGreaterThan(20);
        assertThat(expected).hasSizeGreaterThan(50);
        assertThat(net.witness.releases())
                .allMatch(release -> release.queue() == LOSSLESS)
                .allMatch(release -> release.toldNs() == release.endedNs());
        assertThat(net.witness.releases())
                .extracting(WitnessPoint.Release::endedNs)
                .isEqualTo(expected);
    }

    private static int limit(Frame frame) {
        MemorySegment memory = FrameRegion.MEMORY;
        return IntStream.range(0, CreditControl.count(memory, frame.dataOffset))
                .filter(i -> CreditControl.lane(memory, frame.dataOffset, i) == LOSSLESS)
                .map(i -> CreditControl.fccl(memory, frame.dataOffset, i))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aPointIsCalledAtItsDeadlineAndNotOtherwise() {
        Net net = new Net("{congestion: {witness: {period: 777ns}}}", LinkFaults.NONE);
        net.run.runUntil(12 * MS);
        List<WitnessPoint.Tick> ticks = net.witness.ticks();
        assertThat(ticks).hasSizeGreaterThan(5_000);
        assertThat(ticks).allMatch(tick -> tick.nowNs() == tick.dueNs());
    }
}
