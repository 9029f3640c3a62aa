package io.headgate.dataplane.device.afxdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.headgate.config.DeviceConfig;
import io.headgate.config.DeviceConfig.XdpMode;
import io.headgate.config.DeviceConfig.XdpTransmit;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceSetup;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.linux.Bpf;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.RawEnd;
import io.headgate.dataplane.device.linux.TestNetwork;
import io.headgate.dataplane.device.linux.net.LinkState;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.device.linux.net.Offload;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.SlotPlace;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("netns")
class AfXdpDeviceTest {
    private static final int RING = 256;
    private static final int BURST = 64;
    private static final long WAIT_NS = 60_000_000_000L;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final Frame[] batch = new Frame[BURST];
    private TestNetwork network;
    private String switchSide;
    private String hostSide;

    @BeforeEach
    void makeCable() {
        network = new TestNetwork();
        switchSide = network.namespace("s");
        hostSide = network.namespace("h");
        veth(switchSide, "p1", hostSide, "h1", 1500);
    }

    @AfterEach
    void remove() throws Exception {
        for (AutoCloseable device : open.reversed()) {
            device.close();
        }
        network.close();
    }

    private void veth(String left, String leftName, String right, String rightName, int mtu) {
        network.veth(left, leftName, right, rightName, mtu);
        network.exec(
                left, "ethtool", "-K", leftName, "txvlan", "off", "tx-vlan-stag-hw-insert", "off");
        network.exec(
                right,
                "ethtool",
                "-K",
                rightName,
                "txvlan",
                "off",
                "tx-vlan-stag-hw-insert",
                "off");
    }

    private AfXdpDevice device(XskUmem umem, String netns, String name, XdpMode mode)
            throws DeviceException {
        AfXdpDevice device =
                AfXdpDevice.open(
                        umem,
                        new DeviceConfig.AfXdp(name, netns, 0, mode, XdpTransmit.COPY, RING),
                        DeviceSetup.UNKNOWN_WORKER);
        open.add(device);
        return device;
    }

    private RawEnd raw(String netns, String name) throws DeviceException {
        RawEnd end = new RawEnd(netns, name);
        open.add(end);
        return end;
    }

    private static FreeList allFree(FrameRegion region) {
        FreeList free = new FreeList(region.slots(), false);
        for (int slot = 0; slot < region.slots(); slot++) {
            free.put(region.frame(slot));
        }
        return free;
    }

    /** A frame of a type that no stack answers, with a number and bytes that follow from it. */
    private static byte[] frame(int number, int lengthBytes) {
        ByteBuffer frame = ByteBuffer.allocate(lengthBytes);
        frame.put(new byte[] {2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 1, (byte) 0x88, (byte) 0xb5});
        frame.putInt(number);
        Random random = new Random(number);
        while (frame.hasRemaining()) {
            frame.put((byte) random.nextInt());
        }
        return frame.array();
    }

    private static byte[] bytes(FrameRegion region, Frame frame) {
        return region.segment()
                .asSlice(frame.dataOffset, frame.lengthBytes)
                .toArray(ValueLayout.JAVA_BYTE);
    }

    private static Frame take(FreeList free) {
        return Objects.requireNonNull(free.take());
    }

    private static void fill(FrameRegion region, Frame frame, byte[] bytes) {
        frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.lengthBytes = bytes.length;
        frame.storedBytes = bytes.length;
        MemorySegment.copy(
                bytes, 0, region.segment(), ValueLayout.JAVA_BYTE, frame.dataOffset, bytes.length);
    }

    private int receive(AfXdpDevice device, FreeList free) {
        long start = System.nanoTime();
        int count;
        do {
            count = device.receive(System.nanoTime(), free, batch, BURST);
        } while (count == 0 && System.nanoTime() - start < WAIT_NS);
        return count;
    }

    @ParameterizedTest
    @EnumSource(
            value = XdpMode.class,
            names = {"NATIVE", "GENERIC"})
    void receivesEveryFrameWholeAndInOrder(XdpMode mode) throws DeviceException {
        FrameRegion region = new FrameRegion(1024, 2048);
        FreeList free = allFree(region);
        AfXdpDevice device = device(new XskUmem(region), switchSide, "p1", mode);
        RawEnd host = raw(hostSide, "h1");
        assertThat(device.info().detail()).startsWith(mode == XdpMode.NATIVE ? "native" : "gen");
        assertThat(device.isUp()).isTrue();
        assertThat(device.receive(0, free, batch, BURST)).isZero();

        for (int round = 0; round < 20; round++) {
            for (int index = 0; index < 100; index++) {
                int number = round * 100 + index;
                host.send(frame(number, 60 + (number * 37) % 1455));
            }
            for (int index = 0; index < 100; ) {
                int count = receive(device, free);
                assertThat(count).as("after frame %d", round * 100 + index).isPositive();
                for (int at = 0; at < count; at++, index++) {
                    int number = round * 100 + index;
                    Frame received = batch[at];
                    assertThat(received.dataOffset)
                            .isEqualTo(received.slotOffset + FrameRegion.HEADROOM_BYTES);
                    assertThat(bytes(region, received))
                            .isEqualTo(frame(number, 60 + (number * 37) % 1455));
                    free.put(received);
                }
            }
        }
        assertNothingDropped(device);
    }

    @ParameterizedTest
    @EnumSource(
            value = XdpMode.class,
            names = {"NATIVE", "GENERIC"})
    void transmitsEveryFrameWholeAndInOrderAndGivesItsSlotBackOnce(XdpMode mode)
            throws DeviceException {
        FrameRegion region = new FrameRegion(1024, 2048);
        FreeList free = allFree(region);
        AfXdpDevice device = device(new XskUmem(region), switchSide, "p1", mode);
        RawEnd host = raw(hostSide, "h1");

        int sent = 0;
        int seen = 0;
        while (seen < 2000) {
            int count = Math.min(BURST, 2000 - sent);
            for (int index = 0; index < count; index++) {
                batch[index] = take(free);
                fill(region, batch[index], frame(sent + index, lengthOf(sent + index)));
                // Anywhere in the slot: a tag may have been taken off in front.
                batch[index].dataOffset -= (sent + index) % 64;
                byte[] bytes = frame(sent + index, lengthOf(sent + index));
                MemorySegment.copy(
                        bytes,
                        0,
                        region.segment(),
                        ValueLayout.JAVA_BYTE,
                        batch[index].dataOffset,
                        bytes.length);
            }
            int taken = device.transmit(batch, 0, count);
            for (int index = taken; index < count; index++) {
                free.put(batch[index]);
            }
            sent += taken;
            complete(device, free);
            for (byte[] arrived = host.receive(0); arrived.length > 0; arrived = host.receive(0)) {
                byte[] expected = frame(seen, lengthOf(seen));
                int padded = Math.max(60, expected.length);
                assertThat(arrived).isEqualTo(Arrays.copyOf(expected, padded));
                seen++;
            }
        }
        assertThat(sent).isEqualTo(2000);
        long start = System.nanoTime();
        while (free.size() < region.slots() && System.nanoTime() - start < WAIT_NS) {
            complete(device, free);
        }
        assertThat(free.size()).isEqualTo(region.slots());
        assertNothingDropped(device);
    }

    /** From the shortest that we may be given to the longest of the interface. */
    private static int lengthOf(int number) {
        return 18 + (number * 53) % 1497;
    }

    private int complete(AfXdpDevice device, FreeList free) {
        Frame[] done = new Frame[BURST];
        int count = device.completed(done, BURST);
        for (int index = 0; index < count; index++) {
            assertThat(done[index].place).isEqualTo(SlotPlace.DEVICE_TRANSMIT);
            free.put(done[index]);
        }
        return count;
    }

    private static void assertNothingDropped(AfXdpDevice device) {
        DropTotals totals = new DropTotals();
        device.readReceiveDrops(totals);
        device.readTransmitDrops(totals);
        for (DropReason reason : DropReason.values()) {
            assertThat(totals.get(reason)).as(reason.name()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = XdpMode.class,
            names = {"NATIVE", "GENERIC"})
    void frameReceivedAtOnePortLeavesAtAnotherInTheSameSlotAcrossNamespaces(XdpMode mode)
            throws DeviceException {
        String otherSwitchSide = network.namespace("t");
        String otherHostSide = network.namespace("i");
        veth(otherSwitchSide, "p2", otherHostSide, "h2", 1500);
        FrameRegion region = new FrameRegion(1024, 2048);
        FreeList free = allFree(region);
        XskUmem umem = new XskUmem(region);
        AfXdpDevice left = device(umem, switchSide, "p1", mode);
        AfXdpDevice right = device(umem, otherSwitchSide, "p2", mode);
        assertThat(umem.registrations()).isEqualTo(1);
        RawEnd host = raw(hostSide, "h1");
        RawEnd otherHost = raw(otherHostSide, "h2");
        assertThat(left.receive(0, free, batch, BURST)).isZero();

        for (int number = 0; number < 500; number++) {
            byte[] bytes = frame(number, 60 + number);
            host.send(bytes);
            assertThat(receive(left, free)).isEqualTo(1);
            Frame received = batch[0];
            received.place = SlotPlace.QUEUE;
            assertThat(right.transmit(batch, 0, 1)).isEqualTo(1);
            assertThat(otherHost.receive()).isEqualTo(bytes);
            assertThat(right.completed(batch, BURST)).isEqualTo(1);
            assertThat(batch[0]).isSameAs(received);
            free.put(received);
        }
        assertNothingDropped(left);
        assertNothingDropped(right);
    }

    @Test
    void portOpenedAfterTheFirstOneLostItsInterfaceStillWorks() throws DeviceException {
        veth(switchSide, "p2", hostSide, "h2", 1500);
        FrameRegion region = new FrameRegion(1024, 2048);
        FreeList free = allFree(region);
        XskUmem umem = new XskUmem(region);
        device(umem, switchSide, "p1", XdpMode.AUTO);
        network.exec(switchSide, "ip", "link", "del", "p1");
        AfXdpDevice second = device(umem, switchSide, "p2", XdpMode.AUTO);
        assertThat(umem.registrations()).isEqualTo(2);
        RawEnd host = raw(hostSide, "h2");
        assertThat(second.receive(0, free, batch, BURST)).isZero();
        host.send(frame(1, 100));
        assertThat(receive(second, free)).isEqualTo(1);
        assertThat(bytes(region, batch[0])).isEqualTo(frame(1, 100));
    }

    @Test
    void everySlotIsFoundByItsPlaceAfterRandomTrafficAndClosing() throws DeviceException {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        FrameRegion region = new FrameRegion(600, 2048);
        FreeList free = allFree(region);
        AfXdpDevice device = device(new XskUmem(region), switchSide, "p1", XdpMode.AUTO);
        RawEnd host = raw(hostSide, "h1");
        List<Frame> held = new ArrayList<>();

        for (int step = 0; step < 3000; step++) {
            switch (random.nextInt(4)) {
                case 0 -> {
                    for (int count = random.nextInt(40); count > 0; count--) {
                        host.trySend(frame(step, 60 + random.nextInt(1400)));
                    }
                }
                case 1 -> {
                    int count = device.receive(step, free, batch, 1 + random.nextInt(BURST));
                    for (int index = 0; index < count; index++) {
                        assertThat(batch[index].place).isEqualTo(SlotPlace.DEVICE_RECEIVE);
                        batch[index].place = SlotPlace.QUEUE;
                        held.add(batch[index]);
                    }
                }
                case 2 -> {
                    int count = Math.min(held.size(), random.nextInt(BURST));
                    for (int index = 0; index < count; index++) {
                        batch[index] = held.get(index);
                    }
                    held.subList(0, device.transmit(batch, 0, count)).clear();
                }
                default -> complete(device, free);
            }
        }
        device.close();
        device.close();
        assertThat(device.receive(0, free, batch, BURST)).isZero();
        assertThat(device.transmit(batch, 0, 1)).isZero();
        assertThat(device.completed(batch, BURST)).isZero();
        assertThat(device.isUp()).isFalse();

        int[] places = new int[SlotPlace.COUNT];
        for (int slot = 0; slot < region.slots(); slot++) {
            places[region.frame(slot).place]++;
        }
        assertThat(places[SlotPlace.FREE]).isEqualTo(free.size());
        assertThat(places[SlotPlace.QUEUE]).isEqualTo(held.size());
        assertThat(places[SlotPlace.DEVICE_RECEIVE]).isBetween(1, RING);
        int found = free.size() + held.size();
        found += places[SlotPlace.DEVICE_RECEIVE] + places[SlotPlace.DEVICE_TRANSMIT];
        assertThat(found).isEqualTo(region.slots());
    }

    @Test
    void saysThatItIsDownWhenTheInterfaceIsAndUpWhenItIsBack() throws DeviceException {
        FrameRegion region = new FrameRegion(512, 2048);
        FreeList free = allFree(region);
        AfXdpDevice device = device(new XskUmem(region), switchSide, "p1", XdpMode.AUTO);
        RawEnd host = raw(hostSide, "h1");
        long nowNs = 0;
        device.receive(nowNs, free, batch, BURST);
        network.exec(hostSide, "ip", "link", "set", "h1", "down");
        nowNs = awaitLink(device, free, nowNs, false);
        network.exec(hostSide, "ip", "link", "set", "h1", "up");
        nowNs = awaitLink(device, free, nowNs, true);

        network.exec(switchSide, "ip", "link", "set", "p1", "down");
        batch[0] = take(free);
        fill(region, batch[0], frame(1, 60));
        assertThat(device.transmit(batch, 0, 1)).isEqualTo(1);
        assertThat(device.isUp()).as("a refused kick is enough").isFalse();
        network.exec(switchSide, "ip", "link", "set", "p1", "up");
        awaitLink(device, free, nowNs, true);

        host.drain();
        assertThat(device.completed(batch, BURST)).isZero();
        assertThat(host.receive()).as("what waited in the ring").isEqualTo(frame(1, 60));
        assertThat(device.completed(batch, BURST)).isEqualTo(1);
        free.put(batch[0]);
        host.send(frame(2, 60));
        assertThat(receive(device, free)).isEqualTo(1);
    }

    /** The kernel takes up to a second to pass on that the other end went down. */
    private long awaitLink(AfXdpDevice device, FreeList free, long fromNs, boolean up) {
        long start = System.nanoTime();
        long nowNs = fromNs;
        do {
            nowNs += LinkState.INTERVAL_NS;
            assertThat(device.receive(nowNs, free, batch, BURST)).isZero();
        } while (device.isUp() != up && System.nanoTime() - start < WAIT_NS);
        assertThat(device.isUp()).isEqualTo(up);
        return nowNs;
    }

    @Test
    void staysDownAndClosesCleanlyWhenTheInterfaceIsDeletedAndMadeAgain() throws DeviceException {
        FrameRegion region = new FrameRegion(512, 2048);
        FreeList free = allFree(region);
        XskUmem umem = new XskUmem(region);
        AfXdpDevice device = device(umem, switchSide, "p1", XdpMode.AUTO);
        device.receive(0, free, batch, BURST);
        network.exec(switchSide, "ip", "link", "del", "p1");
        veth(switchSide, "p1", hostSide, "h1", 1500);
        for (int index = 0; index < 10; index++) {
            batch[index] = take(free);
            fill(region, batch[index], frame(index, 60));
        }
        int taken = device.transmit(batch, 0, 10);
        assertThat(device.isUp()).isFalse();
        device.receive(2 * LinkState.INTERVAL_NS, free, batch, BURST);
        assertThat(device.isUp()).isFalse();
        assertThat(device.completed(batch, BURST)).isZero();
        device.close();
        assertThat(umem.users()).isZero();

        int inDevice = 0;
        for (int slot = 0; slot < region.slots(); slot++) {
            Frame frame = region.frame(slot);
            if (frame.place == SlotPlace.DEVICE_TRANSMIT
                    || frame.place == SlotPlace.DEVICE_RECEIVE) {
                free.put(frame);
                inDevice++;
            }
        }
        assertThat(inDevice).isEqualTo(RING + taken);
        AfXdpDevice again = device(umem, switchSide, "p1", XdpMode.AUTO);
        RawEnd host = raw(hostSide, "h1");
        again.receive(0, free, batch, BURST);
        host.send(frame(7, 200));
        assertThat(receive(again, free)).isEqualTo(1);
        assertThat(bytes(region, batch[0])).isEqualTo(frame(7, 200));
    }

    @Test
    void givesBackWhatCannotBeSentAndCountsIt() throws DeviceException {
        FrameRegion region = new FrameRegion(512, 2048);
        FreeList free = allFree(region);
        AfXdpDevice device = device(new XskUmem(region), switchSide, "p1", XdpMode.AUTO);
        RawEnd host = raw(hostSide, "h1");
        for (int index = 0; index < 4; index++) {
            batch[index] = take(free);
            fill(region, batch[index], frame(index, 60));
        }
        batch[0].lengthBytes = 13;
        batch[1].lengthBytes = 1793;
        batch[1].storedBytes = 1793;
        batch[2].dataOffset = batch[2].slotOffset + 2000;
        assertThat(device.transmit(batch, 0, 4)).isEqualTo(4);
        assertThat(host.receive()).isEqualTo(frame(3, 60));
        assertThat(device.completed(batch, BURST)).isEqualTo(4);
        assertThat(new HashSet<>(List.of(batch[0], batch[1], batch[2], batch[3]))).hasSize(4);
        assertThat(device.transmitStatus().refusedFrames()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(
            value = XdpMode.class,
            names = {"NATIVE", "GENERIC"})
    void framesBeyondTheRingAreCountedOnceUnderTheirName(XdpMode mode) throws DeviceException {
        FrameRegion region = new FrameRegion(1024, 2048);
        FreeList free = allFree(region);
        AfXdpDevice device = device(new XskUmem(region), switchSide, "p1", mode);
        RawEnd host = raw(hostSide, "h1");
        device.receive(0, free, batch, BURST);
        for (int number = 0; number < RING + 100; number++) {
            host.send(frame(number, 60));
        }
        int received = 0;
        while (received < RING) {
            int count = receive(device, new FreeList(1, false));
            assertThat(count).isPositive();
            received += count;
        }
        assertThat(received).isEqualTo(RING);
        DropTotals totals = new DropTotals();
        long start = System.nanoTime();
        do {
            totals.clear();
            device.readReceiveDrops(totals);
        } while (totals.get(DropReason.KERNEL_RX_FILL_EMPTY) < 100
                && System.nanoTime() - start < WAIT_NS);
        assertThat(totals.get(DropReason.KERNEL_RX_FILL_EMPTY)).isEqualTo(100);
        assertThat(totals.get(DropReason.KERNEL_RX_RING_FULL)).isZero();
        assertThat(totals.get(DropReason.KERNEL_RX_INVALID)).isZero();
        assertThat(totals.get(DropReason.KERNEL_RX_INTERFACE)).isZero();
    }

    @Test
    void framesThatTheInterfaceDropsOnTransmissionAreCountedAndTheirSlotsComeBack()
            throws DeviceException {
        FrameRegion region = new FrameRegion(512, 2048);
        FreeList free = allFree(region);
        AfXdpDevice device = device(new XskUmem(region), switchSide, "p1", XdpMode.AUTO);
        network.exec(hostSide, "ip", "link", "set", "h1", "mtu", "600");
        for (int index = 0; index < 40; index++) {
            batch[index] = take(free);
            fill(region, batch[index], frame(index, index % 2 == 0 ? 60 : 1000));
        }
        RawEnd host = raw(hostSide, "h1");
        assertThat(device.transmit(batch, 0, 40)).isEqualTo(40);
        int back = 0;
        long start = System.nanoTime();
        while (back < 40 && System.nanoTime() - start < WAIT_NS) {
            back += complete(device, free);
        }
        assertThat(back).isEqualTo(40);
        for (int index = 0; index < 40; index += 2) {
            assertThat(host.receive()).isEqualTo(frame(index, 60));
        }
        DropTotals totals = new DropTotals();
        device.readTransmitDrops(totals);
        assertThat(totals.get(DropReason.KERNEL_TX)).isEqualTo(20);
    }

    @ParameterizedTest
    @EnumSource(
            value = XdpMode.class,
            names = {"NATIVE", "GENERIC"})
    void tagsInAFrameStayInIt(XdpMode mode) throws DeviceException {
        FrameRegion region = new FrameRegion(512, 2048);
        FreeList free = allFree(region);
        AfXdpDevice device = device(new XskUmem(region), switchSide, "p1", mode);
        RawEnd host = raw(hostSide, "h1");
        device.receive(0, free, batch, BURST);
        byte[] tagged = frame(1, 1514);
        byte[] tags = {(byte) 0x88, (byte) 0xa8, 0, 7, (byte) 0x81, 0, 0x20, 5};
        System.arraycopy(tags, 0, tagged, 12, tags.length);
        host.send(tagged);
        assertThat(receive(device, free)).isEqualTo(1);
        assertThat(bytes(region, batch[0])).isEqualTo(tagged);
        assertThat(device.transmit(batch, 0, 1)).isEqualTo(1);
        // The host's kernel takes the outer tag off and hands it over separately from the frame.
        byte[] back = host.receive();
        assertThat(Arrays.copyOfRange(back, back.length - 1400, back.length))
                .isEqualTo(Arrays.copyOfRange(tagged, tagged.length - 1400, tagged.length));
    }

    @Test
    void warmFramesAllocateNothing() throws DeviceException {
        FrameRegion region = new FrameRegion(1024, 2048);
        FreeList free = allFree(region);
        AfXdpDevice device = device(new XskUmem(region), switchSide, "p1", XdpMode.AUTO);
        RawEnd host = raw(hostSide, "h1");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        DropTotals totals = new DropTotals();
        device.receive(0, free, batch, BURST);
        byte[] bytes = frame(1, 60);
        long allocated = Long.MAX_VALUE;
        // Warm is when the compiler has done its work; on a busy machine that takes its time.
        for (int window = 0; window < 20 && allocated > 0; window++) {
            allocated = 0;
            for (int round = 0; round < 2000; round++) {
                for (int index = 0; index < 16; index++) {
                    host.send(bytes);
                }
                long before = threads.getCurrentThreadAllocatedBytes();
                int forwarded = reflect(device, free, totals);
                allocated += threads.getCurrentThreadAllocatedBytes() - before;
                assertThat(forwarded).isEqualTo(16);
                host.drain();
            }
        }
        assertThat(allocated).isZero();
    }

    private int reflect(AfXdpDevice device, FreeList free, DropTotals totals) {
        int count = device.receive(System.nanoTime(), free, batch, BURST);
        int taken = device.transmit(batch, 0, count);
        int done = device.completed(batch, BURST);
        for (int index = 0; index < done; index++) {
            free.put(batch[index]);
        }
        device.readReceiveDrops(totals);
        device.readTransmitDrops(totals);
        device.isUp();
        return taken;
    }

    @Test
    void refusesInOneSentenceWhatItCannotCarry() throws DeviceException {
        FrameRegion region = new FrameRegion(512, 2048);
        XskUmem umem = new XskUmem(region);
        assertThatThrownBy(() -> new XskUmem(new FrameRegion(16, 16384)))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("16384")
                .hasMessageContaining("2048 or 4096");
        assertThatThrownBy(() -> device(umem, switchSide, "nix", XdpMode.AUTO))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("'nix'");
        assertThatThrownBy(() ->
                        AfXdpDevice.open(
                                umem,
                                new DeviceConfig.AfXdp(
                                        "p1", switchSide, 3, XdpMode.AUTO, XdpTransmit.COPY, RING),
                                DeviceSetup.UNKNOWN_WORKER))
                .hasMessageContaining("no receive queue 3");
        assertThatThrownBy(() ->
                        AfXdpDevice.open(
                                umem,
                                new DeviceConfig.AfXdp(
                                        "p1", switchSide, 0, XdpMode.AUTO, XdpTransmit.COPY, 100),
                                DeviceSetup.UNKNOWN_WORKER))
                .hasMessageContaining("power of two");
        assertThatThrownBy(() -> device(umem, switchSide, "p1", XdpMode.ZERO_COPY))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("zero-copy");
        veth(switchSide, "p3", hostSide, "h3", 9000);
        assertThatThrownBy(() -> device(umem, switchSide, "p3", XdpMode.AUTO))
                .hasMessageContaining("MTU of 9000")
                .hasMessageContaining("ip link set p3 mtu 1500");
        network.vethWithOffloads(switchSide, "p4", hostSide, "h4", 1500);
        assertThatThrownBy(() -> device(umem, switchSide, "p4", XdpMode.AUTO))
                .hasMessageContaining("ethtool -K h4")
                .hasMessageContaining("tx off");
        assertThat(umem.users()).isZero();
        device(umem, switchSide, "p1", XdpMode.AUTO);
        assertThatThrownBy(() -> device(umem, switchSide, "p1", XdpMode.AUTO))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("'p1'")
                .hasMessageContaining("another Headgate");
        assertThat(AfXdpSupport.whyNot()).isEmpty();
    }

    @Test
    void offloadsOfAPeerInANamespaceOfAProcessAreSeen() throws Exception {
        XskUmem umem = new XskUmem(new FrameRegion(512, 2048));
        Process inside = network.start(hostSide, "unshare", "-n", "sleep", "60");
        try {
            String file = "/proc/" + inside.pid() + "/ns/net";
            awaitNewNamespace(file);
            network.vethWithOffloads(switchSide, "p5", hostSide, "h5", 1500);
            network.exec(hostSide, "ip", "link", "set", "h5", "netns", "" + inside.pid());
            TestNetwork.run("nsenter", "--net=" + file, "ip", "link", "set", "h5", "up");
            assertThatThrownBy(() -> device(umem, switchSide, "p5", XdpMode.AUTO))
                    .isInstanceOf(DeviceException.class)
                    .hasMessageContaining(
                            "'nsenter --net="
                                    + file
                                    + " ethtool -K h5 tx off tso off txvlan off"
                                    + " tx-vlan-stag-hw-insert off'");
            TestNetwork.run(
                    "nsenter",
                    "--net=" + file,
                    "ethtool",
                    "-K",
                    "h5",
                    "tx",
                    "off",
                    "tso",
                    "off",
                    "txvlan",
                    "off",
                    "tx-vlan-stag-hw-insert",
                    "off");
            device(umem, switchSide, "p5", XdpMode.AUTO).close();
        } finally {
            inside.destroy();
        }
    }

    private static void awaitNewNamespace(String file) throws IOException {
        Path own = Path.of("/proc/self/ns/net");
        Path other = Path.of(file);
        long endNs = System.nanoTime() + 60_000_000_000L;
        while (Files.readSymbolicLink(other).equals(Files.readSymbolicLink(own))
                || NetworkNamespace.names().stream().anyMatch(name -> isSame(name, other))) {
            assertThat(System.nanoTime() - endNs).isNegative();
        }
    }

    private static boolean isSame(String name, Path other) {
        try {
            return Files.getAttribute(Path.of("/run/netns", name), "unix:ino")
                    .equals(Files.getAttribute(other, "unix:ino"));
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    void aPeerThatCannotBeLookedAtIsRefused(@TempDir Path directory) throws Exception {
        XskUmem umem = new XskUmem(new FrameRegion(512, 2048));
        Path file = Files.createFile(directory.resolve("nameless"));
        TestNetwork.run("unshare", "--net=" + file, "true");
        try {
            network.vethWithOffloads(switchSide, "p6", hostSide, "h6", 1500);
            network.exec(hostSide, "ip", "link", "set", "h6", "netns", file.toString());
            assertThatThrownBy(() -> device(umem, switchSide, "p6", XdpMode.AUTO))
                    .isInstanceOf(DeviceException.class)
                    .hasMessageContaining("without a name or a process here")
                    .hasMessageContaining("ip netns attach NAME PID");
        } finally {
            TestNetwork.run("umount", file.toString());
        }
    }

    @Test
    void tagsThatThePeerWouldLeaveBesideItsFramesAreRefused() throws DeviceException {
        XskUmem umem = new XskUmem(new FrameRegion(512, 2048));
        for (String offload : List.of("txvlan", "tx-vlan-stag-hw-insert")) {
            network.exec(hostSide, "ethtool", "-K", "h1", offload, "on");
            assertThatThrownBy(() -> device(umem, switchSide, "p1", XdpMode.AUTO))
                    .hasMessageContaining(" ethtool -K h1 " + offload + " off'");
            network.exec(hostSide, "ethtool", "-K", "h1", offload, "off");
        }
        device(umem, switchSide, "p1", XdpMode.AUTO).close();
    }

    @Test
    void offloadsSwitchedOnAfterOpeningAreTold() throws DeviceException {
        AfXdpDevice device =
                device(new XskUmem(new FrameRegion(512, 2048)), switchSide, "p1", XdpMode.AUTO);
        assertThat(device.trouble()).isEmpty();
        network.exec(hostSide, "ethtool", "-K", "h1", "tx", "on");
        assertThat(device.trouble()).contains("ethtool -K h1 tx off'");
        network.exec(hostSide, "ethtool", "-K", "h1", "tx", "off");
        assertThat(device.trouble()).isEmpty();
        // At our own end they are switched off at opening, and again.
        network.exec(switchSide, "ethtool", "-K", "p1", "gro", "on");
        assertThat(device.trouble()).contains("another tool switched on gro of 'p1'");
        assertThat(device.trouble()).isEmpty();
        assertThat(LinuxInterface.read(switchSide, "p1").offloads()).doesNotContain(Offload.GRO);
        network.exec(switchSide, "ip", "link", "set", "p1", "mtu", "1300");
        assertThat(device.trouble()).contains("its MTU is now 1300 instead of 1500");
        device.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = XdpMode.class,
            names = {"NATIVE", "GENERIC"})
    void programIsThereWhileOpenAndGoneAfterClosing(XdpMode mode) throws DeviceException {
        FrameRegion region = new FrameRegion(512, 2048);
        XskUmem umem = new XskUmem(region);
        AfXdpDevice device = device(umem, switchSide, "p1", mode);
        assertThat(link("p1")).contains("prog/xdp").contains("headgate");
        device.close();
        assertThat(link("p1")).doesNotContain("prog/xdp");
        // The interface can be had again at once.
        device(umem, switchSide, "p1", mode).close();
    }

    private String link(String name) {
        return network.exec(switchSide, "ip", "-d", "link", "show", "dev", name);
    }

    @Test
    void foreignProgramIsLeftAloneAndNamed() throws DeviceException {
        FrameRegion region = new FrameRegion(512, 2048);
        XskUmem umem = new XskUmem(region);
        Errno errno = new Errno();
        int map = Bpf.createXskMap(errno, 1);
        int program = Bpf.loadXdp(errno, XdpProgram.redirectToSocket(map, XdpProgram.XDP_PASS));
        int index = LinuxInterface.read(switchSide, "p1").index();
        int foreign =
                NetworkNamespace.call(
                        switchSide,
                        () -> Bpf.attachXdp(errno, program, index, Bpf.XDP_FLAGS_DRV_MODE));
        assertThat(foreign).isPositive();
        assertThatThrownBy(() -> device(umem, switchSide, "p1", XdpMode.AUTO))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("already has an XDP program");
        assertThatThrownBy(() -> device(umem, switchSide, "p1", XdpMode.GENERIC))
                .hasMessageContaining("already has an XDP program");
        assertThat(link("p1")).contains("prog/xdp");
        for (int fd : new int[] {foreign, program, map}) {
            io.headgate.dataplane.device.linux.Files.close(errno, fd);
        }
        device(umem, switchSide, "p1", XdpMode.AUTO);
    }

    @Test
    void programIsGoneAfterTheProcessWasKilled() throws Exception {
        Process child =
                new ProcessBuilder(
                                ProcessHandle.current().info().command().orElseThrow(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Holder.class.getName(),
                                switchSide,
                                "p1")
                        .redirectErrorStream(true)
                        .start();
        try {
            assertThat(child.inputReader().readLine()).isEqualTo("open");
            assertThat(link("p1")).contains("prog/xdp");
        } finally {
            child.destroyForcibly();
            child.waitFor();
        }
        assertThat(link("p1")).doesNotContain("prog/xdp");
        device(new XskUmem(new FrameRegion(512, 2048)), switchSide, "p1", XdpMode.AUTO);
    }

    /** A process that opens a device and waits to be killed. */
    static final class Holder {
        private Holder() {}

        @SuppressWarnings("SystemOut")
        public static void main(String[] arguments) throws Exception {
            XskUmem umem = new XskUmem(new FrameRegion(512, 2048));
            AfXdpDevice device =
                    AfXdpDevice.open(
                            umem,
                            new DeviceConfig.AfXdp(
                                    arguments[1],
                                    arguments[0],
                                    0,
                                    XdpMode.AUTO,
                                    XdpTransmit.COPY,
                                    RING),
                            DeviceSetup.UNKNOWN_WORKER);
            System.out.println(device.isUp() ? "open" : "down");
            System.in.read();
        }
    }
}
