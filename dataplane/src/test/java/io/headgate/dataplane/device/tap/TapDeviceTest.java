package io.headgate.dataplane.device.tap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.PortConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.afpacket.AfPacketDevice;
import io.headgate.dataplane.device.linux.Allocation;
import io.headgate.dataplane.device.linux.TestNetwork;
import io.headgate.dataplane.device.linux.TestPort;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.Offload;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.runner.DeviceFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("netns")
class TapDeviceTest {
    private final TestNetwork network = new TestNetwork();
    private String host = "";

    @BeforeEach
    void makeNamespace() {
        host = network.namespace("t");
    }

    @AfterEach
    void removeNamespace() {
        network.close();
    }

    private TestPort tap() throws Exception {
        return tap(true);
    }

    private TestPort tap(boolean create) throws Exception {
        return new TestPort(
                new FrameRegion(TestPort.SLOTS, 2048),
                region -> TapDevice.open(host, "tap0", create, 1500, region));
    }

    /** A port whose mechanisms add to frames has them fit through its TAP. */
    @Test
    void theMtuIsThePortsWithWhatItsMechanismsAdd() throws Exception {
        PortConfig port =
                SwitchConfigReader.read(
                                """
                                name: s1
                                ports:
                                  - name: p1
                                    device: {tap: {netns: %s, interface: tap0}}
                                    mtu: 1400
                                    congestion: {grower: {bytes: 60}}
                                """
                                        .formatted(host),
                                "t.yaml")
                        .ports()
                        .getFirst();
        PortDevice device = new DeviceFactory(new FrameRegion(64, 2048)).open(port);
        try {
            assertThat(LinuxInterface.read(host, "tap0").mtuBytes()).isEqualTo(1460);
        } finally {
            device.close();
        }
    }

    /** The host's side: a packet socket on the TAP interface. */
    private TestPort hostSide() throws Exception {
        LinuxInterface.read(host, "tap0").set(Offload.GRO, false);
        return TestPort.afPacket(host, "tap0");
    }

    @Test
    void framesPassBothWaysInOrderAndUnchanged() throws Exception {
        try (TestPort port = tap();
                TestPort other = hostSide()) {
            assertThat(TestPort.becomes(port, true)).isTrue();
            List<byte[]> out = new ArrayList<>();
            List<byte[]> in = new ArrayList<>();
            for (int index = 0; index < 50; index++) {
                out.add(TestPort.numbered(index, 60 + index * 29));
                in.add(TestPort.tagged(TestPort.numbered(100 + index, 60), 0x8100, 0xA000 | index));
            }
            assertThat(port.transmit(out)).isEqualTo(50);
            assertThat(other.await(50)).containsExactlyElementsOf(out);
            assertThat(other.transmit(in)).isEqualTo(50);
            assertThat(port.await(50)).containsExactlyElementsOf(in);
        }
    }

    /** UDP, of some flow. */
    private static byte[] datagram(int number) {
        byte[] frame = TestPort.numbered(number, 100);
        ByteBuffer ip = ByteBuffer.wrap(frame).putShort(12, (short) 0x0800).position(14).slice();
        ip.putInt(0, 0x4500_0056).putInt(4, 0).putInt(8, 0x4011_0000);
        ip.putInt(12, 0x0A00_0001).putInt(16, 0x0A00_0002);
        ip.putInt(20, (1000 + number % 32) << 16 | 7).putInt(24, 0x0042_0000);
        return frame;
    }

    @Test
    void framesOfAllQueuesCome() throws Exception {
        TapSteering steering = new TapSteering(8, List.of());
        try (TestPort port =
                        new TestPort(
                                new FrameRegion(TestPort.SLOTS, 2048),
                                region ->
                                        TapDevice.open(
                                                host, "tap0", true, 1500, region, steering,
                                                false));
                TestPort other = hostSide()) {
            assertThat(TestPort.becomes(port, true)).isTrue();
            TapDevice tap = (TapDevice) port.device;
            List<byte[]> sent = new ArrayList<>();
            for (int number = 0; number < 64; number++) {
                sent.add(number % 10 == 0 ? TestPort.numbered(number, 60) : datagram(number));
            }
            assertThat(other.transmit(sent)).isEqualTo(64);
            List<byte[]> came = port.await(64);
            assertThat(came).containsExactlyInAnyOrderElementsOf(sent);
            assertThat(port.receive()).isEmpty();
            // By hand: a look, then the queues in which something waits.
            assertThat(other.transmit(sent.subList(1, 10))).isEqualTo(9);
            int queues = 0;
            int frames = 0;
            for (int round = 0; round < 1_000 && frames < 9; round++) {
                tap.look();
                for (int queue = 0; queue < tap.queues(); queue++) {
                    int count =
                            tap.receive(
                                    port.nowNs(), queue, port.free, port.batch, frames, 9 - frames);
                    frames += count;
                    queues += count > 0 ? 1 : 0;
                }
            }
            assertThat(frames).isEqualTo(9);
            assertThat(queues).as("queues with frames").isGreaterThan(1);
        }
    }

    @Test
    void shortFramesLeavePaddedAndLongOnesAreRefused() throws Exception {
        try (TestPort port = tap();
                TestPort other = hostSide()) {
            byte[] runt = TestPort.numbered(1, 20);
            assertThat(port.transmit(List.of(runt, TestPort.numbered(2, 1519)))).isEqualTo(2);
            assertThat(other.await(1)).containsExactly(Arrays.copyOf(runt, 60));
            assertThat(port.device.transmitStatus().refusedFrames()).isEqualTo(1);
        }
    }

    /** What an interface refuses because it is full stays in the AF_PACKET transmit ring. */
    @Test
    void framesLeftInTheRingLeaveWithoutATransmission() throws Exception {
        try (TestPort port = tap();
                TestPort other = hostSide()) {
            network.exec(host, "ip", "link", "set", "tap0", "txqueuelen", "16");
            List<byte[]> batch = new ArrayList<>();
            for (int index = 0; index < 40; index++) {
                batch.add(TestPort.numbered(index, 60));
            }
            assertThat(other.transmit(batch)).isEqualTo(40);
            assertThat(other.device.transmitStatus().unsent()).isTrue();
            List<byte[]> received = new ArrayList<>(port.await(1));
            assertThat(received.size()).isBetween(1, 39);
            for (int attempt = 0; attempt < 10 && received.size() < 40; attempt++) {
                other.device.completed(other.batch, TestPort.BURST);
                received.addAll(port.receive());
            }
            assertThat(received).containsExactlyElementsOf(batch);
            assertThat(other.device.transmitStatus().unsent()).isFalse();
            // Each attempt had the interface count a drop that was none.
            assertThat(other.transmitDrops(DropReason.KERNEL_TX)).isZero();
        }
    }

    @Test
    void hostsFramesBeyondTheQueueAreCounted() throws Exception {
        try (TestPort port = tap();
                TestPort other = hostSide()) {
            int sent = 0;
            for (int round = 0; round < 40; round++) {
                List<byte[]> batch = new ArrayList<>();
                for (int index = 0; index < TestPort.BURST; index++) {
                    batch.add(TestPort.numbered(sent + index, 60));
                }
                sent += other.transmit(batch);
            }
            int received = port.receive().size();
            long dropped = port.receiveDrops(DropReason.TAP_RING_FULL);
            assertThat(received).isGreaterThan(100).isLessThan(sent);
            assertThat(dropped).isPositive();
        }
    }

    /**
     * An MTU is put back, for example by a watching tool: frames of the old size come before the
     * next look.
     */
    @Test
    void framesOfAnMtuThatHasJustGrownAreTaken() throws Exception {
        try (TestPort port = tap()) {
            network.exec(host, "ip", "link", "set", "tap0", "mtu", "1400");
            assertThat(TestPort.becomes(port, true)).isTrue();
            long nowNs = port.nowNs() + 1_000_000_000L;
            assertThat(port.device.receive(nowNs, port.free, port.batch, 8)).isZero();
            network.exec(host, "ip", "link", "set", "tap0", "mtu", "1500");
            try (TestPort other = hostSide()) {
                assertThat(other.transmit(TestPort.numbered(1, 1514))).isTrue();
                assertThat(port.device.receive(nowNs, port.free, port.batch, 8)).isEqualTo(1);
                assertThat(port.receiveDrops(DropReason.OVERSIZE)).isZero();
            }
        }
    }

    @Test
    void refusedFramesCountAgainstTheBurst() throws Exception {
        try (TestPort port = tap()) {
            network.exec(host, "ip", "link", "set", "tap0", "mtu", "4000");
            assertThat(TestPort.becomes(port, true)).isTrue();
            LinuxInterface.read(host, "tap0").set(Offload.GRO, false);
            try (TestPort other =
                    new TestPort(
                            new FrameRegion(64, 8192),
                            region -> AfPacketDevice.open(host, "tap0", region, 64))) {
                List<byte[]> longer = Collections.nCopies(40, TestPort.numbered(1, 3000));
                assertThat(other.transmit(longer)).isEqualTo(40);
                assertThat(other.transmit(TestPort.numbered(2, 60))).isTrue();
                for (int call = 1; call <= 5; call++) {
                    assertThat(port.device.receive(port.nowNs(), port.free, port.batch, 8))
                            .isZero();
                    assertThat(port.receiveDrops(DropReason.OVERSIZE)).isEqualTo(8L * call);
                }
                assertThat(port.await(1)).containsExactly(TestPort.numbered(2, 60));
                assertThat(port.free.size()).isEqualTo(TestPort.SLOTS);
            }
        }
    }

    @Test
    void interfaceThatGoesDownComesBackAndADeletedOneIsGone() throws Exception {
        try (TestPort port = tap()) {
            assertThat(TestPort.becomes(port, true)).isTrue();
            network.exec(host, "ip", "link", "set", "tap0", "down");
            assertThat(port.transmit(TestPort.numbered(1, 60))).isFalse();
            assertThat(TestPort.becomes(port, false)).isTrue();
            assertThat(port.device.isGone()).isFalse();
            network.exec(host, "ip", "link", "set", "tap0", "up");
            assertThat(TestPort.becomes(port, true)).isTrue();
            assertThat(port.transmit(TestPort.numbered(1, 60))).isTrue();
            network.exec(host, "ip", "link", "del", "tap0");
            assertThat(TestPort.becomes(port, false)).isTrue();
            assertThat(port.device.isGone()).isTrue();
            assertThat(port.transmit(TestPort.numbered(1, 60))).isFalse();
            try (TestPort again = tap()) {
                assertThat(TestPort.becomes(again, true)).isTrue();
            }
        }
    }

    @Test
    void ownInterfaceVanishesOnClosingAndAPersistentOneStays() throws Exception {
        tap().close();
        assertThat(network.exec(host, "ip", "-br", "link")).doesNotContain("tap0");
        network.exec(host, "ip", "tuntap", "add", "dev", "tap0", "mode", "tap");
        TestPort port = tap(false);
        assertThatThrownBy(() -> tap(false))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("another process uses it");
        port.close();
        port.close();
        assertThat(network.exec(host, "ip", "-br", "link")).contains("tap0");
        assertThatThrownBy(this::tap)
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("already exists; use it with 'create: false'")
                .hasMessageContaining("'ip -n " + host + " link del tap0'");
    }

    @Test
    void onePersistentTapOfSeveralQueuesIsAsGoodAndStillOneProcesss() throws Exception {
        network.exec(host, "ip", "tuntap", "add", "dev", "tap0", "mode", "tap", "multi_queue");
        try (TestPort port = tap(false);
                TestPort other = hostSide()) {
            assertThat(TestPort.becomes(port, true)).isTrue();
            List<byte[]> frames = List.of(TestPort.numbered(1, 60), TestPort.numbered(2, 1000));
            assertThat(port.transmit(frames)).isEqualTo(2);
            assertThat(other.await(2)).containsExactlyElementsOf(frames);
            assertThat(other.transmit(frames)).isEqualTo(2);
            assertThat(port.await(2)).containsExactlyElementsOf(frames);
            assertThatThrownBy(() -> tap(false))
                    .isInstanceOf(DeviceException.class)
                    .hasMessageContaining("another process uses it");
        }
        assertThat(network.exec(host, "ip", "-br", "link")).contains("tap0");
    }

    @Test
    void whereSeveralQueuesAreNeededOneIsNotEnough() throws Exception {
        network.exec(host, "ip", "tuntap", "add", "dev", "tap0", "mode", "tap");
        TapSteering steering = new TapSteering(4, List.of());
        FrameRegion region = new FrameRegion(TestPort.SLOTS, 2048);
        assertThatThrownBy(() -> TapDevice.open(host, "tap0", false, 1500, region, steering, false))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("one queue, but several are needed")
                .hasMessageContaining("'ip tuntap add dev NAME mode tap multi_queue'");
    }

    @Test
    void whatIsMissingOrNoTapIsNamedInOneSentence() throws Exception {
        assertThatThrownBy(() -> tap(false))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("there is no TAP 'tap0' in network namespace '" + host + "'")
                .hasMessageContaining("'ip -n " + host + " tuntap add dev tap0 mode tap'");
        network.veth(host, "tap0", host, "peer0", 1500);
        assertThatThrownBy(() -> tap(false))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("is not a TAP");
        assertThatThrownBy(() -> TapDevice.open(host, "tap1", true, 9000, new FrameRegion(1, 2048)))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("MTU of 9000");
        assertThat(network.exec(host, "ip", "-br", "link")).doesNotContain("tap1");
    }

    @Test
    void kernelsTrafficHasItsChecksums() throws Exception {
        try (TestPort port = tap()) {
            network.exec(host, "ip", "addr", "add", "10.9.0.1/24", "dev", "tap0");
            network.exec(
                    host,
                    "ip",
                    "neigh",
                    "add",
                    "10.9.0.2",
                    "lladdr",
                    "02:00:00:00:00:02",
                    "dev",
                    "tap0");
            network.exec(
                    host,
                    TestNetwork.PYTHON,
                    "-c",
                    """
                    import socket
                    s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)
                    s.sendto(b'headgate1',('10.9.0.2',7))
                    """);
            List<byte[]> frames = port.await(1);
            assertThat(frames).hasSize(1);
            assertThat(TestPort.transportChecksum(frames.get(0))).isZero();
        }
    }

    @Test
    void warmFramesAllocateNothing() throws Exception {
        try (TestPort port = tap();
                TestPort other = hostSide()) {
            Frame[] out = new Frame[32];
            Frame[] in = new Frame[32];
            for (int index = 0; index < out.length; index++) {
                out[index] = port.load(TestPort.numbered(index, 20 + index * 20));
                in[index] = other.load(TestPort.numbered(index, 60 + index * 20));
            }
            assertThat(
                            Allocation.whenWarm(() -> {
                                TestPort.carry(port, other, out, 500);
                                TestPort.carry(other, port, in, 500);
                            }))
                    .isZero();
        }
    }
}
