package io.headgate.dataplane.device.afxdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.DeviceConfig;
import io.headgate.config.DeviceConfig.XdpMode;
import io.headgate.config.DeviceConfig.XdpTransmit;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.FaultInjector;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.RawEnd;
import io.headgate.dataplane.device.linux.SharedSlots;
import io.headgate.dataplane.device.linux.TestNetwork;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.device.linux.net.Offload;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("netns")
class LiveTransmitTest {
    private static final int RING = 1024;
    private static final int SLOTS = 4096;
    private static final int BURST = 64;
    private static final int WORKER = 0;
    private static final long WAIT_NS = 60_000_000_000L;
    private static final int NUMBER_OFFSET = 14;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final Frame[] batch = new Frame[BURST];
    private final Frame[] done = new Frame[BURST];
    private final FrameRegion region = new FrameRegion(SLOTS, 2048, true, new SharedSlots());
    private final FreeList free = allFree(region);
    private TestNetwork network;
    private String switchSide;
    private String hostSide;
    private XskUmem umem;
    private long nowNs;
    private long cycle;

    @BeforeEach
    void makeCables() throws DeviceException {
        network = new TestNetwork();
        switchSide = network.namespace("s");
        hostSide = network.namespace("h");
        umem = new XskUmem(region);
        veth("1");
    }

    @AfterEach
    void remove() throws Exception {
        for (AutoCloseable device : open.reversed()) {
            device.close();
        }
        network.close();
    }

    private void veth(String number) {
        network.veth(switchSide, "p" + number, hostSide, "h" + number, 1500);
        for (String side : List.of("p", "h")) {
            network.exec(
                    side.equals("p") ? switchSide : hostSide,
                    "ethtool",
                    "-K",
                    side + number,
                    "txvlan",
                    "off",
                    "tx-vlan-stag-hw-insert",
                    "off");
        }
    }

    private void gro(String number, String how) {
        network.exec(hostSide, "ethtool", "-K", "h" + number, "gro", how);
    }

    private AfXdpDevice device(String name, XdpTransmit transmit) throws DeviceException {
        return device(umem, switchSide, name, transmit);
    }

    private AfXdpDevice device(XskUmem memory, String netns, String name, XdpTransmit transmit)
            throws DeviceException {
        AfXdpDevice device =
                AfXdpDevice.open(
                        memory,
                        new DeviceConfig.AfXdp(name, netns, 0, XdpMode.AUTO, transmit, RING),
                        WORKER);
        open.add(device);
        return device;
    }

    private RawEnd raw(String name) throws DeviceException {
        RawEnd end = new RawEnd(hostSide, name);
        open.add(end);
        return end;
    }

    private static FreeList allFree(FrameRegion of) {
        FreeList all = new FreeList(of.slots(), false);
        for (int slot = 0; slot < of.slots(); slot++) {
            all.put(of.frame(slot));
        }
        return all;
    }

    private Frame numbered(int number, int lengthBytes) {
        Frame frame = Objects.requireNonNull(free.take());
        frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES - number % 64;
        frame.lengthBytes = lengthBytes;
        frame.storedBytes = lengthBytes;
        FrameRegion.MEMORY.set(
                ValueLayout.JAVA_LONG_UNALIGNED, frame.dataOffset, 0x0002_0900_0000_0002L);
        FrameRegion.MEMORY.set(
                ValueLayout.JAVA_LONG_UNALIGNED, frame.dataOffset + 6, 0xb588_0100_0000_0002L);
        FrameRegion.MEMORY.set(
                ValueLayout.JAVA_INT_UNALIGNED, frame.dataOffset + NUMBER_OFFSET, number);
        return frame;
    }

    /** Hands frames over as a worker's cycle does; answers how many the device took. */
    private int handOver(AfXdpDevice device, int first, int count, int lengthBytes) {
        int handed = 0;
        while (handed < count) {
            int wanted = Math.min(BURST, count - handed);
            for (int i = 0; i < wanted; i++) {
                batch[i] = numbered(first + handed + i, lengthBytes);
            }
            int taken = device.transmit(batch, 0, wanted);
            for (int i = taken; i < wanted; i++) {
                free.put(batch[i]);
            }
            handed += taken;
            if (taken < wanted) {
                break;
            }
        }
        return handed;
    }

    private void send(AfXdpDevice device, int first, int count) {
        assertThat(handOver(device, first, count, 60 + first % 1000)).isEqualTo(count);
        flush(device);
        collect(device);
    }

    /** Two cycles end, the second without further frames. */
    private void flush(AfXdpDevice device) {
        device.flush(nowNs, ++cycle);
        device.flush(nowNs, ++cycle);
    }

    private void collect(AfXdpDevice device) {
        int count;
        do {
            count = device.completed(done, BURST);
            for (int i = 0; i < count; i++) {
                free.put(done[i]);
            }
        } while (count > 0);
    }

    private static void assertArrive(RawEnd host, int first, int count) {
        for (int number = first; number < first + count; number++) {
            byte[] arrived = host.receive();
            assertThat(arrived).as("frame %d", number).hasSizeGreaterThan(59);
            assertThat(number(arrived)).isEqualTo(number);
        }
        assertThat(host.receive(0)).isEmpty();
    }

    private static int number(byte[] frame) {
        return (int)
                ValueLayout.JAVA_INT_UNALIGNED
                        .varHandle()
                        .get(java.lang.foreign.MemorySegment.ofArray(frame), (long) NUMBER_OFFSET);
    }

    /** XDP frames that the kernel says the interface has sent. */
    private long xdpFrames(String name) {
        for (String line : network.exec(switchSide, "ethtool", "-S", name).split("\n")) {
            if (line.contains("tx_queue_0_xdp_xmit:")) {
                return Long.parseLong(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        throw new AssertionError("no counter");
    }

    private static long dropped(AfXdpDevice device, DropReason reason) {
        DropTotals totals = new DropTotals();
        device.readReceiveDrops(totals);
        device.readTransmitDrops(totals);
        return totals.get(reason);
    }

    @Test
    void framesKeepTheirOrderHoweverBurstsChangeTheirWay() throws DeviceException {
        orderOf(150_000);
    }

    @Test
    @Tag("long")
    void aMillionFramesKeepTheirOrder() throws DeviceException {
        orderOf(1_000_000);
    }

    private void orderOf(int frames) throws DeviceException {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        FrameRegion theirs = new FrameRegion(SLOTS, 2048);
        FreeList theirFree = allFree(theirs);
        AfXdpDevice host = device(new XskUmem(theirs), hostSide, "h1", XdpTransmit.COPY);
        AfXdpDevice port = device("p1", XdpTransmit.AUTO);
        host.receive(0, theirFree, batch, BURST);

        int sent = 0;
        int received = 0;
        int last = -1;
        long deadline = System.nanoTime() + WAIT_NS;
        while (System.nanoTime() - deadline < 0) {
            if (sent < frames) {
                int most = random.nextInt(3) == 0 ? 8 : 200;
                int count = Math.min(1 + random.nextInt(most), frames - sent);
                sent += handOver(port, sent, count, 60 + random.nextInt(1400));
                deadline = System.nanoTime() + WAIT_NS;
            }
            port.flush(nowNs, ++cycle);
            if (sent == frames || random.nextInt(4) > 0) {
                collect(port);
            }
            for (int n = host.receive(0, theirFree, batch, BURST);
                    n > 0;
                    n = host.receive(0, theirFree, batch, BURST)) {
                for (int i = 0; i < n; i++) {
                    int number =
                            FrameRegion.MEMORY.get(
                                    ValueLayout.JAVA_INT_UNALIGNED,
                                    batch[i].dataOffset + NUMBER_OFFSET);
                    assertThat(number).isGreaterThan(last);
                    last = number;
                    theirFree.put(batch[i]);
                }
                received += n;
            }
            if (sent == frames
                    && received
                                    + dropped(port, DropReason.KERNEL_TX)
                                    + dropped(host, DropReason.KERNEL_RX_FILL_EMPTY)
                            == frames) {
                break;
            }
        }
        assertThat(received)
                .isEqualTo(
                        frames
                                - dropped(port, DropReason.KERNEL_TX)
                                - dropped(host, DropReason.KERNEL_RX_FILL_EMPTY));
        assertThat(received).isGreaterThan(frames / 2);
        assertThat(xdpFrames("p1")).isBetween(frames / 4L, frames - frames / 100L);
        assertThat(port.info().detail()).endsWith("; bursts as XDP frames");
        assertThat(free.size() + RING).isGreaterThanOrEqualTo(SLOTS);
    }

    @Test
    void fewFramesGoThroughTheSocketAndManyDoNot() throws DeviceException {
        gro("1", "on");
        AfXdpDevice port = device("p1", XdpTransmit.AUTO);
        RawEnd host = raw("h1");
        send(port, 0, 63);
        assertArrive(host, 0, 63);
        assertThat(xdpFrames("p1")).isZero();
        send(port, 63, 64);
        assertArrive(host, 63, 64);
        assertThat(xdpFrames("p1")).isEqualTo(64);
        send(port, 127, 256);
        assertArrive(host, 127, 256);
        assertThat(xdpFrames("p1")).isEqualTo(320);
        assertThat(free.size()).isEqualTo(SLOTS);
    }

    @Test
    void aFarEndThatTakesNoXdpFramesIsNoticedAndLosesNothing() throws DeviceException {
        AfXdpDevice port = device("p1", XdpTransmit.XDP);
        RawEnd host = raw("h1");
        assertThat(port.trouble()).isEmpty();
        int sent = 0;
        send(port, sent, 128);
        assertArrive(host, sent, 128);
        sent += 128;
        assertThat(port.info().detail())
                .endsWith("; no XDP frames: the other end does not accept them");
        assertThat(port.trouble())
                .endsWith(
                        "correct that with 'ip netns exec " + hostSide + " ethtool -K h1 gro on'");

        gro("1", "on");
        nowNs += 2_000_000_000;
        send(port, sent, 128);
        assertArrive(host, sent, 128);
        sent += 128;
        assertThat(xdpFrames("p1")).isEqualTo(128);
        assertThat(port.info().detail()).endsWith("; bursts as XDP frames");
        assertThat(port.trouble()).isEmpty();

        gro("1", "off");
        send(port, sent, 128);
        assertArrive(host, sent, 128);
        assertThat(port.info().detail())
                .endsWith("; no XDP frames: the other end does not accept them");
        assertThat(dropped(port, DropReason.KERNEL_TX)).isZero();
        assertThat(free.size()).isEqualTo(SLOTS);
    }

    @Test
    void whatTheFarEndRefusesIsCounted() throws DeviceException {
        gro("1", "on");
        AfXdpDevice port = device("p1", XdpTransmit.AUTO);
        RawEnd host = raw("h1");
        send(port, 0, 64);
        assertArrive(host, 0, 64);
        network.exec(hostSide, "ip", "link", "set", "h1", "mtu", "576");
        assertThat(handOver(port, 64, 80, 1000)).isEqualTo(80);
        flush(port);
        assertThat(host.receive(0)).isEmpty();
        assertThat(dropped(port, DropReason.KERNEL_TX)).isEqualTo(80);
    }

    @Test
    void portsOfAWorkerShareACall() throws DeviceException {
        veth("2");
        gro("1", "on");
        gro("2", "on");
        AfXdpDevice first = device("p1", XdpTransmit.AUTO);
        AfXdpDevice second = device("p2", XdpTransmit.AUTO);
        for (int round = 0; round < 3; round++) {
            handOver(first, 0, 40, 100);
            handOver(second, 0, 30, 200);
            flush(first);
            flush(second);
            collect(first);
            collect(second);
        }
        assertThat(xdpFrames("p1")).isEqualTo(120);
        assertThat(xdpFrames("p2")).isEqualTo(90);
        gro("2", "off");
        handOver(first, 0, 40, 100);
        handOver(second, 0, 30, 200);
        flush(first);
        assertThat(xdpFrames("p1")).isEqualTo(160);
        assertThat(xdpFrames("p2")).isEqualTo(90);
        assertThat(first.info().detail()).endsWith("; bursts as XDP frames");
        assertThat(second.info().detail()).endsWith("the other end does not accept them");
        assertThat(dropped(second, DropReason.KERNEL_TX)).isZero();
    }

    @Test
    void aDeviceAroundItSendsWhatIsStaged() throws DeviceException {
        gro("1", "on");
        AfXdpDevice port = device("p1", XdpTransmit.AUTO);
        RawEnd host = raw("h1");
        PortDevice around =
                new FaultInjector(
                        port,
                        new DeviceConfig.Faults(
                                new DeviceConfig.OneWay(0, 0, 0, 0, 0, 0, 0), 0, 0, 500, 3, null),
                        "p1",
                        2048,
                        () -> nowNs);
        assertThat(around.collects()).isTrue();
        assertThat(handOver(port, 0, 64, 100)).isEqualTo(64);
        around.flush(nowNs, PortDevice.LAST_CYCLE);
        assertArrive(host, 0, 64);
    }

    private LiveTransmit transmit() {
        return Objects.requireNonNull(umem.transmitOf(WORKER));
    }

    @Test
    void whatTheKernelDidNotComeToFollowsThroughTheSocket() throws DeviceException {
        gro("1", "on");
        AfXdpDevice port = device("p1", XdpTransmit.AUTO);
        RawEnd host = raw("h1");
        LiveTransmit.Kernel[] real = new LiveTransmit.Kernel[1];
        real[0] = transmit().replace((frames, why) -> frames < 100 ? -1 : real[0].run(50, why));
        send(port, 0, 128);
        assertArrive(host, 0, 128);
        assertThat(xdpFrames("p1")).isEqualTo(50);
        assertThat(dropped(port, DropReason.KERNEL_TX)).isZero();
        assertThat(port.info().detail()).endsWith("; bursts as XDP frames");
        assertThat(free.size()).isEqualTo(SLOTS);
    }

    @Test
    void whyTheKernelRefusesToSendIsSaid() throws DeviceException {
        gro("1", "on");
        AfXdpDevice port = device("p1", XdpTransmit.XDP);
        RawEnd host = raw("h1");
        LiveTransmit.Kernel real =
                transmit().replace((frames, why) -> why == null ? -1 : -Errno.ENOMEM);
        send(port, 0, 64);
        assertArrive(host, 0, 64);
        String why = "the kernel refuses to send them (ENOMEM, not enough memory)";
        assertThat(port.info().detail()).endsWith("; no XDP frames: " + why);
        assertThat(port.trouble()).endsWith("not as XDP frames: " + why);
        transmit().replace(real);
        nowNs += 2_000_000_000;
        send(port, 64, 64);
        assertArrive(host, 64, 64);
        assertThat(port.info().detail()).endsWith("; bursts as XDP frames");
        assertThat(port.trouble()).isEmpty();
    }

    @Test
    void aPortThatFailsDoesNotStopOthers() throws DeviceException {
        veth("2");
        gro("1", "on");
        gro("2", "on");
        AfXdpDevice first = device("p1", XdpTransmit.AUTO);
        AfXdpDevice second = device("p2", XdpTransmit.AUTO);
        RawEnd firstHost = raw("h1");
        RawEnd host = raw("h2");
        LiveTransmit.Kernel real =
                transmit()
                        .replace((frames, why) -> {
                            throw new IllegalStateException("made to fail");
                        });
        handOver(first, 0, 64, 100);
        handOver(second, 0, 64, 100);
        assertThatThrownBy(() -> flush(first)).hasMessage("made to fail");
        transmit().replace(real);
        handOver(second, 64, 64, 100);
        flush(second);
        assertArrive(host, 0, 128);
        collect(first);
        assertArrive(firstHost, 0, 64);
        assertThat(xdpFrames("p1")).isZero();
    }

    @Test
    void whatOthersSendOnTheSameProcessorIsNotTakenForOurs() throws DeviceException {
        gro("1", "on");
        LinuxInterface port = LinuxInterface.read(switchSide, "p1");
        LiveTransmit ours = LiveTransmit.open((SharedSlots) region.memory());
        open.add(ours::close);
        LiveTransmit theirs = LiveTransmit.open((SharedSlots) region.memory());
        open.add(theirs::close);
        for (LiveTransmit each : List.of(ours, theirs)) {
            int number = NetworkNamespace.call(switchSide, () -> each.enter(port));
            for (int i = 0; i < BURST; i++) {
                each.write(0, 60, number);
            }
            assertThat(each.run(BURST)).isEqualTo(BURST);
        }
        assertThat(theirs.reports()).isEqualTo(ours.reports()).isPositive();
    }

    @Test
    void reportsOfMoreThanWasSentAreNoLossAndNoGain() throws DeviceException {
        gro("1", "on");
        AfXdpDevice port = device("p1", XdpTransmit.AUTO);
        RawEnd host = raw("h1");
        LiveTransmit transmit = transmit();
        LiveTransmit.Kernel[] real = new LiveTransmit.Kernel[1];
        real[0] =
                transmit.replace((frames, why) -> {
                    for (int i = 0; i < BURST; i++) {
                        transmit.write(0, 60, 0);
                    }
                    return real[0].run(frames + BURST, why);
                });
        send(port, 0, BURST);
        host.drain();
        assertThat(xdpFrames("p1")).isEqualTo(2 * BURST);
        assertThat(dropped(port, DropReason.KERNEL_TX)).isZero();
        assertThat(free.size()).isEqualTo(SLOTS);
    }

    @Test
    void withoutAVethBurstsLeaveAsXdpFramesOnlyWhereThatIsAskedFor() throws Exception {
        network.exec(switchSide, "ip", "tuntap", "add", "d1", "mode", "tap");
        network.exec(switchSide, "ip", "link", "set", "d1", "up");
        AfXdpDevice port = device("d1", XdpTransmit.AUTO);
        assertThat(port.collects()).isFalse();
        assertThat(port.info().detail())
                .endsWith(
                        "; no XDP frames: only a veth is known to count the XDP frames that it"
                                + " drops; use transmit 'xdp' for other interfaces");
        port.close();
        assertThat(device("d1", XdpTransmit.XDP).collects()).isTrue();
    }

    @Test
    void xdpFramesOvertakeNothingOnAVeth() throws DeviceException {
        network.exec(switchSide, "ethtool", "-K", "p1", "tx", "on", "sg", "on", "tso", "on");
        AfXdpDevice port = device("p1", XdpTransmit.AUTO);
        assertThat(offloads()).doesNotContain(Offload.TSO);
        assertThat(port.trouble()).isEmpty();
        network.exec(switchSide, "ethtool", "-K", "p1", "tso", "on");
        assertThat(port.trouble()).startsWith("another tool switched on tso of 'p1'");
        assertThat(offloads()).doesNotContain(Offload.TSO);
        port.close();
        assertThat(offloads()).contains(Offload.TSO);
    }

    private Set<Offload> offloads() throws DeviceException {
        return LinuxInterface.read(switchSide, "p1").offloads();
    }

    @Test
    void nothingIsLeftOfPortsThatAreClosed() throws Exception {
        device("p1", XdpTransmit.COPY).close();
        long before = descriptors();
        for (int round = 0; round < 3; round++) {
            AfXdpDevice port = device("p1", XdpTransmit.XDP);
            assertThat(descriptors()).isGreaterThan(before + 4);
            port.close();
            assertThat(descriptors()).isEqualTo(before);
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }

    @Test
    void slotsThatTheKernelCannotShareAreSaid() throws DeviceException {
        XskUmem other = new XskUmem(new FrameRegion(SLOTS, 2048));
        assertThatThrownBy(() -> device(other, switchSide, "p1", XdpTransmit.XDP))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("cannot send bursts as XDP frames")
                .hasMessageContaining("use transmit 'auto'");
        assertThat(device(other, switchSide, "p1", XdpTransmit.AUTO).info().detail())
                .contains("; no XDP frames: its slots are in memory");
        assertThat(LiveTransmit.whyNot()).isEmpty();
    }
}
