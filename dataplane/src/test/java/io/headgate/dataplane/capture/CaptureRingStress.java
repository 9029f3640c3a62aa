package io.headgate.dataplane.capture;

import static io.headgate.dataplane.MemoryModelTest.TRIES;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.Arena;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** {@link CaptureRing}, whose records lie outside the heap, under compilers that reorder. */
public final class CaptureRingStress {
    private static final int LENGTH_BYTES = 1600;

    /** Frame n has n for its number and in all its bytes. */
    private static final FrameRegion REGION = new FrameRegion(4, 2048);

    static {
        for (int slot = 0; slot < 4; slot++) {
            Frame frame = REGION.frame(slot);
            frame.packetId = slot;
            frame.lengthBytes = LENGTH_BYTES;
            frame.storedBytes = LENGTH_BYTES;
            frame.dataOffset = frame.slotOffset;
            FrameRegion.MEMORY.asSlice(frame.dataOffset, LENGTH_BYTES).fill((byte) slot);
        }
    }

    private CaptureRingStress() {}

    private static CaptureRing ring() {
        return new CaptureRing(Arena.ofAuto(), REGION, 4096, LENGTH_BYTES);
    }

    private static void record(CaptureRing ring, int number) {
        ring.received(number, REGION.frame(number), number);
    }

    /** The number of the oldest record, 0 if the ring is empty, 9 if the record was not whole. */
    private static int take(CaptureRing ring, byte[] copy) {
        if (!ring.next()) {
            return 0;
        }
        int number = (int) ring.packetId();
        boolean sound = ring.capturedBytes() == LENGTH_BYTES;
        if (sound) {
            ring.copyTo(copy);
            sound =
                    ring.port() == number
                            && ring.timeNs() == number
                            && copy[0] == number
                            && copy[LENGTH_BYTES - 1] == number;
        }
        ring.release();
        return sound ? number : 9;
    }

    /** A reader that sees the tail sees the record below it. */
    @JCStressTest
    @Outcome(
            id = {"2, 0", "0, 2"},
            expect = ACCEPTABLE,
            desc = "taken once, now or later")
    @Outcome(expect = FORBIDDEN, desc = "the record was not whole yet")
    @State
    public static class Published {
        private final CaptureRing ring = ring();
        private final byte[] copy = new byte[LENGTH_BYTES];

        @Actor
        public void half() {
            record(ring, 2);
        }

        @Actor
        public void writer(II_Result taken) {
            for (int i = 0; i < TRIES && taken.r1 == 0; i++) {
                taken.r1 = take(ring, copy);
            }
        }

        @Arbiter
        public void later(II_Result taken) {
            taken.r2 = take(ring, copy);
        }
    }

    /**
     * A writer that sees the head may overwrite what is below it: it was read. Two records fill the
     * ring.
     */
    @JCStressTest
    @Outcome(
            id = {"1, 20", "1, 23"},
            expect = ACCEPTABLE,
            desc = "left out or taken")
    @Outcome(expect = FORBIDDEN, desc = "overwritten before it was read")
    @State
    public static class Reused {
        private final CaptureRing ring = ring();
        private final byte[] copy = new byte[LENGTH_BYTES];

        public Reused() {
            record(ring, 1);
            record(ring, 2);
        }

        @Actor
        public void half() {
            boolean room = false;
            for (int i = 0; i < TRIES && !room; i++) {
                long leftOut = ring.leftOut();
                record(ring, 3);
                room = ring.leftOut() == leftOut;
            }
        }

        @Actor
        public void writer(II_Result taken) {
            taken.r1 = take(ring, copy);
        }

        @Arbiter
        public void later(II_Result taken) {
            taken.r2 = 10 * take(ring, copy) + take(ring, copy);
        }
    }
}
