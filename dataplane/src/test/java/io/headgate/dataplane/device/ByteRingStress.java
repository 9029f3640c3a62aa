package io.headgate.dataplane.device;

import static io.headgate.dataplane.MemoryModelTest.TRIES;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.headgate.dataplane.memory.SlotMemory;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** {@link ByteRing}, whose frames lie outside the heap, under compilers that reorder. */
public final class ByteRingStress {
    private static final MemorySegment[] FRAMES = {
        null, MemorySegment.ofArray(new byte[] {1}), MemorySegment.ofArray(new byte[] {2})
    };

    private ByteRingStress() {}

    private static boolean send(ByteRing ring, int number) {
        if (ring.producerRoom(1) == 0) {
            return false;
        }
        ring.producerWrite(FRAMES[number], 0, number, 1);
        ring.producerPublish();
        return true;
    }

    /** The number of the frame that was there, 0 if none was, 9 if it was not whole. */
    private static int receive(ByteRing ring) {
        if (ring.consumerAvailable(1) == 0) {
            return 0;
        }
        int length = ring.consumerLengthBytes();
        byte[] copy = new byte[1];
        ring.consumerCopyTo(copy);
        boolean whole = ring.consumerStoredBytes() == 1 && copy[0] == length;
        ring.consumerSkip();
        ring.consumerRelease();
        return whole ? length : 9;
    }

    /** A reader that sees the tail sees the frame below it. */
    @JCStressTest
    @Outcome(
            id = {"2, 0", "0, 2"},
            expect = ACCEPTABLE,
            desc = "received once, now or later")
    @Outcome(expect = FORBIDDEN, desc = "the frame was not whole yet")
    @State
    public static class Published {
        private final ByteRing ring = new ByteRing(1, 8, SlotMemory.RESIDENT);

        @Actor
        public void producer() {
            send(ring, 2);
        }

        @Actor
        public void consumer(II_Result received) {
            for (int i = 0; i < TRIES && received.r1 == 0; i++) {
                received.r1 = receive(ring);
            }
        }

        @Arbiter
        public void later(II_Result received) {
            received.r2 = receive(ring);
        }
    }

    /** A writer that sees the head may overwrite what is below it: it was read. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "1, 2"},
            expect = ACCEPTABLE,
            desc = "refused or taken")
    @Outcome(expect = FORBIDDEN, desc = "overwritten before it was read")
    @State
    public static class Reused {
        private final ByteRing ring = new ByteRing(1, 8, SlotMemory.RESIDENT);

        public Reused() {
            send(ring, 1);
        }

        @Actor
        public void producer() {
            for (int i = 0; i < TRIES && !send(ring, 2); i++) {
                Thread.onSpinWait();
            }
        }

        @Actor
        public void consumer(II_Result received) {
            received.r1 = receive(ring);
        }

        @Arbiter
        public void later(II_Result received) {
            received.r2 = receive(ring);
        }
    }
}
