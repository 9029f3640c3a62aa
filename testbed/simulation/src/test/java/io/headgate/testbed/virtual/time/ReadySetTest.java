package io.headgate.testbed.virtual.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadySetTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 128, 1000})
    void numbersAreTakenInOrderAndOnce(int bound) {
        ReadySet set = new ReadySet();
        set.grow(bound);
        NavigableSet<Integer> expected = new TreeSet<>();
        SplittableRandom random = new SplittableRandom(bound);
        for (int i = 0; i < 20_000; i++) {
            int number = random.nextInt(bound);
            if (random.nextBoolean()) {
                set.set(number);
                expected.add(number);
            } else if (random.nextBoolean()) {
                assertThat(set.take(number)).isEqualTo(taken(expected, number, bound));
            } else {
                int end = random.nextInt(bound + 1);
                assertThat(set.take(number, end)).isEqualTo(taken(expected, number, end));
            }
            assertThat(set.isEmpty()).isEqualTo(expected.isEmpty());
        }
    }

    private static int taken(NavigableSet<Integer> from, int first, int end) {
        Integer least = from.ceiling(first);
        if (least == null || least >= end) {
            return ReadySet.NONE;
        }
        from.remove(least);
        return least;
    }
}
