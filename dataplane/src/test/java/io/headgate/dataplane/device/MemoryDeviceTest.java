package io.headgate.dataplane.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("threads")
class MemoryDeviceTest {
    private static final int BATCH = 32;

    private final FrameRegion region = new FrameRegion(64, 2048);
    private final FreeList free = new FreeList(64, false);
    private final Frame[] batch = new Frame[BATCH];

    MemoryDeviceTest() {
        for (int slot = 0; slot < region.slots(); slot++) {
            free.put(region.frame(slot));
        }
    }

    @Test
    void framesArriveInTheOrderInWhichTheyWereSent() {
        MemoryWire wire = new MemoryWire("w", 64, 1514);
        MemoryDevice left = wire.device(0, region);
        MemoryWire.FarEnd right = wire.farEnd(1);
        for (int i = 0; i < 40; i++) {
            assertThat(right.inject(numbered(i, 60))).isTrue();
        }
        assertThat(left.armReceive()).isTrue();
        assertThat(left.receive(0, free, batch, BATCH)).isEqualTo(32);
        for (int i = 0; i < 32; i++) {
            assertThat(bytes(batch[i])).isEqualTo(numbered(i, 60));
            free.put(batch[i]);
        }
        assertThat(left.receive(0, free, batch, BATCH)).isEqualTo(8);
        assertThat(bytes(batch[7])).isEqualTo(numbered(39, 60));
        assertThat(left.receive(0, free, batch, BATCH)).isZero();
        assertThat(left.armReceive()).isFalse();
    }

    @Test
    void aFullWireTakesOnlyWhatFitsAndLeavesTheRestToTheSender() {
        MemoryWire wire = new MemoryWire("w", 8, 1514);
        MemoryDevice left = wire.device(0, region);
        MemoryWire.FarEnd right = wire.farEnd(1);
        for (int i = 0; i < 12; i++) {
            batch[i] = fill(numbered(i, 64 + i));
        }
        assertThat(left.transmit(batch, 0, 12)).isEqualTo(8);
        assertThat(left.transmit(batch, 8, 4)).isZero();
        assertThat(right.collect()).isEqualTo(numbered(0, 64));
        assertThat(left.transmit(batch, 8, 4)).isEqualTo(1);
        for (int i = 1; i < 9; i++) {
            assertThat(right.collect()).isEqualTo(numbered(i, 64 + i));
        }
        assertThat(right.collect()).isNull();
    }

    @Test
    void aFrameThatFindsNoFreeSlotWaitsOnTheWire() {
        MemoryWire wire = new MemoryWire("w", 8, 1514);
        MemoryDevice left = wire.device(0, region);
        MemoryWire.FarEnd right = wire.farEnd(1);
        FreeList one = new FreeList(1, false);
        one.put(region.frame(0));
        assertThat(right.inject(numbered(1, 60)) && right.inject(numbered(2, 60))).isTrue();
        assertThat(left.receive(0, one, batch, BATCH)).isEqualTo(1);
        assertThat(left.receive(0, one, batch, BATCH)).isZero();
        one.put(batch[0]);
        assertThat(left.receive(0, one, batch, BATCH)).isEqualTo(1);
        assertThat(bytes(batch[0])).isEqualTo(numbered(2, 60));
    }

    @Test
    void aWireThatIsDownTakesNothingButDeliversWhatHasArrived() {
        MemoryWire wire = new MemoryWire("w", 8, 1514);
        MemoryDevice left = wire.device(0, region);
        MemoryWire.FarEnd right = wire.farEnd(1);
        assertThat(right.inject(numbered(1, 60))).isTrue();
        wire.setUp(false);
        assertThat(left.isUp()).isFalse();
        assertThat(right.inject(numbered(2, 60))).isFalse();
        batch[0] = fill(numbered(3, 60));
        assertThat(left.transmit(batch, 0, 1)).isZero();
        assertThat(left.receive(0, free, batch, BATCH)).isEqualTo(1);
        wire.setUp(true);
        assertThat(left.transmit(batch, 0, 1)).isEqualTo(1);
        left.close();
        left.close();
        wire.setUp(true);
        assertThat(left.isUp()).isFalse();
    }

    @Test
    void aFrameLongerThanASlotIsCountedAsOversizeAndOneLongerThanTheWireAsRefused() {
        MemoryWire wire = new MemoryWire("w", 8, 4000);
        MemoryDevice left = wire.device(0, region);
        MemoryWire.FarEnd right = wire.farEnd(1);
        assertThat(right.inject(numbered(1, 4000)) && right.inject(numbered(2, 60))).isTrue();
        assertThat(left.receive(0, free, batch, BATCH)).isEqualTo(1);
        assertThat(bytes(batch[0])).isEqualTo(numbered(2, 60));
        DropTotals totals = new DropTotals();
        left.readReceiveDrops(totals);
        assertThat(totals.get(DropReason.OVERSIZE)).isEqualTo(1);
        assertThatThrownBy(() -> right.inject(new byte[4001]))
                .isInstanceOf(IllegalArgumentException.class);

        MemoryDevice narrow = new MemoryWire("n", 8, 100).device(0, region);
        batch[0] = fill(numbered(3, 101));
        assertThat(narrow.transmit(batch, 0, 1)).isEqualTo(1);
        assertThat(narrow.transmitStatus().refusedFrames()).isEqualTo(1);
        assertThat(narrow.transmitStatus().refusedBytes()).isEqualTo(101);
    }

    @Test
    void elidedPayloadStaysElidedOnTheWireAndIsZeroAtTheFarEnd() {
        MemoryWire wire = new MemoryWire("w", 8, 1514);
        MemoryDevice left = wire.device(0, region);
        MemoryWire.FarEnd right = wire.farEnd(1);
        Frame frame = fill(numbered(1, 64));
        frame.lengthBytes = 1000;
        batch[0] = frame;
        assertThat(left.transmit(batch, 0, 1)).isEqualTo(1);
        assertThat(right.collect()).isEqualTo(Arrays.copyOf(numbered(1, 64), 1000));
    }

    @Test
    void aHundredThousandFramesOfAnyLengthAndContentEachHaveOneFate() {
        long seed = 20_240_611;
        SplittableRandom random = new SplittableRandom(seed);
        MemoryWire wire = new MemoryWire("w", 16, 4000);
        MemoryDevice left = wire.device(0, region);
        MemoryWire.FarEnd right = wire.farEnd(1);
        Deque<byte[]> expected = new ArrayDeque<>();
        int injected = 0;
        int received = 0;
        int refused = 0;
        int tooLong = 0;
        while (injected + refused < 100_000) {
            for (int i = random.nextInt(20); i > 0; i--) {
                byte[] frame =
                        new byte
                                [random.nextInt(8) == 0
                                        ? random.nextInt(4001)
                                        : random.nextInt(200)];
                random.nextBytes(frame);
                if (!right.inject(frame)) {
                    refused++;
                    continue;
                }
                injected++;
                if (frame.length > region.maxFrameBytes()) {
                    tooLong++;
                } else {
                    expected.add(frame);
                }
            }
            int count = left.receive(0, free, batch, random.nextInt(BATCH + 1));
            for (int i = 0; i < count; i++) {
                assertThat(bytes(batch[i])).as("seed %d", seed).isEqualTo(expected.poll());
                free.put(batch[i]);
            }
            received += count;
        }
        while (left.armReceive()) {
            int count = left.receive(0, free, batch, BATCH);
            for (int i = 0; i < count; i++) {
                assertThat(bytes(batch[i])).as("seed %d", seed).isEqualTo(expected.poll());
                free.put(batch[i]);
            }
            received += count;
        }
        DropTotals totals = new DropTotals();
        left.readReceiveDrops(totals);
        assertThat(totals.get(DropReason.OVERSIZE)).isEqualTo(tooLong);
        assertThat(received + tooLong).as("seed %d", seed).isEqualTo(injected);
        assertThat(free.size()).isEqualTo(64);
    }

    @Test
    void twoThreadsSeeEveryFrameWholeAndInOrder() throws InterruptedException {
        MemoryWire wire = new MemoryWire("w", 64, 256);
        FrameRegion farRegion = new FrameRegion(BATCH, 2048);
        MemoryDevice sender = wire.device(0, farRegion);
        MemoryDevice receiver = wire.device(1, region);
        int total = 300_000;
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread =
                new Thread(() -> {
                    Frame[] out = new Frame[BATCH];
                    for (int sent = 0; sent < total; ) {
                        int count = Math.min(BATCH, total - sent);
                        for (int i = 0; i < count; i++) {
                            out[i] = farRegion.frame(i);
                            set(farRegion, out[i], numbered(sent + i, 16 + sent % 100));
                        }
                        sent += sender.transmit(out, 0, count);
                        if (sent < total) {
                            LockSupport.parkNanos(20_000);
                        }
                    }
                });
        thread.setUncaughtExceptionHandler((t, e) -> failure.set(e));
        thread.start();
        int next = 0;
        while (next < total && failure.get() == null) {
            int count = receiver.receive(0, free, batch, BATCH);
            for (int i = 0; i < count; i++) {
                byte[] bytes = bytes(batch[i]);
                if (!Arrays.equals(bytes, numbered(next, bytes.length))) {
                    throw new AssertionError("frame " + next + " came as " + batch[i]);
                }
                next++;
                free.put(batch[i]);
            }
            if (count == 0) {
                LockSupport.parkNanos(20_000);
            }
        }
        thread.join();
        assertThat(failure.get()).isNull();
        assertThat(next).isEqualTo(total);
    }

    private static byte[] numbered(int number, int lengthBytes) {
        byte[] frame = new byte[lengthBytes];
        for (int i = 0; i < lengthBytes; i++) {
            frame[i] = (byte) (number >>> (8 * (i & 3)));
        }
        return frame;
    }

    private Frame fill(byte[] content) {
        Frame frame = free.take();
        assertThat(frame).isNotNull();
        set(region, frame, content);
        return frame;
    }

    private static void set(FrameRegion region, Frame frame, byte[] content) {
        frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.lengthBytes = content.length;
        frame.storedBytes = content.length;
        MemorySegment.copy(
                content,
                0,
                region.segment(),
                ValueLayout.JAVA_BYTE,
                frame.dataOffset,
                content.length);
    }

    private byte[] bytes(Frame frame) {
        return region.segment()
                .asSlice(frame.dataOffset, frame.storedBytes)
                .toArray(ValueLayout.JAVA_BYTE);
    }
}
