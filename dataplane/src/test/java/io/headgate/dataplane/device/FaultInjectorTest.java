package io.headgate.dataplane.device;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.SlotPlace;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
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

    FaultInjectorTest() {
        for (int slot = 0; slot < region.slots(); slot++) {
            free.put(region.frame(slot));
        }
    }

    private static DeviceConfig.Faults faults(double loss, long delayNs, long jitterNs) {
        return new DeviceConfig.Faults(loss, delayNs, jitterNs, 0, 0, 0, 0, 0, 1000, 1);
    }

    private FaultInjector with(DeviceConfig.Faults faults) {
        return new FaultInjector(memory, faults, "p1", LongUnaryOperator.identity());
    }

    private void arrives(int number) {
        assertThat(far.inject(bytes.putInt(0, number).array())).isTrue();
    }

    /** Numbers of the frames that are received now; they go home. */
    private List<Integer> received(PortDevice device, long nowNs) {
        List<Integer> numbers = new ArrayList<>();
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
        assertThat(
                        run(
                                new FaultInjector(
                                        memory,
                                        faults(0.1, 0, 0),
                                        "p2",
                                        LongUnaryOperator.identity())))
                .isNotEqualTo(arrived);
        assertThat(run(with(new DeviceConfig.Faults(0.1, 0, 0, 0, 0, 0, 0, 0, 1000, 2))))
                .isNotEqualTo(arrived);
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
        FaultInjector held =
                with(new DeviceConfig.Faults(0, 0, 0, 0.01, 10 * US, 0, 0, 0, 1000, 1));
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

        FaultInjector twice = with(new DeviceConfig.Faults(0, 0, 0, 0, 0, 0.01, 0, 0, 1000, 1));
        arrived = run(twice);
        assertThat(arrived).isSorted();
        assertThat(arrived.size() - FRAMES).isBetween(60, 140);
        assertThat(arrived.stream().distinct()).hasSize(FRAMES);
    }

    @Test
    void noMoreFramesAreUnderWayThanTheLimitAndTheRestIsNotRead() {
        FaultInjector device = with(new DeviceConfig.Faults(0, US, 0, 0, 0, 0, 0, 0, 100, 1));
        for (int i = 0; i < 150; i++) {
            arrives(i);
        }
        assertThat(device.armReceive()).isTrue();
        for (int i = 0; i < 3; i++) {
            assertThat(received(device, 0)).isEmpty();
        }
        assertThat(free.size()).isEqualTo(SLOTS - 100);
        assertThat(
                        IntStream.range(0, SLOTS)
                                .filter(slot ->
                                        region.frame(slot).place == SlotPlace.DEVICE_RECEIVE)
                                .count())
                .isEqualTo(100);
        // 50 frames wait in the device; a worker that they woke would spin.
        assertThat(device.armReceive()).isFalse();
        assertThat(device.receiveFd()).isEqualTo(PortDevice.POLLED);
        assertThat(received(device, US)).hasSize(100);
        assertThat(received(device, 2 * US)).hasSize(50).startsWith(100).endsWith(149);
    }

    @Test
    void aLinkThatIsDownLosesWhatIsUnderWayAndWhatComes() {
        FaultInjector device =
                with(
                        new DeviceConfig.Faults(
                                0, 100 * US, 0, 0, 0, 0, 1000 * US, 1000 * US, 1000, 1));
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
        return with(new DeviceConfig.Faults(0, 0, 0, 0, 0, 0, 1000 * US, 1000 * US, 1000, 1));
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
        device.change(port(new DeviceConfig.Faults(0, 0, 0, 0, 0, 0, 1, 1_000_000 * US, 1000, 1)));
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
        FaultInjector device =
                with(
                        new DeviceConfig.Faults(
                                0.1, 5 * US, US, 0.1, 9 * US, 0.1, 1000 * US, US, 1000, 1));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = 0;
        for (int round = 0; round < 2; round++) {
            allocated = 0;
            for (long i = 0; i < FRAMES; i++) {
                far.inject(frame);
                long before = threads.getCurrentThreadAllocatedBytes();
                int count = device.receive(((long) round * FRAMES + i) * US, free, batch, BURST);
                for (int got = 0; got < count; got++) {
                    free.put(batch[got]);
                }
                device.deadlineNs();
                allocated += threads.getCurrentThreadAllocatedBytes() - before;
            }
        }
        assertThat(allocated).isLessThan(FRAMES);
    }
}
