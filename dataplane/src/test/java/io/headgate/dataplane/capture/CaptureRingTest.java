package io.headgate.dataplane.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("threads")
class CaptureRingTest {
    private final FrameRegion region = new FrameRegion(4, 2048);
    private final Frame frame = region.frame(1);

    @Test
    void keepsWhatTheHalfKnewOfTheFrame() {
        CaptureRing ring = new CaptureRing(Arena.ofAuto(), region, 1 << 13, 1000);
        frame.packetId = 77;
        frame.priority = 3;
        fill(200, (byte) 9);
        ring.received(2, frame, 1_000);
        ring.transmitted(5, 4, frame, 1_001);
        ring.dropped(6, DropReason.QUEUE_FULL, frame, 1_002);

        assertThat(ring.next()).isTrue();
        assertThat(ring.point()).isEqualTo(CaptureRing.RECEIVED);
        assertThat(ring.port()).isEqualTo(2);
        assertThat(ring.queue()).isEqualTo(-1);
        assertThat(ring.packetId()).isEqualTo(77);
        assertThat(ring.priority()).isEqualTo(3);
        assertThat(ring.timeNs()).isEqualTo(1_000);
        byte[] bytes = new byte[200];
        ring.copyTo(bytes);
        assertThat(bytes).containsOnly(9);
        ring.release();
        assertThat(ring.next()).isTrue();
        assertThat(ring.point()).isEqualTo(CaptureRing.TRANSMITTED);
        assertThat(ring.queue()).isEqualTo(4);
        ring.release();
        assertThat(ring.next()).isTrue();
        assertThat(ring.dropReason()).isEqualTo(DropReason.QUEUE_FULL.ordinal());
        assertThat(ring.leftOutBefore()).isZero();
        ring.release();
        assertThat(ring.next()).isFalse();
    }

    @Test
    void keepsNoMoreThanTheSnapLengthButTellsTheWholeLength() {
        CaptureRing ring = new CaptureRing(Arena.ofAuto(), region, 1 << 12, 96);
        fill(1500, (byte) 1);
        ring.received(0, frame, 0);
        frame.storedBytes = 40;
        ring.received(0, frame, 0);
        assertThat(ring.next()).isTrue();
        assertThat(ring.capturedBytes()).isEqualTo(96);
        assertThat(ring.lengthBytes()).isEqualTo(1500);
        ring.release();
        assertThat(ring.next()).isTrue();
        assertThat(ring.capturedBytes()).isEqualTo(40);
        assertThat(ring.lengthBytes()).isEqualTo(1500);
    }

    @Test
    void leavesOutWhatFindsNoRoomAndSaysHowManyWithTheNextRecord() {
        CaptureRing ring = new CaptureRing(Arena.ofAuto(), region, 1 << 12, 1518);
        fill(1000, (byte) 1);
        for (int i = 0; i < 10; i++) {
            ring.received(0, frame, i);
        }
        assertThat(ring.leftOut()).isEqualTo(7);
        for (int i = 0; i < 3; i++) {
            assertThat(ring.next()).isTrue();
            assertThat(ring.timeNs()).isEqualTo(i);
            ring.release();
        }
        assertThat(ring.next()).isFalse();
        ring.received(0, frame, 10);
        assertThat(ring.next()).isTrue();
        assertThat(ring.leftOutBefore()).isEqualTo(7);
        assertThat(ring.leftOut()).isEqualTo(7);
    }

    @Test
    void refusesARingThatCouldNotHoldTheLargestRecord() {
        assertThatThrownBy(() -> new CaptureRing(Arena.ofAuto(), region, 1 << 12, 9000))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new CaptureRing(Arena.ofAuto(), region, 5000, 100))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void betweenTwoThreadsEveryFrameIsReadWholeInOrderOrCountedAsLeftOut()
            throws InterruptedException {
        CaptureRing ring = new CaptureRing(Arena.ofAuto(), region, 1 << 13, 1518);
        int total = 400_000;
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread half =
                new Thread(() -> {
                    for (int i = 1; i <= total; i++) {
                        fill(14 + i * 7 % 600, (byte) i);
                        frame.packetId = i;
                        ring.received(0, frame, i);
                        if ((i & 63) == 0) {
                            LockSupport.parkNanos(1);
                        }
                    }
                });
        half.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
        half.start();
        byte[] bytes = new byte[2048];
        long seen = 0;
        long read = 0;
        long leftOut = 0;
        while (true) {
            boolean ended = !half.isAlive();
            if (!ring.next()) {
                if (ended) {
                    break;
                }
                LockSupport.parkNanos(10_000);
                continue;
            }
            leftOut += ring.leftOutBefore();
            long id = ring.packetId();
            assertThat(id).isEqualTo(seen + 1 + ring.leftOutBefore());
            int length = ring.lengthBytes();
            if (length != 14 + id * 7 % 600 || ring.capturedBytes() != length) {
                throw new AssertionError("record " + id + " has length " + length);
            }
            ring.copyTo(bytes);
            for (int i = 0; i < length; i++) {
                if (bytes[i] != (byte) id) {
                    throw new AssertionError("record " + id + " differs at byte " + i);
                }
            }
            ring.release();
            seen = id;
            read++;
        }
        half.join();
        assertThat(failure.get()).isNull();
        assertThat(read + ring.leftOut()).isEqualTo(total);
        assertThat(ring.leftOut() - leftOut).isEqualTo(total - seen);
    }

    private void fill(int lengthBytes, byte value) {
        frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.lengthBytes = lengthBytes;
        frame.storedBytes = lengthBytes;
        MemorySegment bytes = region.segment().asSlice(frame.dataOffset, lengthBytes);
        bytes.fill(value);
    }
}
