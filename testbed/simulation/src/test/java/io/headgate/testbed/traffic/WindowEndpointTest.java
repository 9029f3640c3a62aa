package io.headgate.testbed.traffic;

import static io.headgate.testbed.traffic.HandDriven.MS;
import static io.headgate.testbed.traffic.HandDriven.NS;
import static io.headgate.testbed.traffic.HandDriven.US;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.traffic.HandDriven.Copy;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.frame.TrafficHeader;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

class WindowEndpointTest {
    private static final FrameShape SHAPE = FrameShape.udp(1000).withEcn(FrameShape.ECT_1);
    private static final long TIMEOUT_PS = 100 * US;

    private static HandDriven bed(int slots) {
        return new HandDriven(2, slots, HandDriven.SEED, new Traffic.Options(TIMEOUT_PS, false));
    }

    private static FlowSpec windowed(int window, int frames) {
        return FlowSpec.greedy("w", 0, 1, SHAPE)
                .withWindowFrames(window)
                .withSizeBytes(frames * 958L);
    }

    @Test
    void sendsAWindowAndOneMoreForEachAcknowledged() {
        HandDriven bed = bed(64);
        Flow flow = bed.traffic.start(windowed(3, 5));
        assertThat(bed.receive(0, 0)).isEqualTo(3);
        assertThat(bed.receive(0, US)).isZero();
        List<Copy> data = bed.takeAllSent(0);
        bed.deliver(data.get(0), 1, 2 * US);
        assertThat(bed.host(1).rung).isPositive();
        assertThat(bed.receive(1, 2 * US)).isEqualTo(1);
        Copy ack = bed.takeSent(1);
        assertThat(ack.isAck()).isTrue();
        assertThat(ack.sequence()).isEqualTo(1);
        assertThat(ack.lengthBytes).isEqualTo(60);
        int rung = bed.host(0).rung;
        bed.deliver(ack, 0, 3 * US);
        assertThat(bed.host(0).rung).isEqualTo(rung + 1);
        assertThat(bed.receive(0, 3 * US)).isEqualTo(1);
        assertThat(flow.statistics().roundTripMeanNs()).isEqualTo(3000);
        data.add(bed.takeSent(0));
        for (int i = 1; i < 4; i++) {
            bed.deliver(data.get(i), 1, 4 * US);
        }
        assertThat(bed.receive(1, 4 * US)).as("merged into one").isEqualTo(1);
        bed.deliver(bed.takeSent(1), 0, 5 * US);
        assertThat(bed.receive(0, 5 * US)).as("the last one").isEqualTo(1);
        bed.deliver(bed.takeSent(0), 1, 6 * US);
        assertThat(flow.finishedPs()).isEqualTo(6 * US);
        assertThat(flow.acknowledgedPs()).isEqualTo(Flow.NOT_YET);
        bed.receive(1, 6 * US);
        bed.deliver(bed.takeSent(1), 0, 7 * US);
        assertThat(flow.acknowledgedPs()).isEqualTo(7 * US);
        assertThat(bed.receive(0, 8 * US)).isZero();
        assertThat(bed.host(0).device.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void marksOfMergedAcknowledgementsAreKept() {
        HandDriven bed = bed(64);
        Flow flow = bed.traffic.start(windowed(8, 8));
        bed.receive(0, 0);
        List<Copy> data = bed.takeAllSent(0);
        data.get(1).bytes[15] = (byte) ((data.get(1).bytes[15] & ~3) | 2);
        data.get(2).bytes[15] |= 3;
        for (int i = 0; i < 4; i++) {
            bed.deliver(data.get(i), 1, US);
        }
        bed.receive(1, US);
        bed.deliver(bed.takeSent(1), 0, US);
        bed.deliver(data.get(4), 1, US);
        bed.receive(1, US);
        bed.deliver(bed.takeSent(1), 0, US);
        assertThat(flow.statistics().framesUe()).isEqualTo(1);
        assertThat(flow.statistics().framesCe()).isEqualTo(1);
        assertThat(flow.statistics().acknowledgedUe()).isEqualTo(1);
        assertThat(flow.statistics().acknowledgedCe()).isEqualTo(1);
    }

    @Test
    void aGapIsReportedOnceAndTheSenderGoesBackToIt() {
        HandDriven bed = bed(64);
        Flow flow = bed.traffic.start(windowed(6, 6));
        bed.receive(0, 0);
        List<Copy> data = bed.takeAllSent(0);
        bed.deliver(data.get(0), 1, US);
        bed.receive(1, US);
        bed.deliver(bed.takeSent(1), 0, US);
        // 1 is lost.
        bed.deliver(data.get(2), 1, 2 * US);
        bed.deliver(data.get(3), 1, 2 * US);
        assertThat(bed.receive(1, 2 * US)).isEqualTo(1);
        Copy complaint = bed.takeSent(1);
        assertThat(complaint.sequence()).isEqualTo(1);
        assertThat(complaint.bytes[42] & TrafficHeader.MISSING).isNotZero();
        bed.deliver(data.get(4), 1, 3 * US);
        assertThat(bed.receive(1, 3 * US)).as("said once").isZero();
        bed.deliver(complaint, 0, 3 * US);
        assertThat(bed.receive(0, 3 * US)).isEqualTo(5);
        List<Copy> again = bed.takeAllSent(0);
        assertThat(again.stream().map(Copy::sequence)).containsExactly(1L, 2L, 3L, 4L, 5L);
        bed.deliver(complaint, 0, 4 * US);
        assertThat(bed.receive(0, 4 * US)).as("an old complaint goes back again").isEqualTo(5);
        bed.takeAllSent(0);
        again.forEach(copy -> bed.deliver(copy, 1, 5 * US));
        bed.receive(1, 5 * US);
        bed.deliver(bed.takeSent(1), 0, 6 * US);
        assertThat(flow.acknowledgedPs()).isEqualTo(6 * US);
        assertThat(flow.statistics().framesDiscarded()).isEqualTo(3);
        assertThat(flow.statistics().rewinds()).isEqualTo(2);
    }

    @Test
    void theTimerBringsBackWhatNobodyMissed() {
        HandDriven bed = bed(64);
        Flow flow = bed.traffic.start(windowed(2, 2));
        bed.receive(0, 0);
        bed.takeAllSent(0);
        TrafficDevice device = bed.host(0).device;
        assertThat(device.deadlineNs()).isEqualTo(TIMEOUT_PS / NS);
        assertThat(bed.receive(0, TIMEOUT_PS - NS)).isZero();
        assertThat(bed.receive(0, TIMEOUT_PS)).isEqualTo(2);
        assertThat(flow.statistics().timeouts()).isEqualTo(1);
        assertThat(device.deadlineNs()).isEqualTo(2 * TIMEOUT_PS / NS);
        bed.takeAllSent(0).forEach(copy -> bed.deliver(copy, 1, TIMEOUT_PS + US));
        bed.receive(1, TIMEOUT_PS + US);
        // The acknowledgement is lost; what is sent again is acknowledged again.
        bed.takeAllSent(1);
        assertThat(bed.receive(0, 2 * TIMEOUT_PS)).isEqualTo(2);
        bed.deliver(bed.takeSent(0), 1, 2 * TIMEOUT_PS + US);
        assertThat(bed.receive(1, 2 * TIMEOUT_PS + US)).isEqualTo(1);
        bed.deliver(bed.takeSent(1), 0, 2 * TIMEOUT_PS + 2 * US);
        assertThat(flow.acknowledgedPs()).isEqualTo(2 * TIMEOUT_PS + 2 * US);
        assertThat(flow.statistics().framesDuplicate()).isEqualTo(1);
        bed.receive(0, 3 * TIMEOUT_PS);
        assertThat(device.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void progressStartsTheTimerAnew() {
        HandDriven bed = bed(64);
        bed.traffic.start(windowed(2, 10));
        bed.receive(0, 0);
        bed.deliver(bed.takeSent(0), 1, 90 * US);
        bed.receive(1, 90 * US);
        bed.deliver(bed.takeSent(1), 0, 90 * US);
        bed.receive(0, 90 * US);
        assertThat(bed.host(0).device.deadlineNs()).isEqualTo(190_000);
    }

    /** Frames and acknowledgements are lost, doubled, held up and corrupted. */
    @Test
    void everythingArrivesInOrderOnceWhateverTheNetworkDoes() {
        for (long seed = 1; seed <= 60; seed++) {
            NamedRandom random = NamedRandom.of(seed, "test", "network");
            boolean corrupts = seed % 3 == 0;
            HandDriven bed =
                    new HandDriven(
                            2,
                            1 + random.nextInt(20),
                            seed,
                            new Traffic.Options(TIMEOUT_PS, corrupts));
            List<Flow> flows = new ArrayList<>();
            long frames = 0;
            for (int i = 0; i < 5; i++) {
                int size = 1 + random.nextInt(200);
                frames += size;
                flows.add(bed.traffic.start(windowed(1 + random.nextInt(20), size)));
                int back = 1 + random.nextInt(50);
                frames += back;
                FlowSpec reverse =
                        FlowSpec.greedy("b", 1, 0, SHAPE)
                                .withWindowFrames(5)
                                .withSizeBytes(back * 958L);
                flows.add(bed.traffic.start(reverse));
            }
            new LossyNetwork(bed, random, corrupts).run(2000 * MS);
            for (Flow flow : flows) {
                assertThat(flow.acknowledgedPs()).as("seed %d", seed).isNotNegative();
                assertThat(flow.statistics().framesReceived())
                        .as("seed %d", seed)
                        .isEqualTo(flow.totalFrames());
            }
            assertThat(
                            bed.traffic.group("w").framesReceived()
                                    + bed.traffic.group("b").framesReceived())
                    .isEqualTo(frames);
            assertThat(bed.host(0).device.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        }
    }

    /** Both directions of a link that treats frames badly, until nothing is under way. */
    private static final class LossyNetwork {
        private record InFlight(long atPs, long number, int to, Copy copy) {}

        private final HandDriven bed;
        private final NamedRandom random;
        private final boolean corrupts;
        private final PriorityQueue<InFlight> flying =
                new PriorityQueue<>(
                        Comparator.comparingLong(InFlight::atPs)
                                .thenComparingLong(InFlight::number));
        private long sent;

        LossyNetwork(HandDriven bed, NamedRandom random, boolean corrupts) {
            this.bed = bed;
            this.random = random;
            this.corrupts = corrupts;
        }

        void run(long untilPs) {
            long atPs = 0;
            drain(0, atPs);
            drain(1, atPs);
            while (atPs < untilPs) {
                long nextPs = Math.min(deadlinePs(0), deadlinePs(1));
                if (!flying.isEmpty()) {
                    nextPs = Math.min(nextPs, flying.peek().atPs);
                }
                if (nextPs == Long.MAX_VALUE) {
                    return;
                }
                atPs = Math.max(atPs, nextPs);
                while (!flying.isEmpty() && flying.peek().atPs <= atPs) {
                    InFlight next = flying.remove();
                    bed.deliver(next.copy, next.to, atPs);
                }
                drain(0, atPs);
                drain(1, atPs);
            }
        }

        private long deadlinePs(int host) {
            long ns = bed.host(host).device.deadlineNs();
            return ns == Long.MAX_VALUE ? ns : ns * NS;
        }

        private void drain(int host, long atPs) {
            while (bed.receive(host, atPs) > 0) {
                for (Copy copy : bed.takeAllSent(host)) {
                    int fate = random.nextInt(100);
                    if (fate < 5) {
                        continue;
                    }
                    if (corrupts && fate < 10) {
                        int bit = random.nextInt(8 * copy.bytes.length);
                        copy.bytes[bit >>> 3] ^= (byte) (1 << (bit & 7));
                    }
                    long delayPs = US + (fate >= 95 ? random.nextInt(30) * US : 0);
                    flying.add(new InFlight(atPs + delayPs, sent++, 1 - host, copy));
                    if (fate >= 90 && fate < 93) {
                        flying.add(new InFlight(atPs + 2 * delayPs, sent++, 1 - host, copy));
                    }
                }
            }
        }
    }
}
