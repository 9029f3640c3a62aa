package io.headgate.dataplane.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.SlotPlace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A device with faults, at times that the test chooses. */
class FaultInjectorTest {
    private static final int SLOTS = 2048;
    private static final int BURST = 64;
    private static final int FRAMES = 10_000;
    private static final long US = 1000;

    private final FrameRegion region = new FrameRegion(SLOTS, 2048);
    private final FreeList free = new FreeList(SLOTS, false);
    private final Frame[] batch = new Frame[BURST];
    private final MemoryWire wire = new MemoryWire("w", 1024, 1514);
    private final MemoryWire.FarEnd far = wire.farEnd(1);
    private final MemoryDevice memory = wire.device(0, region);
    private final ByteBuffer bytes = ByteBuffer.allocate(60);
    private final byte[] frame = bytes.array();
    private long clockNs;

    FaultInjectorTest() {
        for (int slot = 0; slot < region.slots(); slot++) {
            free.put(region.frame(slot));
        }
    }

    private static DeviceConfig.Faults faults(double loss, long delayNs, long jitterNs) {
        return faults(loss, delayNs, jitterNs, 0, 0, 0, 0, 0, 1000, 1);
    }

    private static DeviceConfig.Faults faults(
            double loss,
            long delayNs,
            long jitterNs,
            double reordering,
            long reorderingNs,
            double repetition,
            long upNs,
            long downNs,
            int limit,
            long seed) {
        return new DeviceConfig.Faults(
                new DeviceConfig.OneWay(
                        loss, 0, delayNs, jitterNs, reordering, reorderingNs, repetition),
                upNs,
                downNs,
                limit,
                seed,
                null);
    }

    private FaultInjector with(DeviceConfig.Faults faults) {
        return with(faults, "p1");
    }

    private FaultInjector with(DeviceConfig.Faults faults, String port) {
        return new FaultInjector(memory, faults, port, 2048, () -> clockNs);
    }

    private void arrives(int number) {
        assertThat(far.inject(bytes.putInt(0, number).array())).isTrue();
    }

    /** Numbers of the frames that are received now; they go home. */
    private List<Integer> received(PortDevice device, long nowNs) {
        List<Integer> numbers = new ArrayList<>();
        clockNs = nowNs;
        for (int count = BURST; count == BURST; ) {
            count = device.receive(nowNs, free, batch, BURST);
            for (int i = 0; i < count; i++) {
                numbers.add(
                        Integer.reverseBytes(
                                FrameRegion.MEMORY.get(
                                        ValueLayout.JAVA_INT_UNALIGNED, batch[i].dataOffset)));
                assertThat(batch[i].lengthBytes).isEqualTo(frame.length);
                free.put(batch[i]);
            }
        }
        return numbers;
    }

    private static long lost(PortDevice device) {
        DropTotals totals = new DropTotals();
        device.readReceiveDrops(totals);
        return totals.get(DropReason.FAULT_INJECTED);
    }

    /** Frames one after the other, 1 us apart, and what has arrived when all is over. */
    private List<Integer> run(FaultInjector device) {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < FRAMES; i++) {
            arrives(i);
            all.addAll(received(device, i * US));
        }
        while (device.deadlineNs() != Long.MAX_VALUE) {
            all.addAll(received(device, device.deadlineNs()));
        }
        assertThat(free.size()).isEqualTo(SLOTS);
        return all;
    }

    @Test
    void framesAreLostBySeedInOrderAndCounted() {
        FaultInjector device = with(faults(0.1, 0, 0));
        List<Integer> arrived = run(device);
        assertThat(arrived).isSorted().doesNotHaveDuplicates().hasSize(FRAMES - (int) lost(device));
        // 10,000 draws of 0.1: 1,000, give or take four times 30.
        assertThat(lost(device)).isBetween(880L, 1120L);
        assertThat(run(with(faults(0.1, 0, 0)))).isEqualTo(arrived);
        assertThat(run(with(faults(0.1, 0, 0), "p2"))).isNotEqualTo(arrived);
        assertThat(run(with(faults(0.1, 0, 0, 0, 0, 0, 0, 0, 1000, 2)))).isNotEqualTo(arrived);
        assertThat(run(with(faults(0, 0, 0)))).hasSize(FRAMES);
    }

    @Test
    void aFrameArrivesExactlyWhenItsDelayIsOver() {
        FaultInjector device = with(faults(0, 5_000 * US, 0));
        arrives(1);
        assertThat(received(device, 7)).isEmpty();
        arrives(2);
        assertThat(received(device, 9)).isEmpty();
        assertThat(device.deadlineNs()).isEqualTo(5_000 * US + 7);
        assertThat(received(device, 5_000 * US + 6)).isEmpty();
        assertThat(received(device, 5_000 * US + 7)).containsExactly(1);
        assertThat(device.deadlineNs()).isEqualTo(5_000 * US + 9);
        assertThat(received(device, 5_000 * US + 9)).containsExactly(2);
        assertThat(device.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void jitterReordersNothingAndIsWithinItsBounds() {
        assertThat(run(with(faults(0, 100 * US, 50 * US))))
                .isEqualTo(IntStream.range(0, FRAMES).boxed().toList());
        // Frames so far apart that none waits for the one before it.
        FaultInjector device = with(faults(0, 100 * US, 50 * US));
        long earliest = Long.MAX_VALUE;
        long latest = 0;
        for (int i = 0; i < 1000; i++) {
            arrives(i);
            assertThat(received(device, i * 200L * US)).isEmpty();
            long dueNs = device.deadlineNs();
            earliest = Math.min(earliest, dueNs - i * 200L * US);
            latest = Math.max(latest, dueNs - i * 200L * US);
            assertThat(received(device, dueNs)).containsExactly(i);
        }
        assertThat(earliest).isBetween(100 * US, 101 * US);
        assertThat(latest).isBetween(149 * US, 150 * US);
    }

    @Test
    void whatIsHeldUpIsOvertakenAndWhatIsRepeatedComesTwice() {
        FaultInjector held = with(faults(0, 0, 0, 0.01, 10 * US, 0, 0, 0, 1000, 1));
        List<Integer> arrived = run(held);
        assertThat(arrived).hasSize(FRAMES).doesNotHaveDuplicates();
        List<Integer> late = new ArrayList<>();
        for (int i = 1; i < FRAMES; i++) {
            if (arrived.get(i) < arrived.get(i - 1)) {
                late.add(arrived.get(i));
                // Ten frames came in the meantime, perhaps some of them held up, too.
                assertThat(i - arrived.get(i)).isBetween(5, 10);
            }
        }
        assertThat(late).hasSizeBetween(60, 140);

        FaultInjector twice = with(faults(0, 0, 0, 0, 0, 0.01, 0, 0, 1000, 1));
        arrived = run(twice);
        assertThat(arrived).isSorted();
        assertThat(arrived.size() - FRAMES).isBetween(60, 140);
        assertThat(arrived.stream().distinct()).hasSize(FRAMES);
    }

    @Test
    void noMoreFramesAreUnderWayThanTheLimitAndTheRestIsNotRead() {
        FaultInjector device = with(faults(0, US, 0, 0, 0, 0, 0, 0, 100, 1));
        for (int i = 0; i < 150; i++) {
            arrives(i);
        }
        assertThat(device.armReceive()).isTrue();
        for (int i = 0; i < 3; i++) {
            assertThat(received(device, 0)).isEmpty();
        }
        assertThat(free.size()).isEqualTo(SLOTS - 100);
        assertThat(slotsUnderWay()).isEqualTo(100);
        // 50 frames wait in the device; a worker that they woke would spin.
        assertThat(device.armReceive()).isFalse();
        assertThat(device.receiveFd()).isEqualTo(PortDevice.POLLED);
        assertThat(received(device, US)).hasSize(100);
        assertThat(received(device, 2 * US)).hasSize(50).startsWith(100).endsWith(149);
    }

    @Test
    void aLinkThatIsDownLosesWhatIsUnderWayAndWhatComes() {
        FaultInjector device = with(faults(0, 100 * US, 0, 0, 0, 0, 1000 * US, 1000 * US, 1000, 1));
        List<Integer> arrived = new ArrayList<>();
        int changes = 0;
        boolean wasUp = true;
        for (int i = 0; i < FRAMES; i++) {
            arrives(i);
            if (device.isUp() || i % 100 == 0) {
                // A link that is down is looked at now and then.
                arrived.addAll(received(device, i * US));
            }
            changes += device.isUp() == wasUp ? 0 : 1;
            wasUp = device.isUp();
            batch[0] = region.frame(0);
            batch[0].dataOffset = batch[0].slotOffset + FrameRegion.HEADROOM_BYTES;
            batch[0].lengthBytes = frame.length;
            batch[0].storedBytes = frame.length;
            assertThat(device.transmit(batch, 0, 1)).isEqualTo(wasUp ? 1 : 0);
            far.collect();
        }
        assertThat(changes).isBetween(3, 30);
        assertThat(lost(device)).isBetween(1000L, 9000L);
        long underWay = (long) SLOTS - free.size();
        long waiting = 0;
        while (memory.receive(0, free, batch, 1) == 1) {
            waiting++;
        }
        assertThat(arrived).isSorted();
        assertThat(arrived.size() + lost(device) + underWay + waiting).isEqualTo(FRAMES);
    }

    /** It goes down and up again at times that the test finds out by asking for the next. */
    private FaultInjector downAt1000() {
        return with(faults(0, 0, 0, 0, 0, 0, 1000 * US, 1000 * US, 1000, 1));
    }

    private long goesDown(FaultInjector device) {
        received(device, 0);
        long nowNs = device.deadlineNs();
        received(device, nowNs);
        assertThat(device.isUp()).isFalse();
        return nowNs;
    }

    @Test
    void framesOfTheDownTimeAreLostAlsoWhereNoSlotIsFreeWhenItEnds() {
        FaultInjector device = downAt1000();
        goesDown(device);
        long upNs = device.deadlineNs();
        arrives(1);
        List<Frame> taken = new ArrayList<>();
        for (Frame slot = free.take(); slot != null; slot = free.take()) {
            taken.add(slot);
        }
        assertThat(received(device, upNs)).isEmpty();
        assertThat(device.deadlineNs()).as("a slot rings").isEqualTo(Long.MAX_VALUE);
        taken.forEach(free::put);
        assertThat(received(device, upNs + 1)).isEmpty();
        assertThat(device.isUp()).isTrue();
        assertThat(lost(device)).isEqualTo(1);
        arrives(2);
        assertThat(received(device, upNs + 2)).containsExactly(2);
    }

    @Test
    void framesOfTheDownTimeAreLostAFewBurstsACall() {
        FaultInjector device = downAt1000();
        goesDown(device);
        long upNs = device.deadlineNs();
        for (int i = 0; i < 1000; i++) {
            arrives(i);
        }
        int calls = 0;
        long before = 0;
        for (; !device.isUp(); calls++) {
            assertThat(device.receive(upNs + calls, free, batch, BURST)).isZero();
            assertThat(lost(device) - before).isBetween(1L, 5L * BURST);
            before = lost(device);
            assertThat(device.isUp() || device.deadlineNs() <= upNs + calls).isTrue();
        }
        assertThat(calls).isBetween(2, 5);
        assertThat(lost(device)).isEqualTo(1000);
    }

    private static PortConfig port(DeviceConfig.Faults faults) {
        return ConfigDefaults.port(
                "p1", new DeviceConfig.Faulty(new DeviceConfig.Memory("w"), faults));
    }

    @Test
    void faultsChangeFromTheNextCallOn() {
        FaultInjector device = with(faults(0, 100 * US, 0));
        arrives(1);
        assertThat(received(device, 0)).isEmpty();
        device.change(port(faults(1, 0, 0)));
        arrives(2);
        // What is under way arrives when it was to.
        assertThat(received(device, 50 * US)).isEmpty();
        assertThat(lost(device)).isEqualTo(1);
        device.change(port(faults(0, 0, 0, 0, 0, 0, 1, 1_000_000 * US, 1000, 1)));
        arrives(3);
        assertThat(received(device, 60 * US)).isEmpty();
        arrives(4);
        assertThat(received(device, 100 * US)).isEmpty();
        assertThat(device.isUp()).isFalse();
        // Back to nothing: the link is up, and what came meanwhile is lost with the rest.
        device.change(port(faults(0, 0, 0)));
        assertThat(received(device, 200 * US)).isEmpty();
        assertThat(device.isUp()).isTrue();
        assertThat(lost(device)).isEqualTo(4);
        arrives(5);
        assertThat(received(device, 201 * US)).containsExactly(5);
        assertThat(free.size()).isEqualTo(SLOTS);
    }

    @Test
    void nothingIsAllocated() {
        DeviceConfig.OneWay all = new DeviceConfig.OneWay(0.1, 0.1, 5 * US, US, 0.1, 9 * US, 0.1);
        FaultInjector device = with(new DeviceConfig.Faults(all, 1000 * US, US, 1000, 1, all));
        leave(device, 0, 0, 1);
        Frame[] leaving = {region.frame(0)};
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = 0;
        for (int round = 0; round < 2; round++) {
            allocated = 0;
            for (long i = 0; i < FRAMES; i++) {
                far.inject(frame);
                far.collect();
                far.collect();
                long before = threads.getCurrentThreadAllocatedBytes();
                int count = device.receive(((long) round * FRAMES + i) * US, free, batch, BURST);
                for (int got = 0; got < count; got++) {
                    free.put(batch[got]);
                }
                device.deadlineNs();
                clockNs = ((long) round * FRAMES + i) * US;
                device.transmit(leaving, 0, 1);
                device.completed(batch, BURST);
                allocated += threads.getCurrentThreadAllocatedBytes() - before;
            }
        }
        assertThat(allocated).isLessThan(FRAMES);
    }

    // ---- what is transmitted

    private static final DeviceConfig.OneWay NOTHING = new DeviceConfig.OneWay(0, 0, 0, 0, 0, 0, 0);

    private static DeviceConfig.Faults sending(DeviceConfig.OneWay transmit, long upNs, int limit) {
        return new DeviceConfig.Faults(NOTHING, upNs, upNs, limit, 1, transmit);
    }

    private static DeviceConfig.OneWay delay(long delayNs) {
        return new DeviceConfig.OneWay(0, 0, delayNs, 0, 0, 0, 0);
    }

    /** Frames leave the port from a number on; answers how many were taken. */
    private int leave(PortDevice device, long nowNs, int first, int count) {
        clockNs = nowNs;
        Frame[] leaving = new Frame[count];
        for (int i = 0; i < count; i++) {
            leaving[i] = region.frame(i);
            leaving[i].dataOffset = leaving[i].slotOffset + FrameRegion.HEADROOM_BYTES;
            leaving[i].lengthBytes = frame.length;
            leaving[i].storedBytes = frame.length;
            FrameRegion.MEMORY
                    .asSlice(leaving[i].dataOffset, frame.length)
                    .copyFrom(MemorySegment.ofArray(bytes.putInt(0, first + i).array()));
        }
        int taken = device.transmit(leaving, 0, count);
        for (Frame each : leaving) {
            // The slots are the port's again: what is under way is not in them.
            FrameRegion.MEMORY.asSlice(each.dataOffset, frame.length).fill((byte) 0xEE);
        }
        return taken;
    }

    /** What comes out at the far end once the half has the device go on. */
    private List<Integer> sent(PortDevice device, long nowNs) {
        clockNs = nowNs;
        assertThat(device.completed(batch, BURST)).isZero();
        List<Integer> numbers = new ArrayList<>();
        for (byte[] out = far.collect(); out != null; out = far.collect()) {
            numbers.add(ByteBuffer.wrap(out).getInt());
        }
        return numbers;
    }

    private static DropTotals transmitDrops(PortDevice device) {
        DropTotals totals = new DropTotals();
        device.readTransmitDrops(totals);
        return totals;
    }

    @Test
    void aTransmittedFrameLeavesExactlyWhenItsDelayIsOver() {
        FaultInjector device = with(sending(delay(5 * US), 0, 1000));
        TransmitStatus status = device.transmitStatus();
        assertThat(leave(device, 7, 1, 2)).isEqualTo(2);
        assertThat(leave(device, 9, 3, 1)).isEqualTo(1);
        assertThat(status.unsent()).isTrue();
        assertThat(status.dueNs()).isEqualTo(5 * US + 7);
        assertThat(sent(device, 5 * US + 6)).isEmpty();
        assertThat(sent(device, 5 * US + 7)).containsExactly(1, 2);
        assertThat(status.dueNs()).isEqualTo(5 * US + 9);
        assertThat(sent(device, 5 * US + 9)).containsExactly(3);
        assertThat(status.unsent()).isFalse();
        assertThat(status.dueNs()).isEqualTo(Long.MAX_VALUE);
        // And from here on without one.
        device.change(port(sending(NOTHING, 0, 1000)));
        assertThat(leave(device, 6 * US, 4, 1)).isEqualTo(1);
        assertThat(status.unsent()).isFalse();
        assertThat(sent(device, 6 * US)).containsExactly(4);
    }

    @Test
    void noMoreTransmittedFramesAreUnderWayThanTheLimit() {
        FaultInjector device = with(sending(delay(US), 0, 100));
        for (int round = 0; round < 3; round++) {
            long atNs = 10L * round * US;
            assertThat(leave(device, atNs, 0, 150)).isEqualTo(100);
            assertThat(leave(device, atNs, 100, 50)).isZero();
            // Those that are due make room for others in the same call.
            assertThat(leave(device, atNs + US, 100, 50)).isEqualTo(50);
            assertThat(sent(device, atNs + 2 * US))
                    .isEqualTo(IntStream.range(0, 150).boxed().toList());
        }
        assertThat(leave(with(sending(NOTHING, 0, 1)), 0, 0, 150)).isEqualTo(150);
    }

    @Test
    void whatIsDueWaitsForADeviceThatTakesNoMoreAndKeepsItsOrder() {
        FaultInjector device = with(sending(delay(US), 0, 2000));
        assertThat(leave(device, 0, 0, 1500)).isEqualTo(1500);
        assertThat(device.completed(batch, BURST)).isZero();
        List<Integer> all = new ArrayList<>();
        clockNs = US;
        assertThat(device.completed(batch, BURST)).isZero();
        assertThat(device.transmitStatus().unsent()).isTrue();
        assertThat(device.transmitStatus().dueNs())
                .as("the half times other attempts")
                .isEqualTo(Long.MAX_VALUE);
        for (int i = 0; i < 3; i++) {
            all.addAll(sent(device, US));
        }
        assertThat(all).isEqualTo(IntStream.range(0, 1500).boxed().toList());
        assertThat(device.transmitStatus().unsent()).isFalse();
    }

    @Test
    void whatIsTransmittedWhenTheLinkGoesDownIsLostAlsoIfItIsUpAgain() {
        FaultInjector device = with(sending(delay(10_000 * US), 1000 * US, 1000));
        received(device, 0);
        assertThat(leave(device, 0, 0, 10)).isEqualTo(10);
        long downNs = device.deadlineNs();
        received(device, downNs);
        assertThat(leave(device, downNs, 10, 10)).isZero();
        long upNs = device.deadlineNs();
        received(device, upNs);
        assertThat(device.isUp()).isTrue();
        assertThat(leave(device, upNs, 20, 1)).isEqualTo(1);
        assertThat(transmitDrops(device).get(DropReason.FAULT_INJECTED)).isEqualTo(10);
        assertThat(device.transmitStatus().dueNs()).isEqualTo(upNs + 10_000 * US);
        assertThat(sent(device, upNs + 10_000 * US)).containsExactly(20);
        // No slot of its own is lost with them.
        assertThat(leave(device, upNs + 10_001 * US, 0, 1001)).isEqualTo(1000);
    }

    @Test
    void eachDirectionHasFaultsOfItsOwnAndAllAreCounted() {
        DeviceConfig.OneWay faults = new DeviceConfig.OneWay(0.1, 0.1, US, 0, 0.1, 50 * US, 0.1);
        FaultInjector device = with(sending(faults, 0, 1000));
        List<Integer> arrived = run(device);
        assertThat(arrived).hasSize(FRAMES);
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < FRAMES; i++) {
            assertThat(leave(device, i * US, i, 1)).isEqualTo(1);
            left.addAll(sent(device, i * US));
        }
        left.addAll(sent(device, 2L * FRAMES * US));
        DropTotals totals = transmitDrops(device);
        long lost = totals.get(DropReason.FAULT_INJECTED);
        assertThat(lost).isBetween(880L, 1120L);
        // Of 9,000: 900, give or take four times 28.
        assertThat(totals.corrupted()).isBetween(780L, 1020L);
        assertThat(totals.late()).isBetween(780L, 1020L);
        assertThat(totals.repeated()).isBetween(780L, 1020L);
        assertThat(left).hasSize((int) (FRAMES - lost + totals.repeated()));
        DropTotals receive = new DropTotals();
        device.readReceiveDrops(receive);
        assertThat(receive.get(DropReason.FAULT_INJECTED)).isZero();
        assertThat(receive.corrupted() + receive.late() + receive.repeated()).isZero();
    }

    /** Frames for a device that takes no more; some were already offered and refused. */
    @Test
    void whatWaitsForADeviceWhenTheLinkGoesDownIsLostAndItsSlotsAreNot() {
        FaultInjector device = with(sending(delay(US), 1000 * US, 2000));
        received(device, 0);
        assertThat(leave(device, 0, 0, 1500)).isEqualTo(1500);
        clockNs = US;
        assertThat(device.completed(batch, BURST)).isZero();
        assertThat(device.transmitStatus().unsent()).isTrue();
        received(device, device.deadlineNs());
        received(device, device.deadlineNs());
        assertThat(device.isUp()).isTrue();
        List<Integer> before = sent(device, device.deadlineNs() - 1);
        int left = before.size();
        assertThat(left).isBetween(1000, 1499);
        assertThat(transmitDrops(device).get(DropReason.FAULT_INJECTED)).isEqualTo(1500 - left);
        assertThat(device.transmitStatus().unsent()).isFalse();
        assertThat(sent(device, clockNs)).isEmpty();
        device.change(port(sending(delay(1000 * US), 0, 2000)));
        assertThat(leave(device, clockNs, 0, 2001)).as("all of its slots").isEqualTo(2000);
    }

    @Test
    void theDirectionsDrawFromGeneratorsOfTheirOwn() {
        DeviceConfig.OneWay half = new DeviceConfig.OneWay(0.5, 0, 0, 0, 0, 0, 0);
        FaultInjector device = with(new DeviceConfig.Faults(half, 0, 0, 1000, 1, half));
        List<Integer> arrived = new ArrayList<>();
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            arrives(i);
            arrived.addAll(received(device, i));
            leave(device, i, i, 1);
            left.addAll(sent(device, i));
        }
        assertThat(left).hasSizeBetween(30, 70).isNotEqualTo(arrived);
    }

    @Test
    void whatIsHeldUpAndRepeatedIsUnderWayAndLostWhenTheLinkGoesDown() {
        FaultInjector device = with(faults(0, 0, 0, 1, 10_000 * US, 1, 1000 * US, US, 100, 1));
        received(device, 0);
        arrives(1);
        assertThat(received(device, 0)).isEmpty();
        assertThat(slotsUnderWay()).isEqualTo(2);
        received(device, device.deadlineNs());
        assertThat(device.isUp()).isFalse();
        assertThat(lost(device)).isEqualTo(2);
        assertThat(free.size()).isEqualTo(SLOTS);
    }

    private long slotsUnderWay() {
        return IntStream.range(0, SLOTS)
                .filter(slot -> region.frame(slot).place == SlotPlace.DEVICE_RECEIVE)
                .count();
    }

    @Test
    void whereNoMoreMayBeUnderWayNoneIsRepeated() {
        FaultInjector device = with(faults(0, US, 0, 0, 0, 1, 0, 0, 2, 1));
        for (int i = 0; i < 3; i++) {
            arrives(i);
        }
        assertThat(received(device, 0)).isEmpty();
        assertThat(received(device, US)).containsExactly(0, 1);
        assertThat(received(device, 2 * US)).isEmpty();
        assertThat(received(device, 3 * US)).containsExactly(2, 2);
        assertThat(free.size()).isEqualTo(SLOTS);
    }

    @Test
    void whatTheDeviceSaysOfItsTransmissionIsSaidBehindFaultsToo() {
        FaultyDevice inner = new FaultyDevice();
        inner.copies = true;
        FaultInjector device =
                new FaultInjector(inner, sending(NOTHING, 0, 10), "p1", 2048, () -> clockNs);
        inner.status.setUnsent(true);
        assertThat(device.completed(batch, BURST)).isZero();
        assertThat(device.transmitStatus().unsent()).isTrue();
        inner.status.setUnsent(false);
        inner.status.refuse(3, 180);
        assertThat(device.completed(batch, BURST)).isZero();
        assertThat(device.transmitStatus().unsent()).isFalse();
        assertThat(device.transmitStatus().refusedFrames()).as("not of the port's").isZero();
        assertThat(transmitDrops(device).get(DropReason.DEVICE_REFUSED)).isEqualTo(3);
        inner.dropCountersFail = true;
        assertThatThrownBy(() -> transmitDrops(device)).hasMessage("made to fail");
    }

    @Test
    void whatTheDeviceRefusesAtOnceIsOfThePortsAndNotCountedTwice() {
        FaultyDevice inner = new FaultyDevice();
        inner.copies = true;
        inner.refuses = true;
        FaultInjector device =
                new FaultInjector(inner, sending(NOTHING, 0, 10), "p1", 2048, () -> clockNs);
        batch[0] = region.frame(0);
        batch[0].lengthBytes = 60;
        assertThat(device.transmit(batch, 0, 1)).isEqualTo(1);
        assertThat(device.transmitStatus().refusedFrames()).isEqualTo(1);
        assertThat(device.transmitStatus().refusedBytes()).isEqualTo(60);
        assertThat(transmitDrops(device).get(DropReason.DEVICE_REFUSED)).isZero();
    }

    @Test
    void ofACorruptedFrameOneToThreeBitsDiffer() {
        FaultInjector device =
                with(
                        new DeviceConfig.Faults(
                                new DeviceConfig.OneWay(0, 1, 0, 0, 0, 0, 0), 0, 0, 1000, 1, null));
        int[] seen = new int[4];
        for (int i = 0; i < 1000; i++) {
            arrives(i);
            assertThat(device.receive(i, free, batch, BURST)).isEqualTo(1);
            byte[] came = new byte[frame.length];
            MemorySegment.ofArray(came)
                    .copyFrom(FrameRegion.MEMORY.asSlice(batch[0].dataOffset, came.length));
            free.put(batch[0]);
            int bits = 0;
            for (int at = 0; at < came.length; at++) {
                bits += Integer.bitCount((came[at] ^ frame[at]) & 0xFF);
            }
            seen[bits]++;
        }
        // Only the same bit flipped twice leaves none changed, which is rare.
        assertThat(seen[0]).isLessThan(10);
        assertThat(seen[1]).isBetween(270, 400);
        assertThat(seen[2]).isBetween(270, 400);
        assertThat(seen[3]).isBetween(270, 400);
        DropTotals totals = new DropTotals();
        device.readReceiveDrops(totals);
        assertThat(totals.corrupted()).isEqualTo(1000);
    }

    @Test
    void aLinkThatIsPulledLosesWhatIsOnItUntilItIsPluggedInAgain() {
        DeviceConfig.Faults plugged = sending(delay(5 * US), 0, 1000);
        DeviceConfig.Faults late =
                plugged.withReceive(new DeviceConfig.OneWay(0, 0, 5 * US, 0, 0, 0, 0));
        FaultInjector device = with(late);
        arrives(1);
        assertThat(received(device, 0)).isEmpty();
        assertThat(leave(device, 0, 0, 2)).isEqualTo(2);
        device.change(port(late.withLink(DeviceConfig.LinkState.DOWN)));
        assertThat(device.isUp()).isFalse();
        assertThat(received(device, US)).isEmpty();
        assertThat(leave(device, US, 2, 1)).isZero();
        arrives(2);
        // Also where it would go down by itself: it stays down.
        device.change(
                port(
                        late.withUpMeanNs(US)
                                .withDownMeanNs(US)
                                .withLink(DeviceConfig.LinkState.DOWN)));
        assertThat(received(device, 1000 * US)).isEmpty();
        assertThat(device.isUp()).isFalse();
        device.change(port(late));
        assertThat(received(device, 1001 * US)).isEmpty();
        assertThat(device.isUp()).isTrue();
        arrives(3);
        assertThat(received(device, 1002 * US)).isEmpty();
        assertThat(received(device, 1007 * US)).containsExactly(3);
        assertThat(sent(device, 1007 * US)).isEmpty();
        assertThat(lost(device)).isEqualTo(2);
        assertThat(transmitDrops(device).get(DropReason.FAULT_INJECTED)).isEqualTo(2);
        assertThat(free.size()).isEqualTo(SLOTS);
    }

    @Test
    void aDeviceThatDoesNotCopyHasNoFaultsOfWhatItTransmits() {
        FaultyDevice rings = new FaultyDevice();
        assertThatThrownBy(() ->
                        new FaultInjector(
                                rings, sending(NOTHING, 0, 10), "p1", 2048, () -> clockNs))
                .hasMessageContaining("faults of what faulty transmits, which does not copy");
    }
}
