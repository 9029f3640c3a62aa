package io.headgate.dataplane.memory.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.Interleavings;
import io.headgate.dataplane.Interleavings.Scenario;
import java.util.ArrayDeque;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** The order of its steps; for the memory model see {@link WordRingStress}. */
final class WordRingOrderTest {
    private static final int CAPACITY = 2;

    public static final class Ring {
        private final WordRing ring = new WordRing(CAPACITY, 2);
        private long key;

        /** Answers whether it was taken. */
        @Operation(nonParallelGroup = "producer")
        public boolean offer() {
            key++;
            if (!ring.claim()) {
                return false;
            }
            ring.put(0, key);
            ring.put(1, -key);
            ring.publish();
            return true;
        }

        /** The record's words, which belong together; 0 without a record. */
        @Operation(nonParallelGroup = "consumer")
        public long poll() {
            if (!ring.next()) {
                return 0;
            }
            long both = 1000 * ring.get(0) + ring.get(1);
            ring.release();
            return both;
        }
    }

    public static final class Queue {
        private final ArrayDeque<Long> keys = new ArrayDeque<>();
        private long key;

        public boolean offer() {
            key++;
            return keys.size() < CAPACITY && keys.add(key);
        }

        public long poll() {
            Long first = keys.poll();
            return first == null ? 0 : 999 * first;
        }
    }

    @Test
    void isAQueueHoweverBothEndsAreHeld() {
        Interleavings.check(
                Ring.class,
                Queue.class,
                new Scenario(
                        List.of("offer", "offer"),
                        List.of("offer", "offer"),
                        List.of("poll", "poll")));
    }

    @Test
    void recordsComeInOrderRoundAfterRound() {
        WordRing ring = new WordRing(4, 3);
        long next = 0;
        for (long number = 0; number < 100; number++) {
            while (!ring.claim()) {
                assertThat(ring.next()).isTrue();
                assertThat(ring.get(2)).isEqualTo(3 * next++);
                ring.release();
            }
            ring.put(0, number);
            ring.put(2, 3 * number);
            ring.publish();
        }
        assertThat(next).isEqualTo(96);
    }

    @Test
    void aRingOfNoWholePowerIsRefused() {
        assertThatThrownBy(() -> new WordRing(3, 1)).hasMessageContaining("3 records");
        assertThatThrownBy(() -> new WordRing(4, 0)).hasMessageContaining("0 words");
    }
}
