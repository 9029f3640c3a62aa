package io.headgate.testbed.traffic;

import static io.headgate.testbed.traffic.HandDriven.US;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.traffic.HandDriven.Copy;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a host makes of frames that arrive, of its own and of anybody's. */
class FrameReceiverTest {
    private static final FrameShape UDP_1000 = FrameShape.udp(1000);

    @Test
    void theReceiverCountsLossAndReorderingOfDatagrams() {
        HandDriven bed = new HandDriven(2, 16);
        Flow flow = bed.traffic.start(FlowSpec.greedy("f", 0, 1, UDP_1000).withSizeBytes(10 * 958));
        assertThat(bed.receive(0, 0)).isEqualTo(10);
        List<Copy> copies = bed.takeAllSent(0);
        int[] order = {0, 1, 4, 2, 5, 9, 8};
        for (int i = 0; i < order.length; i++) {
            bed.deliver(copies.get(order[i]), 1, (i + 1) * US);
        }
        FlowStatistics statistics = flow.statistics();
        assertThat(statistics.framesSent()).isEqualTo(10);
        assertThat(statistics.framesReceived()).isEqualTo(7);
        assertThat(statistics.framesReordered()).isEqualTo(2);
        assertThat(statistics.framesMissing()).isEqualTo(3);
        assertThat(statistics.framesNotArrived()).isEqualTo(3);
        assertThat(statistics.firstArrivalPs()).isEqualTo(US);
        assertThat(statistics.lastArrivalPs()).isEqualTo(7 * US);
        assertThat(statistics.delayMeanNs()).isEqualTo(4000);
        assertThat(statistics.delayMaxPs()).isEqualTo(7 * US);
        assertThat(flow.finishedPs()).isEqualTo(Flow.NOT_YET);
        bed.deliver(copies.get(3), 1, 8 * US);
        bed.deliver(copies.get(6), 1, 9 * US);
        List<FlowLog.Entry> before = bed.traffic.log().entries();
        bed.deliver(copies.get(7), 1, 10 * US);
        assertThat(before).isEmpty();
        assertThat(flow.finishedPs()).isEqualTo(10 * US);
        assertThat(bed.traffic.log().entries().getFirst().completionPs()).isEqualTo(10 * US);
        assertThat(bed.traffic.group("f").flowsFinished()).isEqualTo(1);
    }

    @Test
    void marksAreThoseAboveTheCodePointThatWasSent() {
        HandDriven bed = new HandDriven(2, 8);
        Flow dcqcn =
                bed.traffic.start(
                        FlowSpec.greedy("d", 0, 1, UDP_1000.withEcn(FrameShape.ECT_0))
                                .withSizeBytes(2 * 958));
        Flow tcd =
                bed.traffic.start(
                        FlowSpec.greedy("t", 0, 1, UDP_1000.withEcn(FrameShape.ECT_1))
                                .withSizeBytes(3 * 958));
        assertThat(bed.receive(0, 0)).isEqualTo(5);
        int tcdFrames = 0;
        for (Copy copy : bed.takeAllSent(0)) {
            if (copy.flow() == 1) {
                // As sent, undetermined, CE.
                copy.bytes[15] = (byte) ((copy.bytes[15] & ~3) | ++tcdFrames);
            } else if (copy.sequence() == 1) {
                copy.bytes[15] |= 3;
            }
            bed.deliver(copy, 1, US);
        }
        assertThat(dcqcn.statistics().framesCe()).isEqualTo(1);
        assertThat(dcqcn.statistics().framesUe()).isZero();
        assertThat(tcd.statistics().framesCe()).isEqualTo(1);
        assertThat(tcd.statistics().framesUe()).isEqualTo(1);
    }

    @Test
    void aFrameOfACompleteFlowIsLateAlsoWhenOthersHaveBegun() {
        HandDriven bed = new HandDriven(2, 8);
        bed.traffic.start(
                ArrivalSpec.of(
                        "one by one",
                        0,
                        List.of(1),
                        ArrivalProcess.Poisson.forLoad(
                                SizeDistribution.fixed(958), 1_000_000_000L, 0.1),
                        SizeDistribution.fixed(958),
                        UDP_1000));
        TrafficDevice receiver = bed.host(1).device;
        List<Copy> received = new ArrayList<>();
        for (int flow = 0; flow < 5; flow++) {
            Copy next = nextFrame(bed);
            assertThat(next.flow()).isEqualTo(flow);
            for (Copy earlier : received) {
                bed.deliver(earlier, 1, bed.nowPs);
            }
            bed.deliver(next, 1, bed.nowPs);
            received.add(next);
            assertThat(bed.traffic.group("one by one").flowsFinished()).isEqualTo(flow + 1);
            bed.deliver(next, 1, bed.nowPs);
        }
        assertThat(receiver.framesLate()).isEqualTo(0 + 1 + 2 + 3 + 4 + 5);
        assertThat(receiver.framesForeign()).isZero();
    }

    /** The receiver does not know at once that its sender knows a flow to be complete. */
    @Test
    void aReceiverFindsACompleteFlowForAsLongAsHostsCanBeApart() {
        HandDriven bed = new HandDriven(2, 8);
        bed.apartPs = 10 * US;
        bed.traffic.start(
                ArrivalSpec.of(
                                "asked",
                                0,
                                List.of(1),
                                ArrivalProcess.Poisson.forLoad(
                                        SizeDistribution.fixed(958), 1_000_000L, 0.1),
                                SizeDistribution.fixed(958),
                                UDP_1000)
                        .withWindowFrames(1));
        Copy data = nextFrame(bed);
        bed.deliver(data, 1, bed.nowPs);
        assertThat(bed.receive(1, bed.nowPs)).isEqualTo(1);
        bed.deliver(bed.takeSent(1), 0, bed.nowPs);
        long completedPs = bed.nowPs;
        TrafficDevice receiver = bed.host(1).device;
        bed.deliver(data, 1, completedPs + 10 * US - 1);
        assertThat(receiver.framesLate()).isZero();
        bed.deliver(data, 1, completedPs + 10 * US);
        assertThat(receiver.framesLate()).isEqualTo(1);
        assertThat(receiver.framesReceived()).isEqualTo(3);
    }

    private static Copy nextFrame(HandDriven bed) {
        int count = 0;
        while (count == 0) {
            count = bed.receive(0, Math.max(bed.nowPs, bed.host(0).device.deadlineNs() * 1000));
        }
        assertThat(count).isEqualTo(1);
        return bed.takeSent(0);
    }

    @Test
    void hostileFramesAreCountedAndChangeNothing() {
        long seed = 5;
        HandDriven bed = new HandDriven(3, 16);
        Flow flow = bed.traffic.start(FlowSpec.greedy("f", 0, 1, UDP_1000).withSizeBytes(20 * 958));
        bed.receive(0, 0);
        Copy good = bed.takeSent(0);
        NamedRandom random = NamedRandom.of(seed, "fuzz", "test");
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = good.bytes.clone();
            int changes = 1 + random.nextInt(20);
            for (int change = 0; change < changes; change++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            int kept = i % 2 == 0 ? bytes.length : 14 + random.nextInt(bytes.length - 13);
            Copy hostile = new Copy(Arrays.copyOf(bytes, kept), good.lengthBytes);
            bed.deliver(hostile, random.nextInt(3), US);
            bed.receive(1, 2 * US);
            bed.takeAllSent(1);
        }
        assertThat(bed.host(2).device.framesForeign()).isPositive();
        assertThat(bed.host(1).device.framesLate()).isPositive();
        assertThat(flow.statistics().framesSent()).isEqualTo(16);
    }
}
