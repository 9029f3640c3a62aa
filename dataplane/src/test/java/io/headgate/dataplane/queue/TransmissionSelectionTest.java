package io.headgate.dataplane.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.dataplane.memory.Frame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Strict priority, deficit weighted round robin, and both. */
final class TransmissionSelectionTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_121L);
    private static final int MAX_FRAME_BYTES = 1522;

    /** Eight queues that never run empty, with frames of changing lengths. */
    private static final class Backlog {
        final Random random;
        final int[] weights;
        final TransmissionSelection schedule;
        final PriorityQueues queues;
        final long[] wireBytes = new long[8];

        Backlog(long seed, int... weights) {
            this.random = new Random(seed);
            this.weights = weights;
            this.schedule =
                    new TransmissionSelection(weights, MAX_FRAME_BYTES, WireFormat.ETHERNET);
            this.queues = new PriorityQueues(Long.MAX_VALUE, 0xFF, schedule, null);
            TestFrames frames = new TestFrames(64);
            for (int i = 0; i < 64; i++) {
                queues.enqueue(frames.frame(i % 8, length(), 0));
            }
        }

        int length() {
            return 60 + random.nextInt(MAX_FRAME_BYTES - 59);
        }

        int send() {
            Frame frame = queues.dequeue();
            assertThat(frame).isNotNull();
            int queue = frame.priority;
            wireBytes[queue] += WireFormat.ETHERNET.wireBytes(frame.lengthBytes);
            frame.lengthBytes = length();
            queues.enqueue(frame);
            return queue;
        }
    }

    @Test
    void backloggedQueuesShareInProportionToTheirWeights() {
        Random random = new Random(SEED);
        for (int run = 0; run < 50; run++) {
            int[] weights = random.ints(8, 1, 101).toArray();
            Backlog backlog = new Backlog(SEED + run, weights);
            int rounds = 0;
            long total = 0;
            while (rounds < 60_000) {
                backlog.send();
                rounds++;
            }
            int sum = 0;
            for (int queue = 0; queue < 8; queue++) {
                sum += weights[queue];
                total += backlog.wireBytes[queue];
            }
            for (int queue = 0; queue < 8; queue++) {
                double share = (double) backlog.wireBytes[queue] / total;
                double wanted = (double) weights[queue] / sum;
                // Off by no more than a turn: quantum and a frame.
                double turn = 2.0 * weights[queue] * 1546 / total + 100.0 * 1546 / total;
                assertThat(share)
                        .as("seed %d, run %d, queue %d of %s", SEED, run, queue, weights)
                        .isCloseTo(wanted, within(turn));
            }
        }
    }

    /** As a duty that is called without cause does, while no queue has credits. */
    @Test
    void askingWhileNoQueueMaySendGivesNobodyATurn() {
        List<List<Integer>> served = new ArrayList<>();
        for (int asked = 0; asked < 4; asked++) {
            PriorityQueues queues =
                    new PriorityQueues(
                            Long.MAX_VALUE,
                            0xFF,
                            new TransmissionSelection(
                                    new int[] {1, 2, 3, 4, 5, 6, 7, 8},
                                    MAX_FRAME_BYTES,
                                    WireFormat.ETHERNET),
                            null);
            TestFrames frames = new TestFrames(64);
            for (int i = 0; i < 64; i++) {
                queues.enqueue(frames.frame(i % 8, 1000, 0));
            }
            Pacer pacer = new Pacer(400_000_000_000L, 1_000_000, WireFormat.ETHERNET);
            boolean[] open = new boolean[1];
            Gate gate =
                    new Gate() {
                        @Override
                        public int room(long nowNs, int queue, int headBytes) {
                            return open[0] ? Integer.MAX_VALUE : 0;
                        }

                        @Override
                        public void started(
                                long nowNs, int queue, int frames, long bytes, int cost) {}
                    };
            Frame[] into = new Frame[32];
            pacer.resume(1_000_000, 0);
            for (int i = 0; i < asked; i++) {
                assertThat(queues.dequeue(1_000_000, pacer, into, 0, gate)).isZero();
            }
            open[0] = true;
            int count = queues.dequeue(1_000_000, pacer, into, 0, gate);
            served.add(Arrays.stream(into, 0, count).map(frame -> frame.priority).toList());
        }
        assertThat(served.getFirst()).hasSize(32);
        assertThat(served).allMatch(served.getFirst()::equals);
    }

    @Test
    void strictQueuesComeBeforeAllThatHaveAWeight() {
        Backlog backlog = new Backlog(SEED, 1, 1, 0, 1, 1, 1, 1, 0);
        assertThat(backlog.send()).isEqualTo(7);
        backlog.queues.eligible(~(1 << 7));
        assertThat(backlog.send()).isEqualTo(2);
        backlog.queues.eligible(~(1 << 7 | 1 << 2));
        for (int i = 0; i < 100; i++) {
            assertThat(backlog.weights[backlog.send()]).isEqualTo(1);
        }
        backlog.queues.eligible(PriorityQueues.ALL);
        assertThat(backlog.send()).isEqualTo(7);
    }

    @Test
    void queueThatRanEmptyStartsWithoutAClaim() {
        TestFrames frames = new TestFrames(32);
        PriorityQueues queues =
                new PriorityQueues(
                        Long.MAX_VALUE,
                        0xFF,
                        new TransmissionSelection(
                                new int[] {1, 1, 1, 1, 1, 1, 1, 1}, 1522, WireFormat.ETHERNET),
                        null);
        queues.enqueue(frames.frame(0, 60, 0));
        Frame only = queues.dequeue();
        assertThat(only).isNotNull();
        for (int i = 0; i < 4; i++) {
            queues.enqueue(frames.frame(0, 1522, 0));
            queues.enqueue(frames.frame(1, 1522, 0));
        }
        int[] order = new int[8];
        for (int i = 0; i < 8; i++) {
            Frame frame = queues.dequeue();
            assertThat(frame).isNotNull();
            order[i] = frame.priority;
        }
        assertThat(order).containsExactly(1, 0, 1, 0, 1, 0, 1, 0);
    }

    /** A queue chosen again and again that cannot send must not save up turns. */
    @Test
    void turnsThatWereNotUsedAreNotSavedUp() {
        Backlog backlog = new Backlog(SEED, 1, 1, 1, 1, 1, 1, 1, 1);
        for (int i = 0; i < 10_000; i++) {
            int chosen = backlog.queues.select();
            if (chosen == 3) {
                int other = backlog.queues.select(backlog.queues.ready() & ~(1 << 3));
                Frame frame = backlog.queues.take(other);
                backlog.queues.enqueue(frame);
            } else {
                backlog.queues.enqueue(backlog.queues.take(chosen));
            }
        }
        int run = 0;
        int longest = 0;
        for (int i = 0; i < 1000; i++) {
            run = backlog.send() == 3 ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        // Two quanta of 1,546 bytes are 36 frames of the least size.
        assertThat(longest).isLessThanOrEqualTo(36);
    }

    /** All orders in which up to six enqueues and dequeues of three queues can come. */
    @Test
    void everyChoiceIsACandidateInEveryShortHistory() {
        int steps = 6;
        int actions = 7;
        int histories = (int) Math.round(StrictMath.pow(actions, steps));
        for (int history = 0; history < histories; history++) {
            TestFrames frames = new TestFrames(8);
            PriorityQueues queues =
                    new PriorityQueues(
                            Long.MAX_VALUE,
                            0xFF,
                            new TransmissionSelection(
                                    new int[] {2, 1, 0, 0, 0, 0, 0, 0}, 1522, WireFormat.ETHERNET),
                            null);
            int rest = history;
            for (int step = 0; step < steps; step++, rest /= actions) {
                int action = rest % actions;
                if (action < 3) {
                    queues.enqueue(frames.frame(action, action == 1 ? 1522 : 60, 0));
                } else if (action == 3) {
                    queues.eligible(0b101);
                } else if (action == 4) {
                    queues.eligible(0b111);
                } else {
                    int ready = queues.ready();
                    Frame frame = queues.dequeue();
                    assertThat(frame == null).isEqualTo(ready == 0);
                    if (frame != null) {
                        assertThat(ready >> frame.priority & 1).isEqualTo(1);
                        assertThat((ready & 4) == 0 || frame.priority == 2).isTrue();
                    }
                }
            }
        }
    }
}
