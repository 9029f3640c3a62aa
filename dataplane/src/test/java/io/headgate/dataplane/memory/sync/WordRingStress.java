package io.headgate.dataplane.memory.sync;

import static io.headgate.dataplane.MemoryModelTest.TRIES;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** {@link WordRing} under compilers and processors that reorder. */
public final class WordRingStress {
    private WordRingStress() {}

    private static void offer(WordRing ring, long value) {
        if (ring.claim()) {
            ring.put(0, value);
            ring.put(1, 10 * value);
            ring.publish();
        }
    }

    private static long poll(WordRing ring) {
        if (!ring.next()) {
            return 0;
        }
        long both = ring.get(0) + ring.get(1);
        ring.release();
        return both;
    }

    /** A reader that sees the tail sees the words below it. */
    @JCStressTest
    @Outcome(
            id = {"22, 0", "0, 22"},
            expect = ACCEPTABLE,
            desc = "taken once and whole, now or later")
    @Outcome(expect = FORBIDDEN, desc = "words were not there yet, and are lost")
    @State
    public static class Published {
        private final WordRing ring = new WordRing(1, 2);

        @Actor
        public void producer() {
            offer(ring, 2);
        }

        @Actor
        public void consumer(JJ_Result answers) {
            for (int i = 0; i < TRIES && answers.r1 == 0; i++) {
                answers.r1 = poll(ring);
            }
        }

        @Arbiter
        public void later(JJ_Result answers) {
            answers.r2 = poll(ring);
        }
    }

    /** A writer that sees the head may overwrite what is below it: it was read. */
    @JCStressTest
    @Outcome(
            id = {"11, 0", "11, 22"},
            expect = ACCEPTABLE,
            desc = "refused or taken")
    @Outcome(expect = FORBIDDEN, desc = "overwritten before it was read")
    @State
    public static class Reused {
        private final WordRing ring = new WordRing(1, 2);

        public Reused() {
            offer(ring, 1);
        }

        @Actor
        public void producer() {
            for (int i = 0; i < TRIES; i++) {
                offer(ring, 2);
            }
        }

        @Actor
        public void consumer(JJ_Result answers) {
            answers.r1 = poll(ring);
        }

        @Arbiter
        public void later(JJ_Result answers) {
            answers.r2 = poll(ring);
        }
    }
}
