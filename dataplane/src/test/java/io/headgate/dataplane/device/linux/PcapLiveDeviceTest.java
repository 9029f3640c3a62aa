package io.headgate.dataplane.device.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.PcapLiveDevice;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.afpacket.AfPacketDevice;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("netns")
class PcapLiveDeviceTest {
    private final TestNetwork network = new TestNetwork();
    private String host = "";
    private String switchNs = "";
    private long clockNs;

    @BeforeEach
    void makeNamespaces() {
        host = network.namespace("h");
        switchNs = network.namespace("s");
        network.veth(host, "eth0", switchNs, "p1", 1500);
    }

    @AfterEach
    void removeNamespaces() {
        network.close();
    }

    private TestPort pcap() throws Exception {
        return new TestPort(
                new FrameRegion(TestPort.SLOTS, 2048),
                region -> PcapLiveDevice.open(new DeviceConfig.PcapLive("p1", switchNs), region));
    }

    @Test
    void framesAndTagsArriveInOrderAndOwnTransmissionsDoNot() throws Exception {
        try (TestPort sender = TestPort.afPacket(host, "eth0");
                TestPort port = pcap()) {
            awaitUp(port, true);
            assertThat(port.device.info().name()).isEqualTo(switchNs + "/p1");
            assertThat(port.device.info().mac()).isNotZero();
            List<byte[]> frames = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                byte[] frame = TestPort.numbered(i, 60 + i * 30);
                frames.add(i % 4 == 0 ? TestPort.tagged(frame, 0x8100, 0x6005) : frame);
            }
            assertThat(port.transmit(TestPort.numbered(1000, 60))).isTrue();
            assertThat(sender.transmit(frames)).isEqualTo(40);
            assertThat(port.await(40)).containsExactlyElementsOf(frames);
            assertThat(sender.await(1)).containsExactly(TestPort.numbered(1000, 60));
            assertThat(port.transmit(frames)).isEqualTo(40);
            assertThat(sender.await(40)).containsExactlyElementsOf(frames);
            assertThat(port.receive()).isEmpty();
            assertThat(port.receiveDrops(DropReason.KERNEL_RX_RING_FULL)).isZero();
        }
    }

    @Test
    void whatTheInterfaceRefusesAndWhatASlotCannotHoldIsCounted() throws Exception {
        network.exec(host, "ip", "link", "set", "eth0", "mtu", "4000");
        network.exec(switchNs, "ip", "link", "set", "p1", "mtu", "4000");
        try (TestPort sender =
                        new TestPort(
                                new FrameRegion(64, 8192),
                                region -> AfPacketDevice.open(host, "eth0", region, 64));
                TestPort port = pcap()) {
            assertThat(sender.transmit(TestPort.numbered(1, 3000))).isTrue();
            assertThat(sender.transmit(TestPort.numbered(2, 60))).isTrue();
            assertThat(port.await(1)).containsExactly(TestPort.numbered(2, 60));
            assertThat(port.receiveDrops(DropReason.OVERSIZE)).isEqualTo(1);
            network.exec(switchNs, "ip", "link", "set", "p1", "mtu", "1000");
            awaitUp(port, true);
            assertThat(port.transmit(TestPort.numbered(3, 1400))).isTrue();
            assertThat(port.device.transmitStatus().refusedFrames()).isEqualTo(1);
        }
    }

    @Test
    void refusedFramesCountAgainstTheBurst() throws Exception {
        network.exec(host, "ip", "link", "set", "eth0", "mtu", "4000");
        network.exec(switchNs, "ip", "link", "set", "p1", "mtu", "4000");
        try (TestPort sender =
                        new TestPort(
                                new FrameRegion(64, 8192),
                                region -> AfPacketDevice.open(host, "eth0", region, 64));
                TestPort port = pcap()) {
            awaitUp(port, true);
            List<byte[]> longer = Collections.nCopies(40, TestPort.numbered(1, 3000));
            assertThat(sender.transmit(longer)).isEqualTo(40);
            assertThat(sender.transmit(TestPort.numbered(2, 60))).isTrue();
            for (int call = 1; call <= 5; call++) {
                assertThat(port.device.receive(clockNs, port.free, port.batch, 8)).isZero();
                assertThat(port.receiveDrops(DropReason.OVERSIZE)).isEqualTo(8L * call);
                assertThat(port.device.armReceive()).as("there may be more").isTrue();
            }
            assertThat(port.await(1)).containsExactly(TestPort.numbered(2, 60));
            assertThat(port.device.armReceive()).isFalse();
        }
    }

    @Test
    void aLinkThatGoesDownIsDownAndOneThatIsDeletedStaysDown() throws Exception {
        try (TestPort port = pcap()) {
            network.exec(switchNs, "ip", "link", "set", "p1", "down");
            awaitUp(port, false);
            network.exec(switchNs, "ip", "link", "set", "p1", "up");
            awaitUp(port, true);
            network.exec(switchNs, "ip", "link", "del", "p1");
            awaitUp(port, false);
            network.veth(host, "eth0", switchNs, "p1", 1500);
            for (int i = 1; i < 10; i++) {
                port.device.receive(clockNs + i * 1_000_000_000L, port.free, port.batch, 1);
                assertThat(port.device.isUp()).isFalse();
                assertThat(port.device.isGone()).isTrue();
            }
            assertThat(port.transmit(TestPort.numbered(1, 60))).isFalse();
        }
    }

    /** Has the device look at its link, by a clock that runs ahead, until it is as wanted. */
    private void awaitUp(TestPort port, boolean up) {
        long endNs = System.nanoTime() + 60_000_000_000L;
        while (port.device.isUp() != up && System.nanoTime() < endNs) {
            clockNs += 1_000_000_000L;
            port.device.receive(clockNs, port.free, port.batch, 1);
        }
        assertThat(port.device.isUp()).isEqualTo(up);
    }

    @Test
    void aHundredThousandGarbageFramesPassWithoutException() throws Exception {
        long seed = 31;
        SplittableRandom random = new SplittableRandom(seed);
        try (TestPort sender = TestPort.afPacket(host, "eth0");
                TestPort port = pcap()) {
            awaitUp(port, true);
            long sent = 0;
            long received = 0;
            while (sent < 100_000) {
                List<byte[]> burst = new ArrayList<>();
                for (int i = 0; i < TestPort.BURST; i++) {
                    byte[] frame = new byte[14 + random.nextInt(300)];
                    random.nextBytes(frame);
                    // Experimental type: the host's own stack must not answer.
                    frame[12] = (byte) 0x88;
                    frame[13] = (byte) 0xB6;
                    burst.add(frame);
                }
                sent += sender.transmit(burst);
                received += port.receive().size();
            }
            long dropped = port.receiveDrops(DropReason.KERNEL_RX_RING_FULL);
            received += port.await((int) (sent - received - dropped)).size();
            assertThat(received + port.receiveDrops(DropReason.KERNEL_RX_RING_FULL))
                    .as("seed %d", seed)
                    .isEqualTo(sent);
        }
    }

    @Test
    void aWorkerCanSleepUntilAFrameComes() throws Exception {
        try (TestPort sender = TestPort.afPacket(host, "eth0");
                TestPort port = pcap()) {
            Poller poller = new Poller(port.device.receiveFd());
            assertThat(port.receive()).isEmpty();
            assertThat(port.device.armReceive()).isFalse();
            assertThat(poller.await(20_000_000)).isZero();
            assertThat(sender.transmit(TestPort.numbered(1, 60))).isTrue();
            assertThat(poller.await(60_000_000_000L)).isEqualTo(1);
            assertThat(port.receive()).containsExactly(TestPort.numbered(1, 60));
            assertThat(poller.await(20_000_000)).isZero();
            // The state of the link is looked at though nothing comes.
            assertThat(port.device.deadlineNs() - port.nowNs()).isLessThan(50_000_000);
        }
    }

    @Test
    void aVethWhoseOtherEndLeavesChecksumsToHardwareIsRefused() throws Exception {
        network.exec(host, "ethtool", "-K", "eth0", "tx", "on");
        assertThatThrownBy(() -> pcap().close())
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("would receive frames without a right checksum")
                .hasMessageContaining("ethtool -K eth0 tx off");
        network.exec(host, "ethtool", "-K", "eth0", "tx", "off");
        network.exec(switchNs, "ethtool", "-K", "p1", "gro", "on");
        assertThatThrownBy(() -> pcap().close())
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("merges received frames")
                .hasMessageContaining("ethtool -K p1 gro off");
        network.exec(switchNs, "ethtool", "-K", "p1", "gro", "off");
        try (TestPort port = pcap()) {
            assertThat(port.device.trouble()).isEmpty();
            network.exec(host, "ethtool", "-K", "eth0", "tx", "on");
            assertThat(port.device.trouble()).contains("ethtool -K eth0 tx off");
            network.exec(host, "ethtool", "-K", "eth0", "tx", "off");
            assertThat(port.device.trouble()).isEmpty();
            // Asked once more when it was closed, which is not trouble by itself.
            port.device.close();
            network.exec(switchNs, "ip", "link", "del", "p1");
            assertThat(port.device.trouble()).isEmpty();
        }
    }

    /** As behind a bridge or a card of a virtual machine, whose settings are out of sight here. */
    @Test
    void framesWithoutAFinishedChecksumAreTold() throws Exception {
        try (RawEnd sender = new RawEnd(host, "eth0");
                TestPort port = pcap()) {
            awaitUp(port, true);
            byte[] frame =
                    HexFormat.of()
                            .parseHex(
                                    "020000000001020000000002080045000024000040004011"
                                            + "00000a0000020a00000110011002001000006162636465666768"
                                            + "00000000000000000000");
            // The sum of the pseudo header: addresses, protocol 17, 16 bytes.
            frame[40] = 0x14;
            frame[41] = 0x24;
            sender.send(frame);
            assertThat(port.await(1)).hasSize(1);
            assertThat(port.device.trouble())
                    .contains("left the checksum to hardware")
                    .contains("ethtool -K INTERFACE tx off");
        }
    }

    @Test
    void anInterfaceThatIsNotThereIsRefusedWithOneSentence() {
        FrameRegion region = new FrameRegion(1, 2048);
        assertThatThrownBy(
                        () -> {
                            PortDevice device =
                                    PcapLiveDevice.open(
                                            new DeviceConfig.PcapLive("nope", switchNs), region);
                            device.close();
                        })
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("there is no interface")
                .hasMessageContaining("nope");
    }
}
