package io.headgate.testbed.traffic;

import static io.headgate.testbed.traffic.HandDriven.MS;
import static io.headgate.testbed.traffic.HandDriven.NS;
import static io.headgate.testbed.traffic.HandDriven.SECOND;
import static io.headgate.testbed.traffic.HandDriven.US;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.testbed.traffic.HandDriven.Copy;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import io.headgate.testbed.traffic.spec.Workloads;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When flows begin that follow one another at a host. */
class FlowSourceTest {
    private static final FrameShape UDP_1000 = FrameShape.udp(1000);

    @Test
    void poissonArrivalsLoadTheLinkAsAsked() {
        HandDriven bed = new HandDriven(4, 64);
        SizeDistribution sizes = Workloads.named("googlerpc2008_hpcc");
        double load = 0.5;
        bed.traffic.start(
                ArrivalSpec.of(
                        "rpc",
                        0,
                        List.of(0, 1, 2, 3),
                        ArrivalProcess.Poisson.forLoad(sizes, 10_000_000_000L, load),
                        sizes,
                        UDP_1000));
        TrafficDevice device = bed.host(0).device;
        long[] byDestination = new long[4];
        for (long atNs = 0; atNs < 200_000_000; atNs = device.deadlineNs()) {
            while (bed.receive(0, atNs * NS) > 0) {
                for (Copy copy : bed.takeAllSent(0)) {
                    byDestination[copy.bytes[5] - 1]++;
                    bed.deliver(copy, copy.bytes[5] - 1, atNs * NS);
                }
            }
        }
        FlowGroup group = bed.traffic.group("rpc");
        double expected = 0.2 * 10e9 * load / 8 / sizes.meanBytes();
        assertThat(group.flowsStarted() / expected).isCloseTo(1, within(5 / Math.sqrt(expected)));
        assertThat(group.flowsFinished()).isEqualTo(group.flowsStarted());
        assertThat(bed.traffic.log().entries().size()).isEqualTo((int) group.flowsFinished());
        double bytes =
                bed.traffic.log().entries().stream().mapToDouble(FlowLog.Entry::sizeBytes).sum();
        double variance = sizes.meanSquareBytes() / (sizes.meanBytes() * sizes.meanBytes());
        assertThat(bytes * 8 / 0.2 / 10e9)
                .isCloseTo(load, within(5 * load * Math.sqrt(variance / expected)));
        assertThat(byDestination[0]).isZero();
        assertThat(byDestination[1]).isPositive();
        assertThat(byDestination[2]).isPositive();
        assertThat(byDestination[3]).isPositive();
    }

    @Test
    void aLastFrameThatIsSentAgainBeginsNoSecondFlowOfAClosedLoop() {
        HandDriven bed = new HandDriven(2, 4);
        bed.traffic.start(
                ArrivalSpec.of(
                                "loop",
                                0,
                                List.of(1),
                                new ArrivalProcess.ClosedLoop(1000 * SECOND),
                                SizeDistribution.fixed(958),
                                UDP_1000)
                        .withWindowFrames(1));
        TrafficDevice device = bed.host(0).device;
        bed.receive(0, 0);
        long atPs = device.deadlineNs() * NS;
        assertThat(bed.receive(0, atPs)).isEqualTo(1);
        for (int again = 0; again < 3; again++) {
            bed.takeAllSent(0);
            assertThat(bed.receive(0, atPs + US)).isZero();
            // No acknowledgement comes.
            atPs = device.deadlineNs() * NS;
            assertThat(bed.receive(0, atPs)).isEqualTo(1);
        }
        assertThat(bed.traffic.group("loop").flowsStarted()).isEqualTo(1);
    }

    @Test
    void aClosedLoopWaitsUntilTheLastFrameHasLeftTheCard() {
        HandDriven bed = new HandDriven(2, 4);
        bed.traffic.start(
                ArrivalSpec.of(
                        "loop",
                        0,
                        List.of(1),
                        new ArrivalProcess.ClosedLoop(10 * MS),
                        SizeDistribution.fixed(2 * 958),
                        UDP_1000));
        TrafficDevice device = bed.host(0).device;
        bed.receive(0, 0);
        double slept = 0;
        int rounds = 20_000;
        long leftPs = 0;
        int port = 0;
        for (int i = 0; i < rounds; i++) {
            long atPs = device.deadlineNs() * NS;
            slept += atPs - leftPs;
            assertThat(bed.receive(0, atPs)).isEqualTo(2);
            assertThat(device.deadlineNs()).isEqualTo(Long.MAX_VALUE);
            Copy first = bed.takeSent(0);
            assertThat(bed.receive(0, atPs + US)).isZero();
            assertThat(device.deadlineNs()).isEqualTo(Long.MAX_VALUE);
            port = port == 0 ? first.u16(34) : port;
            assertThat(first.u16(34)).as("one source port for all").isEqualTo(port);
            bed.takeSent(0);
            leftPs = atPs + 2 * US;
            assertThat(bed.receive(0, leftPs)).isZero();
            assertThat(device.deadlineNs() * NS).isGreaterThanOrEqualTo(leftPs);
        }
        assertThat(slept / rounds).isCloseTo(10.0 * MS, within(5 * 10 * MS / 141.0));
    }

    @Test
    void incastComesFromAllSendersAtTheSameTimes() {
        HandDriven bed = new HandDriven(4, 64);
        ArrivalSpec.incast("in", List.of(0, 1, 2), 3, 5 * 958, 100 * US, 0, UDP_1000)
                .forEach(bed.traffic::start);
        for (int round = 0; round < 3; round++) {
            for (int host = 0; host < 3; host++) {
                assertThat(bed.receive(host, round * 100L * US)).isEqualTo(5);
                assertThat(bed.host(host).device.deadlineNs() * NS)
                        .isEqualTo((round + 1) * 100L * US);
                bed.takeAllSent(host).forEach(copy -> bed.deliver(copy, 3, bed.nowPs));
            }
        }
        assertThat(bed.traffic.group("in").framesReceived()).isEqualTo(45);
    }

    @Test
    void jitterIsDrawnForEachSenderByItself() {
        HandDriven bed = new HandDriven(3, 64);
        ArrivalSpec.incast("in", List.of(0, 1), 2, 958, 100 * US, 50 * US, UDP_1000)
                .forEach(bed.traffic::start);
        Set<Long> offsets = new HashSet<>();
        for (int host = 0; host < 2; host++) {
            bed.receive(host, 0);
            for (int round = 0; round < 50; round++) {
                long atPs = bed.host(host).device.deadlineNs() * NS;
                assertThat(atPs / (100 * US)).isEqualTo(round);
                assertThat(atPs % (100 * US)).isLessThan(50 * US);
                offsets.add(atPs % (100 * US));
                assertThat(bed.receive(host, atPs)).isEqualTo(1);
                bed.takeAllSent(host);
            }
        }
        assertThat(offsets).hasSizeGreaterThan(95);
    }
}
