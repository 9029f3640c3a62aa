package io.headgate.dataplane.device.linux.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.RawEnd;
import io.headgate.dataplane.device.linux.TestNetwork;
import io.headgate.dataplane.device.linux.TestPort;
import io.headgate.dataplane.device.tap.TapDevice;
import io.headgate.dataplane.device.tap.TapSteering;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holding senders back before a TAP. */
@Tag("netns")
class TbfQdiscTest {
    private static final int FRAME_BYTES = 1514;
    private static final int LIMIT_BYTES = 1_000_000;

    /** So slow that a sender which the machine holds up for seconds still sends too much. */
    private static final long SLOW_BPS = 100_000;

    private final TestNetwork network = new TestNetwork();
    private String host = "";

    @BeforeEach
    void makeNamespace() {
        host = network.namespace("q");
    }

    @AfterEach
    void removeNamespace() {
        network.close();
    }

    private TestPort tap() throws Exception {
        return new TestPort(
                new FrameRegion(TestPort.SLOTS, 2048),
                region -> TapDevice.open(host, "tap0", true, 1500, region));
    }

    private static List<byte[]> frames(int count) {
        List<byte[]> frames = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            frames.add(TestPort.numbered(number, FRAME_BYTES));
        }
        return frames;
    }

    @Test
    void whatIsSentWaitsInItAndLeavesWhenTheRateRises() throws Exception {
        try (TestPort port = tap();
                TbfQdisc bucket =
                        TbfQdisc.open(host, "tap0", 1, LIMIT_BYTES, 10_000_000, 3100, 1542)
                                .getFirst();
                // A packet socket as an application uses it, through the queueing discipline.
                RawEnd application = new RawEnd(host, "tap0")) {
            for (byte[] frame : frames(40)) {
                application.send(frame);
            }
            assertThat(bucket.readStatistics()).isZero();
            assertThat(bucket.backlogBytes()).isPositive();
            assertThat(bucket.change(1_000_000_000, 100_000, 84)).isZero();
            assertThat(port.await(40)).hasSize(40);
            assertThat(bucket.readStatistics()).isZero();
            assertThat(bucket.backlogBytes()).isZero();
            assertThat(bucket.droppedFrames()).isZero();
            assertThat(port.receiveDrops(DropReason.TAP_RING_FULL)).isZero();
        }
    }

    @Test
    void whatWaitsInAQueueHoldsUpNobodyInAnother() throws Exception {
        TapSteering steering =
                new TapSteering(4, List.of(new TapSteering.Flows(TapSteering.Flows.UDP, 5001)));
        try (TestPort port =
                        new TestPort(
                                new FrameRegion(TestPort.SLOTS, 2048),
                                region ->
                                        TapDevice.open(
                                                host, "tap0", true, 1500, region, steering,
                                                false));
                RawEnd application = new RawEnd(host, "tap0")) {
            List<TbfQdisc> buckets =
                    TbfQdisc.open(host, "tap0", 4, LIMIT_BYTES, 1_000_000_000, 100_000, 84);
            try {
                for (int queue = 1; queue < 4; queue++) {
                    assertThat(buckets.get(queue).change(10_000, 3100, 1542)).isZero();
                }
                for (int number = 0; number < 20; number++) {
                    application.send(udp(5001, number));
                    application.send(udp(5002, number));
                    application.send(TestPort.numbered(number, FRAME_BYTES));
                }
                List<byte[]> came = port.await(42);
                // Two of the flow that is held, which are a burst, and all others.
                assertThat(came.stream().filter(frame -> port(frame) == 5002).count())
                        .isEqualTo(20);
                assertThat(came.stream().filter(frame -> port(frame) == 5001).count()).isEqualTo(2);
                assertThat(came.size()).isEqualTo(42);
                for (TbfQdisc bucket : buckets) {
                    assertThat(bucket.readStatistics()).isZero();
                    assertThat(bucket.droppedFrames()).isZero();
                }
                assertThat(buckets.stream().filter(bucket -> bucket.backlogBytes() > 0).count())
                        .isEqualTo(1);
                for (TbfQdisc bucket : buckets) {
                    bucket.change(1_000_000_000, 100_000, 84);
                }
            } finally {
                buckets.forEach(TbfQdisc::close);
            }
        }
    }

    /** A datagram to a port, over IPv4. */
    private static byte[] udp(int port, int number) {
        byte[] frame = TestPort.numbered(number, FRAME_BYTES);
        // The same addresses in each: one flow.
        Arrays.fill(frame, 12, 42, (byte) 0);
        frame[12] = 0x08;
        frame[14] = 0x45;
        frame[23] = 17;
        frame[36] = (byte) (port >>> 8);
        frame[37] = (byte) port;
        return frame;
    }

    private static int port(byte[] frame) {
        boolean isUdp = frame[12] == 0x08 && frame[13] == 0 && frame[23] == 17;
        return isUdp ? ((frame[36] & 0xFF) << 8) | (frame[37] & 0xFF) : 0;
    }

    /** As by another tool: deleted, replaced under its own number, given another rate. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "qdisc del dev tap0 root",
                "qdisc replace dev tap0 root pfifo",
                "qdisc replace dev tap0 root handle 1: pfifo",
                "qdisc change dev tap0 root handle 1: tbf rate 1gbit burst 100kb limit 50kb"
            })
    void oneThatOthersHaveRemovedOrChangedIsSeenAndPutBack(String command) throws Exception {
        try (TestPort port = tap();
                TbfQdisc bucket =
                        TbfQdisc.open(host, "tap0", 1, LIMIT_BYTES, 10_000_000, 3100, 1542)
                                .getFirst();
                RawEnd application = new RawEnd(host, "tap0")) {
            assertThat(bucket.readStatistics()).isZero();
            assertThat(bucket.isInPlace()).isTrue();
            List<String> words = new ArrayList<>(List.of("tc"));
            words.addAll(List.of(command.split(" ")));
            if (command.contains("handle 1: pfifo")) {
                network.exec(host, "tc", "qdisc", "del", "dev", "tap0", "root");
            }
            network.exec(host, words.toArray(String[]::new));
            assertThat(bucket.readStatistics()).isZero();
            assertThat(bucket.isInPlace()).isFalse();
            assertThat(bucket.restore(SLOW_BPS, 3100, 1542)).isZero();
            assertThat(bucket.readStatistics()).isZero();
            assertThat(bucket.isInPlace()).isTrue();
            for (byte[] frame : frames(40)) {
                application.send(frame);
            }
            assertThat(bucket.readStatistics()).isZero();
            assertThat(bucket.backlogBytes()).isPositive();
            assertThat(port.device.isUp()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "qdisc del dev tap0 root",
                "qdisc replace dev tap0 root pfifo",
                "qdisc replace dev tap0 parent 1:2 handle 77: pfifo"
            })
    void thoseOfSeveralQueuesArePutBackToo(String command) throws Exception {
        TapSteering steering = new TapSteering(4, List.of());
        try (TestPort port =
                new TestPort(
                        new FrameRegion(TestPort.SLOTS, 2048),
                        region ->
                                TapDevice.open(
                                        host, "tap0", true, 1500, region, steering, false))) {
            List<TbfQdisc> buckets =
                    TbfQdisc.open(host, "tap0", 4, LIMIT_BYTES, 1_000_000_000, 100_000, 84);
            try {
                List<String> words = new ArrayList<>(List.of("tc"));
                words.addAll(List.of(command.split(" ")));
                network.exec(host, words.toArray(String[]::new));
                buckets.forEach(TbfQdisc::readStatistics);
                assertThat(buckets).anyMatch(bucket -> !bucket.isInPlace());
                for (TbfQdisc bucket : buckets) {
                    if (!bucket.isInPlace()) {
                        assertThat(bucket.restore(1_000_000_000, 100_000, 84)).isZero();
                    }
                }
                buckets.forEach(TbfQdisc::readStatistics);
                assertThat(buckets).allMatch(TbfQdisc::isInPlace);
                assertThat(port.device.isUp()).isTrue();
            } finally {
                buckets.forEach(TbfQdisc::close);
            }
        }
    }

    @Test
    void whatItHasNoRoomForIsCounted() throws Exception {
        try (TestPort port = tap();
                TbfQdisc bucket =
                        TbfQdisc.open(host, "tap0", 1, 10_000, SLOW_BPS, 3100, 1542).getFirst();
                RawEnd application = new RawEnd(host, "tap0")) {
            for (byte[] frame : frames(100)) {
                application.trySend(frame);
            }
            assertThat(bucket.readStatistics()).isZero();
            assertThat(bucket.droppedFrames()).isBetween(50L, 99L);
            assertThat(port.device.isUp()).isTrue();
        }
    }

    /** The kernel's count goes on if only its rate was changed, and restarts if it was deleted. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "qdisc change dev tap0 root handle 1: tbf rate 1gbit burst 100kb limit 50kb",
                "qdisc del dev tap0 root"
            })
    void whatItHasNoRoomForIsCountedOnceThoughItWasPutBack(String command) throws Exception {
        try (TestPort port = tap();
                TbfQdisc bucket =
                        TbfQdisc.open(host, "tap0", 1, 10_000, SLOW_BPS, 3100, 1542).getFirst();
                RawEnd application = new RawEnd(host, "tap0")) {
            for (byte[] frame : frames(100)) {
                application.trySend(frame);
            }
            assertThat(bucket.readStatistics()).isZero();
            long dropped = bucket.droppedFrames();
            assertThat(dropped).isPositive();
            List<String> words = new ArrayList<>(List.of("tc"));
            words.addAll(List.of(command.split(" ")));
            network.exec(host, words.toArray(String[]::new));
            assertThat(bucket.readStatistics()).isZero();
            assertThat(bucket.restore(SLOW_BPS, 3100, 1542)).isZero();
            assertThat(bucket.readStatistics()).isZero();
            assertThat(bucket.droppedFrames()).isEqualTo(dropped);
            assertThat(port.device.isUp()).isTrue();
        }
    }

    @Test
    void anInterfaceThatIsMissingIsNamed() {
        assertThatThrownBy(() -> TbfQdisc.open(host, "tap9", 1, LIMIT_BYTES, 10_000_000, 3100, 84))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("tap9");
    }

    @Test
    void ratesAboveFourGigabytesASecondAreTaken() throws Exception {
        try (TestPort port = tap();
                TbfQdisc bucket =
                        TbfQdisc.open(host, "tap0", 1, LIMIT_BYTES, 100_000_000_000L, 1 << 20, 84)
                                .getFirst()) {
            assertThat(bucket.change(400_000_000_000L, 1 << 20, 84)).isZero();
            assertThat(port.device.isUp()).isTrue();
        }
    }
}
