package io.headgate.dataplane.device.linux;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.device.DatagramTransport;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.VxlanDevice;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.FrameRegion;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("netns")
class VxlanDeviceTest {
    private static final int VNI = 0x123456;

    /** A PFC frame for priority 3, made by scapy 2.5.0. */
    private static final String PFC =
            "0180c2000001020000000001880801010008000000000000000900000000000000000000000000000000"
                    + "000000000000000000000000000000000000";

    private final TestNetwork network = new TestNetwork();
    private String left = "";
    private String right = "";

    @TempDir Path directory;

    @AfterEach
    void removeNamespaces() {
        network.close();
    }

    private void underlay(int mtu) {
        left = network.namespace("l");
        right = network.namespace("r");
        network.veth(left, "eth0", right, "eth0", mtu);
        network.exec(left, "ip", "addr", "add", "10.9.0.1/24", "dev", "eth0");
        network.exec(right, "ip", "addr", "add", "10.9.0.2/24", "dev", "eth0");
    }

    private static TestPort port(
            String netns, String local, String remote, int vni, DatagramTransport.Kind kind)
            throws Exception {
        DeviceConfig.Vxlan config =
                new DeviceConfig.Vxlan(
                        new InetSocketAddress(local, VxlanDevice.UDP_PORT),
                        new InetSocketAddress(remote, VxlanDevice.UDP_PORT),
                        vni,
                        netns);
        return new TestPort(
                new FrameRegion(TestPort.SLOTS, 2048),
                region -> VxlanDevice.open(config, 1500, region, kind));
    }

    @ParameterizedTest
    @EnumSource(DatagramTransport.Kind.class)
    void framesPassUnchangedBothWays(DatagramTransport.Kind kind) throws Exception {
        underlay(1600);
        try (TestPort a = port(left, "10.9.0.1", "10.9.0.2", VNI, kind);
                TestPort b = port(right, "10.9.0.2", "10.9.0.1", VNI, kind)) {
            assertThat(a.device.info().oneWorker()).isTrue();
            assertThat(a.receive()).isEmpty();
            assertThat(b.receive()).isEmpty();
            for (int round = 0; round < 20; round++) {
                List<byte[]> frames = new ArrayList<>();
                for (int i = 0; i < 50; i++) {
                    frames.add(TestPort.numbered(i, 60 + i * 29));
                }
                frames.add(HexFormat.of().parseHex(PFC));
                frames.add(TestPort.tagged(TestPort.numbered(7, 1514), 0x8100, 0x6001));
                assertThat(a.transmit(frames)).isEqualTo(52);
                assertThat(b.await(52)).containsExactlyElementsOf(frames);
                assertThat(b.transmit(frames)).isEqualTo(52);
                assertThat(a.await(52)).containsExactlyElementsOf(frames);
            }
            assertThat(a.device.transmitStatus().refusedFrames()).isZero();
            assertThat(a.receiveDrops(DropReason.TUNNEL_FOREIGN)).isZero();
            assertThat(a.receiveDrops(DropReason.KERNEL_RX_RING_FULL)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DatagramTransport.Kind.class,
            names = {"IO_URING"},
            mode = EnumSource.Mode.EXCLUDE)
    void aDeviceThatAnotherThreadClosesGivesItsAddressBack(DatagramTransport.Kind kind)
            throws Exception {
        underlay(1600);
        for (int i = 0; i < 3; i++) {
            TestPort a = port(left, "10.9.0.1", "10.9.0.2", VNI, kind);
            Thread worker =
                    new Thread(() -> {
                        a.receive();
                        a.transmit(TestPort.numbered(1, 60));
                        a.receive();
                    });
            worker.start();
            worker.join();
            a.close();
            a.close();
            assertThat(a.device.isUp()).isFalse();
            assertThat(a.receive()).isEmpty();
        }
    }

    @Test
    void tsharkDecodesTheOuterAndTheInnerFrame() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/tshark")), "tshark is not installed");
        underlay(1600);
        Path file = directory.resolve("outer.pcap");
        Process capture =
                network.start(
                        right,
                        "tcpdump",
                        "-i",
                        "eth0",
                        "-U",
                        "-w",
                        file.toString(),
                        "-c",
                        "2",
                        "udp");
        try (TestPort a = port(left, "10.9.0.1", "10.9.0.2", VNI, DatagramTransport.Kind.AUTO);
                TestPort b =
                        port(right, "10.9.0.2", "10.9.0.1", VNI, DatagramTransport.Kind.AUTO)) {
            long end = System.nanoTime() + 60_000_000_000L;
            // tcpdump takes a moment to listen: its file is there when it does.
            while (!Files.exists(file) && System.nanoTime() < end) {
                b.receive();
            }
            assertThat(a.transmit(List.of(HexFormat.of().parseHex(PFC), TestPort.numbered(1, 60))))
                    .isEqualTo(2);
            assertThat(b.await(2)).hasSize(2);
            assertThat(capture.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            capture.destroy();
        }
        String decoded =
                TestNetwork.run(
                        "tshark",
                        "-n",
                        "-r",
                        file.toString(),
                        "-T",
                        "fields",
                        "-E",
                        "separator=|",
                        "-e",
                        "ip.src",
                        "-e",
                        "udp.dstport",
                        "-e",
                        "vxlan.vni",
                        "-e",
                        "vxlan.flag_i",
                        "-e",
                        "macc.cbfc.pause_time.c3",
                        "-e",
                        "_ws.malformed");
        assertThat(decoded.lines().filter(line -> line.startsWith("10.9.0.1")))
                .containsExactly("10.9.0.1|4789|1193046|1|9|", "10.9.0.1|4789|1193046|1||");
        assertThat(
                        TestNetwork.run(
                                "tshark",
                                "-n",
                                "-r",
                                file.toString(),
                                "-o",
                                "udp.check_checksum:TRUE",
                                "-Y",
                                "udp.checksum.bad"))
                .doesNotContain("10.9.0.1");
    }

    @Test
    void datagramsOfAnotherPeerVniOrHeaderAreCountedAsForeign() throws Exception {
        underlay(1600);
        network.exec(left, "ip", "addr", "add", "10.9.0.7/24", "dev", "eth0");
        try (TestPort b = port(right, "10.9.0.2", "10.9.0.1", VNI, DatagramTransport.Kind.AUTO);
                DatagramSocket peer = socket("10.9.0.1");
                DatagramSocket stranger = socket("10.9.0.7")) {
            assertThat(b.receive()).isEmpty();
            byte[] good = HexFormat.of().parseHex("0800000012345600" + PFC);
            send(stranger, good);
            byte[] otherVni = good.clone();
            otherVni[6]++;
            send(peer, otherVni);
            byte[] noFlag = good.clone();
            noFlag[0] = 0;
            send(peer, noFlag);
            send(peer, new byte[0]);
            send(peer, Arrays.copyOf(good, 7));
            byte[] moreFlags = good.clone();
            moreFlags[0] = (byte) 0xFF;
            moreFlags[7] = 9;
            send(peer, moreFlags);
            send(peer, Arrays.copyOf(good, 8));
            List<byte[]> received = b.await(2);
            assertThat(received).containsExactly(HexFormat.of().parseHex(PFC), new byte[0]);
            assertThat(b.receiveDrops(DropReason.TUNNEL_FOREIGN)).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @EnumSource(DatagramTransport.Kind.class)
    void aHundredThousandGarbageDatagramsAreFramesOrCountedDrops(DatagramTransport.Kind kind)
            throws Exception {
        underlay(9000);
        long seed = 5;
        SplittableRandom random = new SplittableRandom(seed);
        try (TestPort b = port(right, "10.9.0.2", "10.9.0.1", VNI, kind);
                DatagramSocket peer = socket("10.9.0.1")) {
            assertThat(b.receive()).isEmpty();
            int total = kind == DatagramTransport.Kind.AUTO ? 100_000 : 20_000;
            long received = 0;
            for (int i = 0; i < total; i++) {
                byte[] bytes =
                        new byte
                                [random.nextInt(32) == 0
                                        ? random.nextInt(4000)
                                        : random.nextInt(120)];
                random.nextBytes(bytes);
                if (bytes.length >= 8 && random.nextBoolean()) {
                    System.arraycopy(HexFormat.of().parseHex("0800000012345600"), 0, bytes, 0, 8);
                }
                send(peer, bytes);
                if (i % 20 == 0) {
                    received += b.receive().size();
                }
            }
            long end = System.nanoTime() + 60_000_000_000L;
            while (received + drops(b) < total && System.nanoTime() < end) {
                received += b.receive().size();
            }
            assertThat(received).isPositive();
            assertThat(b.receiveDrops(DropReason.OVERSIZE)).isPositive();
            assertThat(received + drops(b)).as("seed %d", seed).isEqualTo(total);
        }
    }

    @Test
    void whatTheSocketHasNoRoomForIsCounted() throws Exception {
        underlay(1600);
        int total = 20_000;
        try (TestPort b = port(right, "10.9.0.2", "10.9.0.1", VNI, DatagramTransport.Kind.AUTO);
                DatagramSocket peer = socket("10.9.0.1")) {
            assertThat(b.receive()).isEmpty();
            byte[] bytes = Arrays.copyOf(HexFormat.of().parseHex("0800000012345600" + PFC), 1_000);
            for (int i = 0; i < total; i++) {
                send(peer, bytes);
            }
            long received = 0;
            long end = System.nanoTime() + 60_000_000_000L;
            while (received + drops(b) < total && System.nanoTime() - end < 0) {
                received += b.receive().size();
            }
            assertThat(received).isPositive();
            assertThat(b.receiveDrops(DropReason.KERNEL_RX_RING_FULL))
                    .isPositive()
                    .isEqualTo(total - received);
        }
    }

    private static long drops(TestPort port) {
        return port.receiveDrops(DropReason.TUNNEL_FOREIGN)
                + port.receiveDrops(DropReason.OVERSIZE)
                + port.receiveDrops(DropReason.KERNEL_RX_RING_FULL);
    }

    @Test
    void anUnderlayWhoseMtuIsTooSmallIsRefusedWithWhatMendsIt() {
        underlay(1500);
        assertThatThrownBy(() ->
                        port(left, "10.9.0.1", "10.9.0.2", 1, DatagramTransport.Kind.AUTO).close())
                .isInstanceOf(DeviceException.class)
                .hasMessage(
                        "VXLAN: the interface of 10.9.0.1 has MTU 1500, but frames with a payload"
                                + " of 1500 need 1550: raise its MTU to at least that, or lower"
                                + " this port's mtu by 50");
    }

    @Test
    void anAddressThatIsNotOursOrIsTakenIsRefusedWithOneSentence() throws Exception {
        underlay(1600);
        assertThatThrownBy(() ->
                        port(left, "10.9.0.77", "10.9.0.2", 1, DatagramTransport.Kind.AUTO).close())
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("cannot use UDP 10.9.0.77 port 4789");
        for (DatagramTransport.Kind kind : DatagramTransport.Kind.values()) {
            try (TestPort first = port(left, "10.9.0.1", "10.9.0.2", 1, kind)) {
                assertThat(first.device.isUp()).isTrue();
                assertThatThrownBy(() -> port(left, "10.9.0.1", "10.9.0.2", 2, kind).close())
                        .isInstanceOf(DeviceException.class)
                        .hasMessageContaining("that no other tunnel uses");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DatagramTransport.Kind.class,
            names = {"EPOLL", "IO_URING"})
    void aPeerWithoutAListenerIsTold(DatagramTransport.Kind kind) throws Exception {
        underlay(1600);
        try (TestPort a = port(left, "10.9.0.1", "10.9.0.2", VNI, kind)) {
            assertThat(a.receive()).isEmpty();
            assertThat(a.device.trouble()).isEmpty();
            long endNs = System.nanoTime() + 60_000_000_000L;
            while (a.device.trouble().isEmpty() && System.nanoTime() < endNs) {
                assertThat(a.transmit(TestPort.numbered(1, 60))).isTrue();
                a.receive();
            }
            assertThat(a.device.trouble())
                    .contains("no program listens at 10.9.0.2, UDP port 4789")
                    .contains("start the far end");
            a.receive();
            if (kind == DatagramTransport.Kind.EPOLL) {
                assertThat(new Poller(a.device.receiveFd()).await(0))
                        .as("nothing keeps a worker from sleeping")
                        .isZero();
            }
            try (TestPort b = port(right, "10.9.0.2", "10.9.0.1", VNI, kind)) {
                assertThat(b.receive()).isEmpty();
                assertThat(a.transmit(TestPort.numbered(2, 60))).isTrue();
                assertThat(b.await(1)).hasSize(1);
                // Without another for ten seconds it is over.
                a.device.receive(a.nowNs() + 20_000_000_000L, a.free, a.batch, 1);
                assertThat(a.device.trouble()).isEmpty();
            }
        }
    }

    /** A tunnel over IPv6 that sends without checksums (RFC 6935), a common setting of cards. */
    @Test
    void datagramsOverIpv6WithoutAChecksumAreTaken() throws Exception {
        underlay(1600);
        for (String end : List.of(left, right)) {
            network.exec(end, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=0");
            network.exec(end, "sysctl", "-qw", "net.ipv6.conf.eth0.disable_ipv6=0");
        }
        network.exec(left, "ip", "addr", "add", "fd00::1/64", "dev", "eth0", "nodad");
        network.exec(right, "ip", "addr", "add", "fd00::2/64", "dev", "eth0", "nodad");
        kernelTunnel("fd00::2", "fd00::1", "udp6zerocsumtx");
        try (TestPort a = port(left, "fd00::1", "fd00::2", VNI, DatagramTransport.Kind.AUTO);
                RawEnd far = new RawEnd(right, "vx0")) {
            assertThat(a.receive()).isEmpty();
            far.send(TestPort.numbered(1, 60));
            assertThat(a.await(1)).containsExactly(TestPort.numbered(1, 60));
        }
    }

    @Test
    void aFarEndThatLeavesChecksumsToHardwareIsTold() throws Exception {
        left = network.namespace("l");
        right = network.namespace("r");
        network.vethWithOffloads(left, "eth0", right, "eth0", 1600);
        network.exec(left, "ip", "addr", "add", "10.9.0.1/24", "dev", "eth0");
        network.exec(right, "ip", "addr", "add", "10.9.0.2/24", "dev", "eth0");
        kernelTunnel("10.9.0.2", "10.9.0.1");
        network.exec(right, "ip", "addr", "add", "10.8.0.2/24", "dev", "vx0");
        String[] neighbour = {"ip", "neigh", "add", "10.8.0.1", "lladdr", "02:00:00:00:00:01"};
        List<String> words = new ArrayList<>(List.of(neighbour));
        words.addAll(List.of("dev", "vx0"));
        network.exec(right, words.toArray(String[]::new));
        try (TestPort a = port(left, "10.9.0.1", "10.9.0.2", VNI, DatagramTransport.Kind.AUTO);
                DatagramSocket host = socket(right, "10.8.0.2")) {
            assertThat(a.receive()).isEmpty();
            network.exec(right, "ethtool", "-K", "vx0", "tx", "off");
            send(host, "10.8.0.1");
            assertThat(a.await(1)).hasSize(1);
            assertThat(a.device.trouble()).isEmpty();
            network.exec(right, "ethtool", "-K", "vx0", "tx", "on");
            assertThat(a.device.trouble())
                    .contains("'vx0' in network namespace '" + right + "', at the far end, leaves")
                    .contains("ethtool -K vx0 tx off");
            send(host, "10.8.0.1");
            assertThat(a.await(1)).hasSize(1);
            network.exec(right, "ethtool", "-K", "vx0", "tx", "off");
            // As where the far end is on another machine: only frames say it.
            assertThat(a.device.trouble())
                    .contains("left the checksum to hardware")
                    .contains("ethtool -K INTERFACE tx off");
        }
    }

    private static void send(DatagramSocket from, String to) throws IOException {
        InetAddress address = InetAddress.ofLiteral(to);
        from.send(new DatagramPacket("checksum".getBytes(US_ASCII), 8, address, 9));
    }

    /** Linux' own device at the right. */
    private void kernelTunnel(String local, String remote, String... options) {
        List<String> words = new ArrayList<>(List.of("ip", "link", "add", "vx0", "type", "vxlan"));
        words.addAll(List.of("id", "" + VNI, "local", local, "remote", remote));
        words.addAll(List.of("dstport", "4789", "dev", "eth0"));
        words.addAll(List.of(options));
        network.exec(right, words.toArray(String[]::new));
        // The kernel's own words on it would be frames too.
        network.exec(right, "sysctl", "-qw", "net.ipv6.conf.vx0.disable_ipv6=1");
        network.exec(right, "ip", "link", "set", "vx0", "mtu", "1450", "up");
    }

    private DatagramSocket socket(String address) throws Exception {
        return socket(left, address);
    }

    private static DatagramSocket socket(String netns, String address) throws Exception {
        return NetworkNamespace.call(
                netns,
                () -> {
                    try {
                        return new DatagramSocket(new InetSocketAddress(address, 0));
                    } catch (IOException refused) {
                        throw new DeviceException("test socket", refused);
                    }
                });
    }

    private static void send(DatagramSocket from, byte[] bytes) throws Exception {
        from.send(
                new DatagramPacket(
                        bytes,
                        bytes.length,
                        InetAddress.getByName("10.9.0.2"),
                        VxlanDevice.UDP_PORT));
    }
}
