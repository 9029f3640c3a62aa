package io.headgate.hostagent.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PacingWheelTest {
    private record Event(long time, int entity) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return time != other.time
                    ? Long.compare(time, other.time)
                    : Integer.compare(entity, other.entity);
        }
    }

    @Test
    void takesEventsInTheOrderOfTimeThenEntityAsAPriorityQueueDoes() {
        for (long seed = 1; seed <= 40; seed++) {
            compareWithReference(seed, PacingWheel.ofRun(1));
        }
    }

    @Test
    void theOrderIsTheSameWithFewBuckets() {
        for (long seed = 1; seed <= 20; seed++) {
            compareWithReference(seed, PacingWheel.ofCard(1));
            compareWithReference(seed, new PacingWheel(1, 1, 2));
        }
    }

    @Test
    void theWheelOfACardTakesAtMost4KbWith32Flows() {
        assertThat(PacingWheel.ofCard(32).memoryBytes()).isLessThanOrEqualTo(4096);
    }

    private static void compareWithReference(long seed, PacingWheel queue) {
        SplittableRandom random = new SplittableRandom(seed);
        int entities = 1 + random.nextInt(random.nextBoolean() ? 20 : 3000);
        queue.grow(entities);
        PriorityQueue<Event> reference = new PriorityQueue<>();
        @Nullable Event[] current = new Event[entities];
        long now = 0;
        // From events within one bucket to ones a whole life apart.
        int spread = 1 + random.nextInt(44);
        for (int i = 0; i < 40_000; i++) {
            int what = random.nextInt(10);
            int entity = random.nextInt(entities);
            if (what < 5) {
                int bits = random.nextInt(20) == 0 ? 47 : random.nextInt(spread);
                long time = now + (random.nextLong() >>> (63 - bits));
                if (current[entity] != null) {
                    reference.remove(current[entity]);
                }
                current[entity] = new Event(time, entity);
                reference.add(current[entity]);
                queue.schedule(entity, time);
            } else if (what < 6) {
                if (current[entity] != null) {
                    reference.remove(current[entity]);
                    current[entity] = null;
                }
                queue.cancel(entity);
            } else {
                Event first = reference.poll();
                if (first == null) {
                    assertThat(queue.nextTime()).isEqualTo(PacingWheel.NEVER);
                    continue;
                }
                assertThat(queue.nextTime()).as("seed %d, step %d", seed, i).isEqualTo(first.time);
                assertThat(queue.poll()).as("seed %d, step %d", seed, i).isEqualTo(first.entity);
                current[first.entity] = null;
                now = first.time;
            }
            assertThat(queue.size()).isEqualTo(reference.size());
        }
    }

    @Test
    void holdsAMillionEvents() {
        int entities = 1_000_000;
        SplittableRandom random = new SplittableRandom(7);
        PacingWheel queue = PacingWheel.ofRun(0);
        queue.grow(entities);
        for (int entity = 0; entity < entities; entity++) {
            queue.schedule(entity, random.nextLong(1_000_000_000_000L));
        }
        long last = -1;
        for (int i = 0; i < 2 * entities; i++) {
            long time = queue.nextTime();
            assertThat(time).isGreaterThanOrEqualTo(last);
            int entity = queue.poll();
            queue.schedule(entity, time + random.nextLong(1_000_000_000_000L));
            last = time;
        }
        assertThat(queue.size()).isEqualTo(entities);
    }

    @Test
    void anEventMayBeSetBeforeOneThatWasLookedAt() {
        PacingWheel queue = PacingWheel.ofRun(3);
        queue.schedule(1, 1_000_000_000_000L);
        assertThat(queue.nextTime()).isEqualTo(1_000_000_000_000L);
        queue.schedule(2, 5);
        assertThat(queue.nextTime()).isEqualTo(5);
        assertThat(queue.poll()).isEqualTo(2);
        assertThat(queue.poll()).isEqualTo(1);
    }

    @Test
    void refusesTheTimeBeforeTheLastEvent() {
        PacingWheel queue = PacingWheel.ofRun(2);
        queue.schedule(0, 100);
        queue.poll();
        assertThatThrownBy(() -> queue.schedule(1, 99))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("entity 1 at 99, clock at 100");
    }
}
