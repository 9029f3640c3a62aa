package io.headgate.dataplane.capture;

import io.headgate.dataplane.Interleavings;
import io.headgate.dataplane.Interleavings.Scenario;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * The order of its counters, with records of several sizes that wrap at different places: room that
 * is counted wrongly shows as records that are lost or overwritten. For what lies outside the heap
 * see {@link CaptureRingStress}.
 */
final class CaptureRingOrderTest {
    private static final int RING_BYTES = 4096;
    private static final int HEADER_BYTES = 56;
    private static final int STEP_BYTES = 488;

    public static final class Ring {
        private static final FrameRegion REGION = new FrameRegion(1, 2048);

        private final CaptureRing ring = new CaptureRing(Arena.ofAuto(), REGION, RING_BYTES, 1952);
        private final Frame frame = REGION.frame(0);
        private final byte[] bytes = new byte[4 * STEP_BYTES];
        private int number;

        /** Answers whether the record found room. */
        @Operation(nonParallelGroup = "half")
        public boolean record(@Param(gen = IntGen.class, conf = "1:4") int size) {
            long leftOut = ring.leftOut();
            frame.packetId = ++number;
            frame.lengthBytes = size * STEP_BYTES;
            frame.storedBytes = frame.lengthBytes;
            frame.dataOffset = frame.slotOffset;
            FrameRegion.MEMORY.asSlice(frame.dataOffset, frame.lengthBytes).fill((byte) number);
            ring.received(number, frame, number);
            return ring.leftOut() == leftOut;
        }

        /** Reads the oldest record; 0: no record, -1: the record was not whole. */
        @Operation(nonParallelGroup = "writer")
        public long take() {
            if (!ring.next()) {
                return 0;
            }
            long id = ring.packetId();
            ring.copyTo(bytes);
            int last = ring.capturedBytes() - 1;
            boolean whole =
                    ring.lengthBytes() == last + 1
                            && ring.port() == id
                            && ring.timeNs() == id
                            && bytes[0] == id
                            && bytes[last] == id;
            long leftOut = ring.leftOutBefore();
            ring.release();
            return whole ? answer(id, leftOut) : -1;
        }
    }

    public static final class Queue {
        private record Kept(int number, int leftOut, int bytes) {}

        private final ArrayDeque<Kept> kept = new ArrayDeque<>();
        private int number;
        private int leftOut;
        private int at;

        public boolean record(int size) {
            number++;
            int needed = HEADER_BYTES + size * STEP_BYTES;
            int toEnd = RING_BYTES - at;
            int total = needed <= toEnd ? needed : toEnd + needed;
            if (kept.stream().mapToInt(Kept::bytes).sum() + total > RING_BYTES) {
                leftOut++;
                return false;
            }
            kept.add(new Kept(number, leftOut, total));
            leftOut = 0;
            at = (at + total) % RING_BYTES;
            return true;
        }

        public long take() {
            Kept first = kept.poll();
            return first == null ? 0 : answer(first.number, first.leftOut);
        }
    }

    private static long answer(long number, long leftOut) {
        return 10 * number + leftOut;
    }

    @Test
    void isAQueueOfRecordsHoweverBothEndsAreHeld() {
        Interleavings.check(
                Ring.class,
                Queue.class,
                new Scenario(
                        List.of("record 4", "record 3"),
                        List.of("record 2", "record 3"),
                        List.of("take", "take")));
    }
}
