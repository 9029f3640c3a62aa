package io.headgate.dataplane.device;

import io.headgate.dataplane.Interleavings;
import io.headgate.dataplane.Interleavings.Scenario;
import io.headgate.dataplane.memory.SlotMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * The order of its counters: room that is counted wrongly shows as frames that are lost, twice
 * there or overwritten. For what lies outside the heap see {@link ByteRingStress}.
 */
final class ByteRingOrderTest {
    private static final int CAPACITY = 2;

    public static final class Ring {
        private final ByteRing ring = new ByteRing(CAPACITY, 8, SlotMemory.RESIDENT);
        private final MemorySegment bytes = MemorySegment.ofArray(new byte[8]);
        private final byte[] copy = new byte[4];
        private int number;

        /** Answers whether there was room. */
        @Operation(nonParallelGroup = "producer")
        public boolean send() {
            number++;
            if (ring.producerRoom(1) == 0) {
                return false;
            }
            bytes.set(ValueLayout.JAVA_INT_UNALIGNED, 0, number);
            ring.producerWrite(bytes, 0, 100 + number, 4);
            ring.producerPublish();
            return true;
        }

        /** Answers the number of the frame, 0 if there was none, -1 if it was not whole. */
        @Operation(nonParallelGroup = "consumer")
        public int receive() {
            if (ring.consumerAvailable(1) == 0) {
                return 0;
            }
            ring.consumerCopyTo(copy);
            int frame = MemorySegment.ofArray(copy).get(ValueLayout.JAVA_INT_UNALIGNED, 0);
            boolean whole =
                    ring.consumerStoredBytes() == 4 && ring.consumerLengthBytes() == 100 + frame;
            ring.consumerSkip();
            ring.consumerRelease();
            return whole ? frame : -1;
        }
    }

    public static final class Queue {
        private final ArrayDeque<Integer> frames = new ArrayDeque<>();
        private int number;

        public boolean send() {
            number++;
            return frames.size() < CAPACITY && frames.add(number);
        }

        public int receive() {
            return frames.isEmpty() ? 0 : frames.remove();
        }
    }

    @Test
    void isAQueueHoweverBothEndsAreHeld() {
        Interleavings.check(
                Ring.class,
                Queue.class,
                new Scenario(
                        List.of("send", "send"),
                        List.of("send", "send"),
                        List.of("receive", "receive")));
    }
}
