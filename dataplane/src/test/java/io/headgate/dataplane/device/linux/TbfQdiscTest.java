package io.headgate.dataplane.device.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holding senders back before a TAP. */
@Tag("netns")
class TbfQdiscTest {
    private static final int FRAME_BYTES = 1514;
    private static final int LIMIT_BYTES = 1_000_000;

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
                TbfQdisc bucket = TbfQdisc.open(host, "tap0", LIMIT_BYTES, 10_000_000, 3100, 1542);
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
    void whatItHasNoRoomForIsCounted() throws Exception {
        try (TestPort port = tap();
                TbfQdisc bucket = TbfQdisc.open(host, "tap0", 10_000, 10_000_000, 3100, 1542);
                RawEnd application = new RawEnd(host, "tap0")) {
            for (byte[] frame : frames(100)) {
                application.trySend(frame);
            }
            assertThat(bucket.readStatistics()).isZero();
            assertThat(bucket.droppedFrames()).isBetween(50L, 99L);
            assertThat(port.device.isUp()).isTrue();
        }
    }

    @Test
    void anInterfaceThatIsMissingIsNamed() {
        assertThatThrownBy(() -> TbfQdisc.open(host, "tap9", LIMIT_BYTES, 10_000_000, 3100, 84))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("tap9");
    }

    @Test
    void ratesAboveFourGigabytesASecondAreTaken() throws Exception {
        try (TestPort port = tap();
                TbfQdisc bucket =
                        TbfQdisc.open(host, "tap0", LIMIT_BYTES, 100_000_000_000L, 1 << 20, 84)) {
            assertThat(bucket.change(400_000_000_000L, 1 << 20, 84)).isZero();
            assertThat(port.device.isUp()).isTrue();
        }
    }
}
