package io.headgate.dataplane.device.afpacket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.linux.Allocation;
import io.headgate.dataplane.device.linux.TestNetwork;
import io.headgate.dataplane.device.linux.TestPort;
import io.headgate.dataplane.device.linux.net.InterfaceDrops;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.device.linux.net.Offload;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("netns")
class AfPacketDeviceTest {
    private final TestNetwork network = new TestNetwork();
    private String host = "";
    private String switchNs = "";

    @BeforeEach
    void makeNamespaces() {
        host = network.namespace("h");
        switchNs = network.namespace("s");
    }

    @AfterEach
    void removeNamespaces() {
        network.close();
    }

    private void veth() {
        network.veth(host, "eth0", switchNs, "p1", 1500);
    }

    @Test
    void everyFrameArrivesInOrderAndUnchanged() throws Exception {
        veth();
        try (TestPort sender = TestPort.afPacket(host, "eth0");
                TestPort port = TestPort.afPacket(switchNs, "p1")) {
            int sent = 0;
            List<byte[]> expected = new ArrayList<>();
            List<byte[]> received = new ArrayList<>();
            // 40 batches go round the ring of 256 frames ten times.
            for (int round = 0; round < 40; round++) {
                List<byte[]> batch = new ArrayList<>();
                for (int index = 0; index < TestPort.BURST; index++, sent++) {
                    batch.add(TestPort.numbered(sent, 60 + sent * 7 % 1455));
                }
                assertThat(sender.transmit(batch)).isEqualTo(TestPort.BURST);
                expected.addAll(batch);
                received.addAll(port.await(TestPort.BURST));
            }
            assertThat(received).containsExactlyElementsOf(expected);
            assertThat(port.receiveDrops(DropReason.KERNEL_RX_RING_FULL)).isZero();
            assertThat(sender.transmitDrops(DropReason.KERNEL_TX)).isZero();
        }
    }

    @Test
    void outerTagWithItsPriorityIsBackInTheBytes() throws Exception {
        veth();
        try (TestPort sender = TestPort.afPacket(host, "eth0");
                TestPort port = TestPort.afPacket(switchNs, "p1")) {
            byte[] single = TestPort.tagged(TestPort.numbered(1, 60), 0x8100, 0xB123);
            byte[] service = TestPort.tagged(TestPort.numbered(2, 60), 0x88A8, 0x6FFE);
            byte[] stacked = TestPort.tagged(single, 0x88A8, 0x7001);
            byte[] full = TestPort.tagged(TestPort.numbered(3, 1514), 0x8100, 0xE001);
            byte[] priorityOnly = TestPort.tagged(TestPort.numbered(4, 60), 0x8100, 0xA000);
            List<byte[]> frames = List.of(single, service, stacked, full, priorityOnly);
            assertThat(sender.transmit(frames)).isEqualTo(5);
            assertThat(port.await(5)).containsExactlyElementsOf(frames);
        }
    }

    @Test
    void burstThatFillsTheWholeRingLeavesAtOnceOrNotAtAll() throws Exception {
        veth();
        try (TestPort sender = TestPort.afPacket(host, "eth0", 64);
                TestPort port = TestPort.afPacket(switchNs, "p1")) {
            List<byte[]> batch = new ArrayList<>();
            for (int index = 0; index < 64; index++) {
                batch.add(TestPort.numbered(index, 60));
            }
            for (int round = 0; round < 3; round++) {
                assertThat(sender.transmit(batch)).isEqualTo(64);
                assertThat(port.await(64)).containsExactlyElementsOf(batch);
            }
            network.exec(host, "ip", "link", "set", "eth0", "down");
            assertThat(sender.transmit(batch)).isZero();
            network.exec(host, "ip", "link", "set", "eth0", "up");
            assertThat(TestPort.becomes(sender, true)).isTrue();
            assertThat(TestPort.becomes(port, true)).isTrue();
            assertThat(sender.transmit(TestPort.numbered(99, 60))).isTrue();
            assertThat(port.await(1)).containsExactly(TestPort.numbered(99, 60));
        }
    }

    @Test
    void ownTransmissionsAreNotReceived() throws Exception {
        veth();
        try (TestPort port = TestPort.afPacket(switchNs, "p1");
                TestPort other = TestPort.afPacket(host, "eth0")) {
            assertThat(port.transmit(TestPort.numbered(1, 60))).isTrue();
            assertThat(other.await(1)).hasSize(1);
            assertThat(port.receive()).isEmpty();
        }
    }

    @Test
    void shortFramesLeavePaddedWithZeros() throws Exception {
        veth();
        try (TestPort sender = TestPort.afPacket(host, "eth0");
                TestPort port = TestPort.afPacket(switchNs, "p1")) {
            byte[] runt = TestPort.numbered(7, 20);
            assertThat(sender.transmit(runt)).isTrue();
            assertThat(port.await(1)).containsExactly(Arrays.copyOf(runt, 60));
        }
    }

    @Test
    void elidedPayloadLeavesAsZeros() throws Exception {
        veth();
        try (TestPort sender = TestPort.afPacket(host, "eth0");
                TestPort port = TestPort.afPacket(switchNs, "p1")) {
            byte[] stored = TestPort.numbered(7, 64);
            Frame frame = sender.load(stored);
            frame.lengthBytes = 500;
            assertThat(sender.device.transmit(new Frame[] {frame}, 0, 1)).isEqualTo(1);
            assertThat(port.await(1)).containsExactly(Arrays.copyOf(stored, 500));
        }
    }

    @Test
    void aBurstOfRefusedFramesDoesNotHoldTheWorker() throws Exception {
        veth();
        try (TestPort sender = TestPort.afPacket(host, "eth0", 1024);
                TestPort port = TestPort.afPacket(switchNs, "p1", 1024)) {
            for (int batch = 0; batch < 10; batch++) {
                assertThat(sender.transmit(longFrames())).isEqualTo(TestPort.BURST);
            }
            // From now on frames of that length are too long.
            network.exec(switchNs, "ip", "link", "set", "p1", "mtu", "500");
            long nowNs = port.nowNs();
            assertThat(port.device.receive(nowNs, port.free, port.batch, 64)).isZero();
            assertThat(port.receiveDrops(DropReason.OVERSIZE)).isEqualTo(128);
            for (int call = 0; call < 4; call++) {
                assertThat(port.device.armReceive()).isTrue();
                port.device.receive(nowNs, port.free, port.batch, 64);
            }
            assertThat(port.receiveDrops(DropReason.OVERSIZE)).isEqualTo(640);
            assertThat(port.device.armReceive()).isFalse();
        }
    }

    private static List<byte[]> longFrames() {
        List<byte[]> frames = new ArrayList<>();
        for (int index = 0; index < TestPort.BURST; index++) {
            frames.add(TestPort.numbered(index, 1000));
        }
        return frames;
    }

    @Test
    void framesTooLongForTheMtuAreRefusedAndCounted() throws Exception {
        veth();
        try (TestPort sender = TestPort.afPacket(host, "eth0");
                TestPort port = TestPort.afPacket(switchNs, "p1")) {
            List<byte[]> batch =
                    List.of(
                            TestPort.numbered(1, 100),
                            TestPort.numbered(2, 1519),
                            TestPort.numbered(3, 100));
            assertThat(sender.transmit(batch)).isEqualTo(3);
            assertThat(port.await(2)).containsExactly(batch.get(0), batch.get(2));
            assertThat(sender.device.transmitStatus().refusedFrames()).isEqualTo(1);
        }
    }

    @Test
    void framesThatFindTheRingFullAreCountedByTheKernel() throws Exception {
        veth();
        try (TestPort sender = TestPort.afPacket(host, "eth0");
                TestPort port = TestPort.afPacket(switchNs, "p1", 64)) {
            int sent = 0;
            for (int round = 0; round < 5; round++) {
                List<byte[]> batch = new ArrayList<>();
                for (int index = 0; index < 40; index++) {
                    batch.add(TestPort.numbered(sent++, 60));
                }
                assertThat(sender.transmit(batch)).isEqualTo(40);
            }
            assertThat(port.await(64)).hasSize(64);
            assertThat(port.receiveDrops(DropReason.KERNEL_RX_RING_FULL)).isEqualTo(200 - 64);
            // Reading starts the kernel's count again, not ours.
            assertThat(port.receiveDrops(DropReason.KERNEL_RX_RING_FULL)).isEqualTo(200 - 64);
        }
    }

    @Test
    void framesWithoutASlotStayInTheRing() throws Exception {
        veth();
        try (TestPort sender = TestPort.afPacket(host, "eth0");
                TestPort port = TestPort.afPacket(switchNs, "p1")) {
            while (port.free.size() > 1) {
                assertThat(port.free.take()).isNotNull();
            }
            List<byte[]> two = List.of(TestPort.numbered(1, 60), TestPort.numbered(2, 60));
            assertThat(sender.transmit(two)).isEqualTo(2);
            assertThat(port.device.receive(1, port.free, port.batch, 8)).isEqualTo(1);
            port.free.put(port.batch[0]);
            assertThat(port.receive()).containsExactly(two.get(1));
        }
    }

    @Test
    void checksumLeftToHardwareIsCompleted() throws Exception {
        network.vethWithOffloads(host, "eth0", switchNs, "p1", 1500);
        network.exec(host, "ethtool", "-K", "eth0", "tso", "off", "gso", "off");
        network.exec(host, "ip", "addr", "add", "10.9.0.1/24", "dev", "eth0");
        network.exec(
                host,
                "ip",
                "neigh",
                "add",
                "10.9.0.2",
                "lladdr",
                "02:00:00:00:00:02",
                "dev",
                "eth0");
        LinuxInterface end = LinuxInterface.read(host, "eth0");
        assertThat(end.offloads()).contains(Offload.TX_CHECKSUM).doesNotContain(Offload.TSO);
        try (TestPort port = TestPort.afPacket(switchNs, "p1")) {
            network.exec(
                    host,
                    TestNetwork.PYTHON,
                    "-c",
                    """
                    import socket
                    s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)
                    s.sendto(b'headgate1',('10.9.0.2',7))
                    t=socket.socket(socket.AF_INET,socket.SOCK_STREAM)
                    t.setblocking(False)
                    try: t.connect(('10.9.0.2',80))
                    except BlockingIOError: pass
                    """);
            List<byte[]> frames = port.await(2);
            assertThat(frames).hasSizeGreaterThanOrEqualTo(2);
            assertThat(frames.get(0)[23]).isEqualTo((byte) 17);
            assertThat(frames.get(1)[23]).isEqualTo((byte) 6);
            for (byte[] frame : frames) {
                assertThat(TestPort.transportChecksum(frame)).isZero();
            }
        }
    }

    @Test
    void segmentationLeftToHardwareRefusesToStartAndNamesTheCommand() throws Exception {
        network.vethWithOffloads(host, "eth0", switchNs, "p1", 1500);
        assertThatThrownBy(() -> TestPort.afPacket(switchNs, "p1"))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("'p1' in network namespace '" + switchNs + "'")
                .hasMessageContaining(
                        "'ip netns exec " + host + " ethtool -K eth0 tx off tso off gso off'");
        network.exec(host, "ethtool", "-K", "eth0", "tx", "off", "tso", "off", "gso", "off");
        network.exec(switchNs, "ethtool", "-K", "p1", "gro", "on");
        assertThatThrownBy(() -> TestPort.afPacket(switchNs, "p1"))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("'ip netns exec " + switchNs + " ethtool -K p1 gro off'");
        LinuxInterface.read(switchNs, "p1").set(Offload.GRO, false);
        TestPort.afPacket(switchNs, "p1").close();
    }

    @Test
    void anMtuAndAnAddressThatOthersChangeAreTold() throws Exception {
        veth();
        try (TestPort port = TestPort.afPacket(switchNs, "p1")) {
            long mac = port.device.info().mac();
            network.exec(switchNs, "ip", "link", "set", "p1", "mtu", "1400");
            assertThat(port.device.trouble())
                    .contains("its MTU is now 1400 instead of 1500, so longer frames are lost")
                    .contains("'ip netns exec " + switchNs + " ip link set p1 mtu 1500'");
            network.exec(switchNs, "ip", "link", "set", "p1", "mtu", "1500");
            assertThat(port.device.trouble()).isEmpty();
            network.exec(switchNs, "ip", "link", "set", "p1", "address", "02:00:00:00:00:77");
            assertThat(port.device.trouble())
                    .contains("its MAC address is now 02:00:00:00:00:77 instead of")
                    .contains("link set p1 address " + MacAddress.format(mac));
        }
    }

    @Test
    void framesOfAnMtuThatHasJustGrownAreTaken() throws Exception {
        veth();
        try (TestPort port = TestPort.afPacket(switchNs, "p1");
                TestPort sender = TestPort.afPacket(host, "eth0")) {
            network.exec(switchNs, "ip", "link", "set", "p1", "mtu", "1400");
            long nowNs = port.nowNs() + 1_000_000_000L;
            assertThat(port.device.receive(nowNs, port.free, port.batch, 8)).isZero();
            network.exec(switchNs, "ip", "link", "set", "p1", "mtu", "1500");
            assertThat(sender.transmit(TestPort.numbered(1, 1514))).isTrue();
            assertThat(port.device.receive(nowNs, port.free, port.batch, 8)).isEqualTo(1);
            assertThat(port.receiveDrops(DropReason.OVERSIZE)).isZero();
        }
    }

    @Test
    void framesThatHardwareShouldHaveCutAreDroppedAndCounted() throws Exception {
        veth();
        try (TestPort port = TestPort.afPacket(switchNs, "p1")) {
            // Switched on behind the device's back.
            assertThat(port.device.trouble()).isEmpty();
            network.exec(host, "ethtool", "-K", "eth0", "tx", "on", "tso", "on", "gso", "on");
            assertThat(port.device.trouble()).contains("ethtool -K eth0 tx off tso off gso off'");
            sendSuperFrame();
            sendSuperFrame();
            byte[] last = TestPort.numbered(9, 60);
            network.offloadsOff(host, "eth0");
            try (TestPort sender = TestPort.afPacket(host, "eth0")) {
                assertThat(sender.transmit(last)).isTrue();
            }
            List<byte[]> received = port.await(1);
            assertThat(received).containsExactly(last);
            assertThat(port.receiveDrops(DropReason.OVERSIZE)).isEqualTo(2);
        }
    }

    /** A TCP segment of 8,000 bytes to be cut into 1,000, as a kernel with TSO hands it over. */
    private void sendSuperFrame() {
        network.exec(
                host,
                TestNetwork.PYTHON,
                "-c",
                """
                import socket,struct
                s=socket.socket(socket.AF_PACKET,socket.SOCK_RAW)
                s.setsockopt(263,15,1)
                s.bind(('eth0',0))
                a,b=b'\\x0a\\0\\0\\1',b'\\x0a\\0\\0\\2'
                ip=struct.pack('!BBHHHBBH4s4s',0x45,0,8040,1,0,64,6,0,a,b)
                tcp=struct.pack('!HHIIBBHHH',1,2,3,4,0x50,0x10,100,0,0)
                v=struct.pack('<BBHHHH',1,1,54,1000,34,16)
                e=b'\\xff'*6+b'\\2\\0\\0\\0\\0\\1\\x08\\0'
                s.send(v+e+ip+tcp+b'x'*8000)
                """);
    }

    @Test
    void linkThatGoesDownAndComesBackIsUpAgain() throws Exception {
        veth();
        try (TestPort sender = TestPort.afPacket(host, "eth0");
                TestPort port = TestPort.afPacket(switchNs, "p1")) {
            for (String end : List.of("own", "other")) {
                String netns = end.equals("own") ? switchNs : host;
                String name = end.equals("own") ? "p1" : "eth0";
                assertThat(TestPort.becomes(port, true)).isTrue();
                network.exec(netns, "ip", "link", "set", name, "down");
                assertThat(TestPort.becomes(port, false)).as("%s end down", end).isTrue();
                assertThat(port.device.isGone()).isFalse();
                port.transmit(TestPort.numbered(1, 60));
                network.exec(netns, "ip", "link", "set", name, "up");
                assertThat(TestPort.becomes(port, true)).as("%s end up", end).isTrue();
                assertThat(TestPort.becomes(sender, true)).isTrue();
                port.transmit(TestPort.numbered(2, 60));
                sender.await(1);
                assertThat(sender.transmit(TestPort.numbered(3, 60))).isTrue();
                assertThat(port.await(1)).containsExactly(TestPort.numbered(3, 60));
            }
        }
    }

    @Test
    void noFrameIsLostUncountedWhenTheFarEndIsDown() throws Exception {
        veth();
        try (TestPort sender = TestPort.afPacket(host, "eth0");
                TestPort port = TestPort.afPacket(switchNs, "p1")) {
            network.exec(switchNs, "ip", "link", "set", "p1", "down");
            int taken = 0;
            for (int index = 0; index < 20; index++) {
                taken += sender.transmit(TestPort.numbered(index, 60)) ? 1 : 0;
            }
            network.exec(switchNs, "ip", "link", "set", "p1", "up");
            assertThat(TestPort.becomes(sender, true)).isTrue();
            assertThat(TestPort.becomes(port, true)).isTrue();
            for (int index = 20; index < 40; index++) {
                taken += sender.transmit(TestPort.numbered(index, 60)) ? 1 : 0;
            }
            int received = port.await(taken).size();
            assertThat(received + sender.transmitDrops(DropReason.KERNEL_TX)).isEqualTo(taken);
        }
    }

    @Test
    void deletedInterfaceIsGoneForGoodAndANewOneOpens() throws Exception {
        veth();
        TestPort port = TestPort.afPacket(switchNs, "p1");
        assertThat(TestPort.becomes(port, true)).isTrue();
        network.exec(host, "ip", "link", "del", "eth0");
        assertThat(port.transmit(TestPort.numbered(1, 60))).isFalse();
        assertThat(TestPort.becomes(port, false)).isTrue();
        assertThat(port.device.isGone()).isTrue();
        veth();
        port.receive();
        assertThat(port.device.isGone()).isTrue();
        try (TestPort again = TestPort.afPacket(switchNs, "p1");
                TestPort sender = TestPort.afPacket(host, "eth0")) {
            assertThat(sender.transmit(TestPort.numbered(1, 60))).isTrue();
            assertThat(again.await(1)).hasSize(1);
        }
        port.close();
        port.close();
        assertThat(port.receive()).isEmpty();
        assertThat(port.transmit(TestPort.numbered(1, 60))).isFalse();
        assertThat(port.receiveDrops(DropReason.OVERSIZE)).isZero();
    }

    @Test
    void secondSwitchOnTheSameInterfaceIsRefusedWithItsHolder() throws Exception {
        veth();
        TestPort first = TestPort.afPacket(switchNs, "p1");
        assertThatThrownBy(() -> TestPort.afPacket(switchNs, "p1"))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining(
                        "is used by another Headgate (process "
                                + ProcessHandle.current().pid()
                                + ")");
        first.close();
        TestPort.afPacket(switchNs, "p1").close();
    }

    @Test
    void closingLeavesNoFileDescriptorAndNoMapping() throws Exception {
        veth();
        TestPort.afPacket(switchNs, "p1").close();
        int descriptors = descriptors();
        int mappings = ringMappings();
        for (int round = 0; round < 20; round++) {
            TestPort.afPacket(switchNs, "p1").close();
        }
        assertThatThrownBy(() -> TestPort.afPacket(switchNs, "p2"))
                .isInstanceOf(DeviceException.class);
        assertThat(descriptors()).isEqualTo(descriptors);
        assertThat(ringMappings()).isEqualTo(mappings);
    }

    private static int descriptors() {
        String[] open = new File("/proc/self/fd").list();
        return open == null ? -1 : open.length;
    }

    private static int ringMappings() throws Exception {
        int found = 0;
        for (String line :
                java.nio.file.Files.readAllLines(java.nio.file.Path.of("/proc/self/maps"))) {
            found += line.contains("socket:") ? 1 : 0;
        }
        return found;
    }

    @Test
    void warmFramesAllocateNothing() throws Exception {
        veth();
        try (TestPort sender = TestPort.afPacket(host, "eth0");
                TestPort port = TestPort.afPacket(switchNs, "p1")) {
            Frame[] frames = new Frame[32];
            for (int index = 0; index < frames.length; index++) {
                frames[index] = sender.load(TestPort.numbered(index, 60 + index * 20));
            }
            assertThat(Allocation.whenWarm(() -> TestPort.carry(sender, port, frames, 1_000)))
                    .isZero();
        }
    }

    @Test
    void readingDropsWhenWarmAllocatesNothing() throws Exception {
        veth();
        try (TestPort port = TestPort.afPacket(switchNs, "p1")) {
            DropTotals totals = new DropTotals();
            assertThat(
                            Allocation.whenWarm(() -> {
                                for (int round = 0; round < 500; round++) {
                                    port.device.readReceiveDrops(totals);
                                    port.device.readTransmitDrops(totals);
                                }
                            }))
                    .isZero();
        }
    }

    @Test
    void whatIsMissingIsNamedInOneSentence() throws Exception {
        veth();
        assertThatThrownBy(() -> TestPort.afPacket(switchNs, "p9"))
                .isInstanceOf(DeviceException.class)
                .hasMessage(
                        "there is no interface 'p9' in network namespace '"
                                + switchNs
                                + "'; 'ip -n "
                                + switchNs
                                + " link' lists the interfaces");
        assertThatThrownBy(() -> TestPort.afPacket("hgt-none", "p1"))
                .hasMessageContaining("there is no network namespace 'hgt-none'");
        assertThatThrownBy(() -> TestPort.afPacket(switchNs, "lo"))
                .hasMessageContaining("is not an Ethernet interface");
        assertThatThrownBy(() -> TestPort.afPacket(switchNs, "a name far too long"))
                .hasMessageContaining("cannot be the name of an interface");
        network.exec(switchNs, "ip", "link", "set", "p1", "mtu", "9000");
        assertThatThrownBy(() -> TestPort.afPacket(switchNs, "p1"))
                .hasMessageContaining("MTU of 9000")
                .hasMessageContaining("ip link set p1 mtu 1706");
    }

    @Test
    void jumboFramesFitLargerSlots() throws Exception {
        network.veth(host, "eth0", switchNs, "p1", 9000);
        TestPort.Opening left = region -> AfPacketDevice.open(host, "eth0", region, 64);
        TestPort.Opening right = region -> AfPacketDevice.open(switchNs, "p1", region, 64);
        try (TestPort sender = new TestPort(new FrameRegion(64, 16384), left);
                TestPort port = new TestPort(new FrameRegion(64, 16384), right)) {
            List<byte[]> frames = List.of(TestPort.numbered(1, 9014), TestPort.numbered(2, 4000));
            assertThat(sender.transmit(frames)).isEqualTo(2);
            assertThat(port.await(2)).containsExactlyElementsOf(frames);
        }
    }

    @Test
    void interfaceFactsAreThoseOfItsNamespace() throws Exception {
        veth();
        LinuxInterface link = LinuxInterface.read(switchNs, "p1");
        assertThat(link.kind()).isEqualTo("veth");
        assertThat(link.driver()).isEqualTo("veth");
        assertThat(link.mtuBytes()).isEqualTo(1500);
        assertThat(link.mac()).isNotZero();
        assertThat(link.up()).isTrue();
        assertThat(link.offloads())
                .doesNotContain(Offload.TX_CHECKSUM, Offload.TSO, Offload.GSO, Offload.GRO);
        LinuxInterface peer = link.peer().orElseThrow();
        assertThat(peer.netns()).isEqualTo(host);
        assertThat(peer.name()).isEqualTo("eth0");
        assertThat(peer.peer().orElseThrow().index()).isEqualTo(link.index());

        link.setUp(false);
        assertThat(LinuxInterface.read(switchNs, "p1").up()).isFalse();
        link.setMtuBytes(1400);
        link.setPromiscuous(true);
        link.setUp(true);
        LinuxInterface changed = LinuxInterface.read(switchNs, "p1");
        assertThat(changed.mtuBytes()).isEqualTo(1400);
        assertThat(changed.promiscuous()).isTrue();
        assertThat(changed.up()).isTrue();
    }

    @Test
    void interfaceDropsAreReadAmongMany() throws Exception {
        for (int pair = 0; pair < 40; pair++) {
            TestNetwork.run(
                    "ip",
                    "-n",
                    host,
                    "link",
                    "add",
                    "a" + pair,
                    "type",
                    "veth",
                    "peer",
                    "name",
                    "b" + pair,
                    "netns",
                    switchNs);
        }
        veth();
        // Without a socket there, an unknown type ends as the interface's own drop.
        LinuxInterface link = LinuxInterface.read(switchNs, "p1");
        InterfaceDrops drops =
                NetworkNamespace.call(switchNs, () -> InterfaceDrops.ofReceiving(link));
        InterfaceDrops sent =
                NetworkNamespace.call(switchNs, () -> InterfaceDrops.ofTransmitting(link));
        try (TestPort sender = TestPort.afPacket(host, "eth0");
                drops;
                sent) {
            for (int index = 0; index < 5; index++) {
                assertThat(sender.transmit(TestPort.numbered(index, 60))).isTrue();
            }
            drops.read();
            sent.read();
            assertThat(drops.count()).isEqualTo(5);
            assertThat(sent.count()).isZero();
            // Nothing of the others: two numbers of a few digits a time, and this file itself.
            long before = bytesRead();
            for (int time = 0; time < 100; time++) {
                drops.read();
            }
            assertThat(bytesRead() - before).isLessThan(100 * 2 * 8 + 4096);
            network.exec(switchNs, "ip", "link", "del", "p1");
            drops.read();
            assertThat(drops.count()).as("gone, so as it was").isEqualTo(5);
        }
    }

    /** What this thread has been given by system calls that read. */
    private static long bytesRead() throws IOException {
        try (Stream<String> lines = java.nio.file.Files.lines(Path.of("/proc/thread-self/io"))) {
            return lines.filter(line -> line.startsWith("rchar: "))
                    .mapToLong(line -> Long.parseLong(line.substring(7)))
                    .sum();
        }
    }
}
