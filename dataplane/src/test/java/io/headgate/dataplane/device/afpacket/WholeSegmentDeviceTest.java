package io.headgate.dataplane.device.afpacket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.WholeFrame;
import io.headgate.dataplane.device.linux.Poller;
import io.headgate.dataplane.device.linux.TestNetwork;
import io.headgate.dataplane.device.linux.TestPort;
import io.headgate.dataplane.device.tap.TapDevice;
import io.headgate.dataplane.frame.Tcp;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("netns")
class WholeSegmentDeviceTest {
    private static final int SLOTS = 128;
    private static final long WAIT_NS = 60_000_000_000L;

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

    private static TestPort open(String netns, String name) throws Exception {
        return new TestPort(
                WholeFrame.region(SLOTS),
                region -> AfPacketDevice.openForSegments(netns, name, region, 256));
    }

    private TestPort openAtOnce(String name) throws Exception {
        network.exec(host, "tc", "qdisc", "replace", "dev", name, "root", "noqueue");
        return open(host, name);
    }

    private static List<WholeFrame> frames() {
        return List.of(
                WholeFrame.ipv4(5_000, 1_000),
                WholeFrame.ipv4(64_000, 1_448).withOptions(12).withFlags(Tcp.PSH),
                WholeFrame.ipv4(2_001, 1_000).withFlags(Tcp.FIN | Tcp.PSH | Tcp.CWR | Tcp.ECE),
                WholeFrame.ipv6(7_777, 1_428).withOptions(12).withFlags(Tcp.PSH | Tcp.CWR),
                WholeFrame.ipv6(3_001, 1_000).withOptions(40).withFlags(Tcp.FIN));
    }

    private static Frame load(TestPort port, WholeFrame frame, boolean tagged) {
        Frame loaded = Objects.requireNonNull(port.free.take());
        frame.into(loaded);
        if (tagged) {
            WholeFrame.tag(loaded, 0x2005);
        }
        return loaded;
    }

    /** Where the interface takes no whole frames, the kernel cuts: each byte is the same. */
    @Test
    void kernelCutsSegmentsAsWeDo() throws Exception {
        network.veth(host, "eth0", switchNs, "p1", 1500);
        try (TestPort sender = open(host, "eth0");
                TestPort port = TestPort.afPacket(switchNs, "p1")) {
            for (WholeFrame frame : frames()) {
                for (boolean tagged : new boolean[] {false, true}) {
                    Frame whole = load(sender, frame, tagged);
                    List<byte[]> expected = WholeFrame.segments(whole);
                    assertThat(sender.device.transmit(new Frame[] {whole}, 0, 1)).isEqualTo(1);
                    assertThat(port.await(expected.size())).containsExactlyElementsOf(expected);
                    sender.free.put(whole);
                }
            }
            assertThat(sender.transmitDrops(DropReason.KERNEL_TX)).isZero();
        }
    }

    private static List<byte[]> awaitWhole(TestPort port, int wanted, List<Integer> segmentBytes) {
        List<byte[]> received = new ArrayList<>();
        Poller poller = new Poller(port.device.receiveFd());
        long endNs = port.nowNs() + 60_000_000_000L;
        while (received.size() < wanted && port.nowNs() < endNs) {
            int count = port.device.receive(port.nowNs(), port.free, port.batch, TestPort.BURST);
            for (int i = 0; i < count; i++) {
                received.add(WholeFrame.bytes(port.batch[i]));
                segmentBytes.add(port.batch[i].segmentBytes);
                port.free.put(port.batch[i]);
            }
            if (count == 0) {
                poller.await(10_000_000);
            }
        }
        return received;
    }

    @Test
    void wholeFramesAndSingleOnesArriveAsTheyLeft() throws Exception {
        network.vethWithOffloads(host, "eth0", switchNs, "p1", 1500);
        try (TestPort sender = open(host, "eth0");
                TestPort port = open(switchNs, "p1")) {
            List<byte[]> expected = new ArrayList<>();
            List<Frame> batch = new ArrayList<>();
            for (WholeFrame frame : frames()) {
                batch.add(load(sender, frame, false));
                batch.add(load(sender, frame, true));
                batch.add(sender.load(TestPort.numbered(batch.size(), 60 + batch.size())));
            }
            batch.forEach(frame -> expected.add(WholeFrame.bytes(frame)));
            Frame[] all = batch.toArray(Frame[]::new);
            assertThat(sender.device.transmit(all, 0, all.length)).isEqualTo(all.length);
            List<Integer> segmentBytes = new ArrayList<>();
            assertThat(awaitWhole(port, all.length, segmentBytes))
                    .containsExactlyElementsOf(expected);
            assertThat(segmentBytes)
                    .containsExactlyElementsOf(batch.stream().map(f -> f.segmentBytes).toList());
            for (TestPort one : List.of(sender, port)) {
                DropTotals totals = new DropTotals();
                if (one == port) {
                    one.device.readReceiveDrops(totals);
                } else {
                    one.device.readTransmitDrops(totals);
                }
                assertThat(totals.wholeFrames()).isEqualTo(10);
                assertThat(totals.wholeSegments()).isEqualTo(2 * (5 + 45 + 3 + 6 + 4));
                for (DropReason reason : DropReason.values()) {
                    assertThat(totals.get(reason)).as("%s", reason).isZero();
                }
            }
            assertThat(port.free.size()).isEqualTo(SLOTS);
        }
    }

    @Test
    void shortFramesArePaddedAndLongOnesRefused() throws Exception {
        network.veth(host, "eth0", switchNs, "p1", 1500);
        try (TestPort sender = open(host, "eth0");
                TestPort port = TestPort.afPacket(switchNs, "p1")) {
            assertThat(sender.transmit(List.of(TestPort.numbered(1, 20)))).isEqualTo(1);
            assertThat(port.await(1).getFirst()).hasSize(60).endsWith(0, 0, 0, 0);
            assertThat(sender.transmit(List.of(TestPort.numbered(1, 1_519)))).isEqualTo(1);
            Frame tooLong = load(sender, WholeFrame.ipv4(5_000, 1_464), true);
            assertThat(sender.device.transmit(new Frame[] {tooLong}, 0, 1)).isEqualTo(1);
            assertThat(sender.device.transmitStatus().refusedFrames()).isEqualTo(2);
        }
    }

    /** Pauses would wait behind data there. */
    @Test
    void aQdiscBeforeTheInterfaceIsRefused() {
        network.vethWithOffloads(host, "eth0", switchNs, "p1", 1500);
        network.exec(switchNs, "tc", "qdisc", "replace", "dev", "p1", "root", "pfifo");
        assertThatThrownBy(() -> open(switchNs, "p1"))
                .isInstanceOf(DeviceException.class)
                .hasMessageContainingAll("(pfifo)", "tc qdisc replace dev p1 root noqueue");
    }

    /**
     * The far end takes frames in a thread of its own, and cannot keep up: the interface refuses
     * some, now and then in the middle of a call.
     */
    @Test
    void framesThatAreTakenAtASecondTryAreNoLoss() throws Exception {
        network.veth(host, "eth0", switchNs, "p1", 1500);
        network.exec(host, "ethtool", "-K", "eth0", "gro", "on");
        network.exec(host, "sh", "-c", "echo 1 > /sys/class/net/eth0/threaded");
        try (TestPort port = open(switchNs, "p1")) {
            Frame[] all = new Frame[SLOTS];
            for (int i = 0; i < SLOTS; i++) {
                all[i] = port.load(TestPort.numbered(i, 60));
            }
            long sent = 0;
            // The kernel refuses frames only when its own thread falls behind this one.
            long beginNs = System.nanoTime();
            while (statistics(switchNs, "p1", "tx_dropped") == 0) {
                assertThat(System.nanoTime() - beginNs).isLessThan(WAIT_NS);
                for (int round = 0; round < 200; round++) {
                    sent += port.device.transmit(all, 0, SLOTS);
                }
            }
            long passed = statistics(switchNs, "p1", "tx_packets");
            assertThat(port.transmitDrops(DropReason.KERNEL_TX)).isEqualTo(sent - passed);
        }
    }

    private long statistics(String netns, String name, String of) {
        return Long.parseLong(
                network.exec(netns, "cat", "/sys/class/net/" + name + "/statistics/" + of).strip());
    }

    /** What is written to a TAP a packet socket on its interface sees, and the other way round. */
    @Test
    void tapTakesAndBringsTheSameFrames() throws Exception {
        try (TestPort tap =
                        new TestPort(
                                WholeFrame.region(SLOTS),
                                region ->
                                        TapDevice.open(
                                                host, "tap0", true, 1500, region, null, true));
                TestPort port = openAtOnce("tap0")) {
            assertThat(tap.device.takesSegments()).isTrue();
            for (TestPort sender : List.of(tap, port)) {
                TestPort receiver = sender == tap ? port : tap;
                List<Frame> batch = new ArrayList<>();
                for (WholeFrame frame : frames()) {
                    batch.add(load(sender, frame, false));
                    batch.add(sender.load(TestPort.numbered(batch.size(), 60 + batch.size())));
                }
                List<byte[]> expected = batch.stream().map(WholeFrame::bytes).toList();
                Frame[] all = batch.toArray(Frame[]::new);
                assertThat(sender.device.transmit(all, 0, all.length)).isEqualTo(all.length);
                List<Integer> segmentBytes = new ArrayList<>();
                assertThat(awaitWhole(receiver, all.length, segmentBytes))
                        .containsExactlyElementsOf(expected);
                assertThat(segmentBytes)
                        .containsExactlyElementsOf(
                                batch.stream().map(frame -> frame.segmentBytes).toList());
            }
        }
    }
}
