package io.headgate.testbed.traffic;

import static io.headgate.testbed.traffic.HandDriven.MS;
import static io.headgate.testbed.traffic.HandDriven.NS;
import static io.headgate.testbed.traffic.HandDriven.SECOND;
import static io.headgate.testbed.traffic.HandDriven.US;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.headgate.dataplane.frame.Checksum;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.traffic.HandDriven.Copy;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import io.headgate.testbed.traffic.spec.SendPattern.Lateness;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import io.headgate.testbed.traffic.spec.Workloads;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sending side of a host's application, and the device as a whole. */
class TrafficDeviceTest {
    private static final FrameShape UDP_1000 = FrameShape.udp(1000);

    @Test
    void constantRateMakesEveryFrameInTheNanosecondItIsDue() {
        HandDriven bed = new HandDriven(2, 64);
        // 1,024 bytes on the wire at 10 Gb/s: 819.2 ns.
        bed.traffic.start(
                FlowSpec.greedy("f", 0, 1, UDP_1000)
                        .withPattern(
                                new SendPattern.ConstantRate(10_000_000_000L, Lateness.MADE_UP)));
        TrafficDevice device = bed.host(0).device;
        assertThat(device.deadlineNs()).isZero();
        long frames = 0;
        long atNs = 0;
        while (atNs < 1_000_000_000) {
            assertThat(bed.receive(0, atNs * NS)).isEqualTo(1);
            Copy copy = bed.takeSent(0);
            long duePs = frames * 819_200;
            assertThat(atNs).isEqualTo(duePs / 1000);
            assertThat(copy.sequence()).isEqualTo(frames);
            assertThat(copy.timePs()).isEqualTo(duePs);
            frames++;
            assertThat(device.deadlineNs()).isEqualTo((duePs + 819_200) / 1000);
            atNs = device.deadlineNs();
        }
        // 10^10 / (8 * 1,024), the last one begun.
        assertThat(frames).isEqualTo(1_220_704);
        assertThat(bed.receive(0, (atNs - 1) * NS)).isZero();
    }

    @Test
    void aDeviceWithoutTrafficHasNoDeadlineAndDoesNothing() {
        HandDriven bed = new HandDriven(1, 4);
        assertThat(bed.receive(0, 0)).isZero();
        assertThat(bed.host(0).device.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void greedyFlowTakesTheSlotsThereAreAndGoesOnWithEachThatComesHome() {
        HandDriven bed = new HandDriven(2, 5);
        bed.traffic.start(FlowSpec.greedy("f", 0, 1, UDP_1000));
        assertThat(bed.receive(0, 0)).isEqualTo(5);
        assertThat(bed.host(0).device.deadlineNs())
                .as("a slot that comes home calls anyway")
                .isEqualTo(Long.MAX_VALUE);
        assertThat(bed.receive(0, US)).isZero();
        bed.takeSent(0);
        bed.takeSent(0);
        assertThat(bed.receive(0, 2 * US)).isEqualTo(2);
        List<Copy> copies = bed.takeAllSent(0);
        assertThat(copies.stream().map(Copy::sequence)).containsExactly(2L, 3L, 4L, 5L, 6L);
        assertThat(copies.getLast().timePs()).isEqualTo(2 * US);
    }

    @Test
    void aFullBatchAsksToBeCalledAgainAtOnce() {
        HandDriven bed = new HandDriven(2, 100);
        bed.traffic.start(FlowSpec.greedy("f", 0, 1, UDP_1000));
        assertThat(bed.receive(0, 7 * NS)).isEqualTo(64);
        assertThat(bed.host(0).device.deadlineNs()).isEqualTo(7);
        assertThat(bed.receive(0, 7 * NS)).isEqualTo(36);
        assertThat(bed.host(0).device.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void flowsTakeTurnsWithinAPriorityAndPrioritiesAmongEachOther() {
        HandDriven bed = new HandDriven(2, 8);
        bed.traffic.start(FlowSpec.greedy("a", 0, 1, UDP_1000.withPriority(3, 24)));
        bed.traffic.start(FlowSpec.greedy("b", 0, 1, UDP_1000.withPriority(3, 24)));
        bed.traffic.start(FlowSpec.greedy("c", 0, 1, UDP_1000.withPriority(5, 40)));
        assertThat(bed.receive(0, 0)).isEqualTo(8);
        assertThat(bed.takeAllSent(0).stream().map(Copy::flow))
                .containsExactly(0L, 2L, 1L, 2L, 0L, 2L, 1L, 2L);
    }

    @Test
    void framesAreSoundUdpOrRocev2WithTheirLengths() {
        HandDriven bed = new HandDriven(2, 64);
        FrameShape rocev2 = FrameShape.rocev2(1082).withPriority(3, 26).withEcn(FrameShape.ECT_0);
        bed.traffic.start(
                FlowSpec.greedy("u", 0, 1, UDP_1000.withSourcePort(5000)).withSizeBytes(2500));
        bed.traffic.start(FlowSpec.greedy("r", 0, 1, rocev2).withSizeBytes(3000));
        bed.traffic.start(FlowSpec.greedy("t", 0, 1, rocev2.withVlan(0)).withSizeBytes(1));
        assertThat(bed.receive(0, 0)).isEqualTo(3 + 3 + 1);
        long[] lengths = bed.host(0).sent.stream().mapToLong(f -> f.lengthBytes).toArray();
        // 958 bytes a UDP frame; 1,024 a RoCEv2 frame; 952 are left for the last of them.
        assertThat(lengths).containsExactly(1000, 1082, 1000, 80, 626, 1082, 1010);
        for (Frame frame : bed.host(0).sent) {
            long ip = frame.dataOffset + frame.ipOffset;
            long udp = frame.dataOffset + frame.transportOffset;
            assertThat(Ipv4.isChecksumRight(FrameRegion.MEMORY, ip)).isTrue();
            assertThat(Ipv4.totalBytes(FrameRegion.MEMORY, ip))
                    .isEqualTo(frame.lengthBytes - frame.ipOffset);
            assertThat(Udp.lengthBytes(FrameRegion.MEMORY, udp))
                    .isEqualTo(frame.lengthBytes - frame.transportOffset);
            assertThat(Ethernet.source(FrameRegion.MEMORY, frame.dataOffset))
                    .isEqualTo(0x0200_0000_0001L);
            assertThat(Ethernet.destination(FrameRegion.MEMORY, frame.dataOffset))
                    .isEqualTo(0x0200_0000_0002L);
        }
        Frame tagged = bed.host(0).sent.stream().filter(f -> f.tagged).findFirst().orElseThrow();
        assertThat(tagged.priority).isEqualTo(3);
        assertThat(Vlan.id(Vlan.tci(FrameRegion.MEMORY, tagged.dataOffset + 12))).isZero();
        assertThat(Ipv4.trafficClass(FrameRegion.MEMORY, tagged.dataOffset + tagged.ipOffset))
                .isEqualTo((26 << 2) | 2);
    }

    @Test
    void checksumsCoverWhatIsNotStoredAsZeros() {
        HandDriven bed = new HandDriven(2, 8, HandDriven.SEED, new Traffic.Options(MS, true));
        bed.traffic.start(FlowSpec.greedy("u", 0, 1, FrameShape.udp(200)).withSizeBytes(200));
        assertThat(bed.receive(0, 0)).isEqualTo(2);
        for (Frame frame : bed.host(0).sent) {
            long at = frame.dataOffset;
            FrameRegion.MEMORY
                    .asSlice(at + frame.storedBytes, frame.lengthBytes - frame.storedBytes)
                    .fill((byte) 0);
            long udp = at + frame.transportOffset;
            assertThat(Udp.checksum(FrameRegion.MEMORY, udp)).isNotZero();
            int bytes = frame.lengthBytes - frame.transportOffset;
            long addresses =
                    Checksum.sum(FrameRegion.MEMORY, at + frame.ipOffset + Ipv4.SOURCE_OFFSET, 8);
            long datagram = Checksum.sum(FrameRegion.MEMORY, udp, bytes);
            assertThat(Checksum.finish(addresses + 17 + bytes + datagram)).isZero();
        }
    }

    @Test
    void flowsWithoutAGivenSourcePortHaveManyDifferentOnes() {
        HandDriven bed = new HandDriven(2, 1000);
        for (int i = 0; i < 500; i++) {
            bed.traffic.start(FlowSpec.greedy("f" + i, 0, 1, UDP_1000).withSizeBytes(1));
        }
        while (bed.receive(0, 0) > 0) {
            // All of them.
        }
        Set<Integer> ports = new HashSet<>();
        for (Copy copy : bed.takeAllSent(0)) {
            ports.add(copy.u16(34));
        }
        assertThat(ports).hasSizeGreaterThan(480).allMatch(port -> port >= 0xC000);
    }

    private static FlowSpec forgoing() {
        return FlowSpec.greedy("f", 0, 1, UDP_1000)
                .withPattern(new SendPattern.ConstantRate(10_000_000_000L, Lateness.FORGONE));
    }

    @Test
    void aCardThatIsCalledLateHasRefusedNothing() {
        HandDriven bed = new HandDriven(2, 8);
        bed.traffic.start(forgoing());
        assertThat(bed.receive(0, 0)).isEqualTo(1);
        assertThat(bed.receive(0, 2 * US)).as("due at 819.2 and 1,638.4 ns").isEqualTo(2);
        assertThat(bed.host(0).device.deadlineNs()).isEqualTo(2_457);
    }

    @Test
    void whatTheCardHadNoSlotForIsForgone() {
        HandDriven bed = new HandDriven(2, 1);
        bed.traffic.start(forgoing());
        assertThat(bed.receive(0, 0)).isEqualTo(1);
        assertThat(bed.receive(0, US)).isZero();
        bed.takeSent(0);
        assertThat(bed.receive(0, 2 * US)).isEqualTo(1);
        bed.takeSent(0);
        assertThat(bed.receive(0, 2 * US + 100 * NS)).isZero();
        assertThat(bed.host(0).device.deadlineNs()).isEqualTo(2_819);
    }

    @Test
    void whatTheWindowHeldIsForgone() {
        HandDriven bed = new HandDriven(2, 8);
        bed.traffic.start(forgoing().withWindowFrames(1));
        assertThat(bed.receive(0, 0)).isEqualTo(1);
        acknowledge(bed, 2 * US);
        assertThat(bed.receive(0, 2 * US)).isEqualTo(1);
        acknowledge(bed, 2 * US + 100 * NS);
        assertThat(bed.receive(0, 2 * US + 100 * NS)).isZero();
        assertThat(bed.host(0).device.deadlineNs()).isEqualTo(2_819);
    }

    private static void acknowledge(HandDriven bed, long atPs) {
        bed.takeAllSent(0).forEach(copy -> bed.deliver(copy, 1, atPs));
        bed.receive(1, atPs);
        bed.takeAllSent(1).forEach(copy -> bed.deliver(copy, 0, atPs));
    }

    @Test
    void aFlowThatIsStoppedIsCompleteWithWhatItHadSent() {
        HandDriven bed = new HandDriven(2, 2);
        Flow greedy = bed.traffic.start(FlowSpec.greedy("g", 0, 1, UDP_1000).during(0, 2 * US));
        assertThat(bed.receive(0, 0)).isEqualTo(2);
        bed.takeAllSent(0).forEach(copy -> bed.deliver(copy, 1, US));
        assertThat(greedy.finishedPs()).isEqualTo(Flow.NOT_YET);
        assertThat(bed.receive(0, 2 * US)).isZero();
        assertThat(greedy.totalFrames()).isEqualTo(2);
        assertThat(greedy.finishedPs()).isEqualTo(US);
        assertThat(bed.host(0).device.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    /** Whichever of the two is called first in a turn: another thread may call the other. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReceiverInAnotherPartTakesNoticeOfAStopWhenAllRest(boolean receiverFirst) {
        HandDriven bed = new HandDriven(2, 2);
        bed.host(1).device.join(1, () -> 5 * US);
        Flow greedy = bed.traffic.start(FlowSpec.greedy("g", 0, 1, UDP_1000).during(0, 2 * US));
        assertThat(bed.receive(0, 0)).isEqualTo(2);
        bed.traffic.handOver();
        List<Copy> sent = bed.takeAllSent(0);
        if (receiverFirst) {
            sent.forEach(copy -> bed.deliver(copy, 1, US));
        }
        assertThat(bed.receive(0, 2 * US)).isZero();
        if (!receiverFirst) {
            sent.forEach(copy -> bed.deliver(copy, 1, US));
        }
        assertThat(greedy.finishedPs()).isEqualTo(Flow.NOT_YET);
        assertThat(bed.traffic.log().entries()).isEmpty();
        bed.traffic.handOver();
        assertThat(greedy.finishedPs()).isEqualTo(5 * US);
        assertThat(bed.traffic.log().entries()).hasSize(1);
        FlowGroup group = bed.traffic.group("g");
        assertThat(group.flowsFinished()).isEqualTo(1);
        assertThat(group.framesSent()).isEqualTo(2);
        assertThat(group.framesReceived()).isEqualTo(2);
        assertThat(group.of(0).framesReceived).isZero();
        bed.traffic.handOver();
        assertThat(group.flowsFinished()).isEqualTo(1);
    }

    /** What is sent depends on when slots become free, not on how often the device is called. */
    @Test
    void callsWithoutCauseChangeNothing() {
        for (long seed = 1; seed <= 20; seed++) {
            List<Copy> plain = contended(seed, 0);
            assertThat(plain).hasSizeGreaterThan(500);
            assertThat(contended(seed, 3)).as("seed %d", seed).isEqualTo(plain);
        }
    }

    private static List<Copy> contended(long seed, int extraCalls) {
        HandDriven bed = new HandDriven(3, 6, seed, new Traffic.Options(50 * US, false));
        NamedRandom random = NamedRandom.of(seed, "test", "slots");
        NamedRandom extra = NamedRandom.of(seed, "test", "extra");
        bed.traffic.start(
                ArrivalSpec.of(
                                "web",
                                0,
                                List.of(1, 2),
                                new ArrivalProcess.Poisson(3 * US),
                                Workloads.named("googlerpc2008_hpcc"),
                                UDP_1000)
                        .withWindowFrames(4));
        bed.traffic.start(
                ArrivalSpec.of(
                        "loop",
                        0,
                        List.of(1, 2),
                        new ArrivalProcess.ClosedLoop(2 * US),
                        SizeDistribution.fixed(2000),
                        UDP_1000.withPriority(3, 24)));
        bed.traffic.start(
                FlowSpec.greedy("p", 0, 1, UDP_1000)
                        .withPattern(
                                new SendPattern.OnOff(
                                        4_000_000_000L, 5 * US, 7 * US, true, Lateness.MADE_UP)));
        bed.traffic.start(
                FlowSpec.greedy("forgone", 0, 1, UDP_1000)
                        .withWindowFrames(2)
                        .withPattern(
                                new SendPattern.ConstantRate(3_000_000_000L, Lateness.FORGONE)));
        List<Copy> all = new ArrayList<>();
        TrafficDevice device = bed.host(0).device;
        long atPs = 0;
        bed.receive(0, 0);
        while (atPs < 800 * US) {
            // The next cause: a slot that becomes free, or the deadline.
            boolean hasSent = !bed.host(0).sent.isEmpty();
            long homePs = hasSent ? atPs + 300 * NS + random.nextInt(700) * NS : Long.MAX_VALUE;
            long deadlinePs =
                    device.deadlineNs() == Long.MAX_VALUE
                            ? Long.MAX_VALUE
                            : device.deadlineNs() * NS;
            long nextPs = Math.min(homePs, deadlinePs);
            for (int i = 0; i < extraCalls; i++) {
                long betweenPs = (atPs / NS + extra.nextLong(nextPs / NS - atPs / NS + 1)) * NS;
                if (betweenPs < nextPs) {
                    assertThat(bed.receive(0, Math.max(betweenPs, bed.nowPs))).isZero();
                }
            }
            atPs = nextPs;
            if (homePs <= deadlinePs) {
                Copy copy = bed.takeSent(0);
                all.add(copy);
                int to = copy.bytes[5] - 1;
                if (random.nextInt(10) > 0) {
                    bed.deliver(copy, to, atPs);
                    bed.receive(to, atPs);
                    bed.takeAllSent(to).forEach(ack -> bed.deliver(ack, 0, bed.nowPs));
                }
            }
            bed.receive(0, atPs);
        }
        return all;
    }

    @Test
    void thousandsOfFlowsShareALinkEvenly() {
        HandDriven bed = new HandDriven(2, 32);
        List<Flow> flows = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            flows.add(bed.traffic.start(FlowSpec.greedy("f", 0, 1, UDP_1000)));
        }
        for (int i = 0; i < 20_000; i++) {
            if (bed.receive(0, i * US) == 0) {
                break;
            }
            bed.takeAllSent(0);
        }
        assertThat(flows.stream().mapToLong(flow -> flow.statistics().framesSent()).min())
                .hasValue(128);
        assertThat(flows.stream().mapToLong(flow -> flow.statistics().framesSent()).max())
                .hasValue(128);
    }

    @Test
    void nothingIsAllocatedPerFrame() {
        HandDriven bed = new HandDriven(2, 64);
        bed.traffic.group("f").recordThroughput(MS);
        for (int i = 0; i < 10; i++) {
            bed.traffic.start(FlowSpec.greedy("f", 0, 1, UDP_1000).withWindowFrames(8));
            bed.traffic.start(
                    FlowSpec.greedy("f", 0, 1, UDP_1000)
                            .withPattern(
                                    new SendPattern.PoissonFrames(
                                            10_000 * NS, SizeDistribution.uniform(64, 1500))));
        }
        long allocated = Long.MAX_VALUE;
        long frames = 0;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Loop loop = new Loop(bed);
        for (int round = 0; round < 10; round++) {
            long framesBefore = bed.host(0).device.framesSent();
            long before = threads.getCurrentThreadAllocatedBytes();
            loop.run(20_000);
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
            frames = bed.host(0).device.framesSent() - framesBefore;
        }
        assertThat(frames).isGreaterThan(10_000);
        assertThat(allocated).as("bytes for %d frames", frames).isLessThan(2_000);
    }

    /** Passes the very frames on, as a network card does, so that the test allocates nothing. */
    private static final class Loop {
        private final HandDriven bed;
        private final Frame[] batch = new Frame[64];

        Loop(HandDriven bed) {
            this.bed = bed;
        }

        void run(int steps) {
            for (int step = 0; step < steps; step++) {
                bed.nowPs += 1_000 * NS;
                pass(0, 1);
                pass(1, 0);
            }
        }

        private void pass(int from, int to) {
            FreeList free = bed.host(from).free;
            int count = bed.host(from).device.receive(bed.nowPs / NS, free, batch, 64);
            for (int i = 0; i < count; i++) {
                batch[i].place = SlotPlace.RING;
                HeaderParser.parse(FrameRegion.MEMORY, batch[i]);
            }
            bed.host(to).device.transmit(batch, 0, count);
            for (int i = 0; i < count; i++) {
                free.put(batch[i]);
            }
        }
    }

    @Test
    void hostsThatDoNotExistAndValuesOutOfRangeAreRefused() {
        HandDriven bed = new HandDriven(2, 1);
        assertThatThrownBy(() -> bed.traffic.start(FlowSpec.greedy("f", 0, 7, UDP_1000)))
                .hasMessageContaining("from host 0 to host 7; there are hosts 0 to 1");
        assertThatThrownBy(() -> FlowSpec.greedy("f", 1, 1, UDP_1000))
                .hasMessageContaining("needs two hosts");
        assertThatThrownBy(() -> FrameShape.udp(40)).hasMessageContaining("allowed: 1 to 16000");
        assertThatThrownBy(() -> UDP_1000.withEcn(4)).hasMessageContaining("ECN 4 (0 to 3)");
        assertThatThrownBy(() -> new SendPattern.ConstantRate(0, Lateness.MADE_UP))
                .hasMessageContaining("allowed are 1 kb/s to 1 Tb/s");
        assertThatThrownBy(() ->
                        ArrivalSpec.of(
                                "f",
                                1,
                                List.of(1),
                                new ArrivalProcess.Poisson(1),
                                SizeDistribution.fixed(1),
                                UDP_1000))
                .hasMessageContaining("a destination is needed");
        assertThat(SECOND).isEqualTo(1_000 * MS);
    }
}
