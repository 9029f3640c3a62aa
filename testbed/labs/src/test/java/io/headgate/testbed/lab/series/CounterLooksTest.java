package io.headgate.testbed.lab.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.testbed.lab.series.CounterLooks.Counter;
import io.headgate.testbed.scenario.Series;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CounterLooksTest {
    private static final String QUEUE = "s1/p1 queue.bytes";
    private static final String SENT = "s1/p1 frames.transmitted";

    private final CounterDirectory directory = new CounterDirectory();

    private CounterBlock block() {
        int own = directory.reserve(Scope.EGRESS, 0, "p1", List.of(EgressCounter.values()));
        directory.bind(Arena.ofAuto().allocate(directory.lengthBytes(), 128), 1, 1);
        return directory.block(own);
    }

    @Test
    void ofATotalTheGrowthCountsAndOfAGaugeItsValue() throws Exception {
        CounterBlock block = block();
        block.add(EgressCounter.FRAMES_TRANSMITTED, 1_000_000);
        CounterLooks looks =
                new CounterLooks(
                        List.of(
                                counter(directory, QUEUE, EgressCounter.QUEUE_BYTES),
                                counter(directory, SENT, EgressCounter.FRAMES_TRANSMITTED)));
        double added = 0;
        long endNs = System.nanoTime() + 60_000_000_000L;
        try (looks) {
            looks.begin();
            while (looks.counted().getLast().values().length < 20 && System.nanoTime() < endNs) {
                added += 10;
                block.add(EgressCounter.FRAMES_TRANSMITTED, 10);
                block.set(EgressCounter.QUEUE_BYTES, 500);
                Thread.sleep(5);
            }
        }
        Series sent = looks.counted().getLast();
        assertThat(sent.name()).isEqualTo(SENT);
        // What was before it began does not count.
        assertThat(sent.values()[0]).isLessThan(added);
        double last = sent.values()[sent.values().length - 1];
        assertThat(last).isBetween(1.0, added);
        Series both = looks.made("both", "", "2 * [" + QUEUE + "] + 0 * [" + SENT + "]");
        assertThat(both.values()).hasSize(sent.values().length - 10).contains(1000);
        Series rate = looks.made("rate", "1/s", "[" + SENT + "]");
        int looked = sent.values().length - 1;
        double seconds = (sent.timesUs()[looked] - sent.timesUs()[looked - 10]) / 1e6;
        assertThat(rate.values()[looked - 10] * seconds)
                .isCloseTo(last - sent.values()[looked - 10], within(1e-6));
        assertThat(Arrays.stream(rate.timesUs()).toArray()).isSorted();
    }

    @Test
    void nowIsTheGrowthOfATotalSinceItBeganAndTheValueOfAGauge() throws Exception {
        CounterBlock block = block();
        block.add(EgressCounter.FRAMES_TRANSMITTED, 1_000_000);
        block.set(EgressCounter.QUEUE_BYTES, 300);
        try (CounterLooks looks =
                new CounterLooks(
                        List.of(
                                counter(directory, QUEUE, EgressCounter.QUEUE_BYTES),
                                counter(directory, SENT, EgressCounter.FRAMES_TRANSMITTED)))) {
            looks.begin();
            assertThat(looks.now(SENT)).isZero();
            assertThat(looks.now(QUEUE)).isEqualTo(300);
            block.add(EgressCounter.FRAMES_TRANSMITTED, 7);
            block.set(EgressCounter.QUEUE_BYTES, 500);
            assertThat(looks.now(SENT)).isEqualTo(7);
            assertThat(looks.now(QUEUE)).isEqualTo(500);
            // A warm-up does not count.
            looks.begin();
            assertThat(looks.now(SENT)).isZero();
        }
    }

    @Test
    void aWatchTellsOfItsCountersAlone() {
        CounterBlock block = block();
        List<Counter> counters =
                List.of(
                        counter(directory, QUEUE, EgressCounter.QUEUE_BYTES),
                        counter(directory, SENT, EgressCounter.FRAMES_TRANSMITTED));
        try (CounterLooks looks = new CounterLooks(counters)) {
            CounterLooks.Watch watch = looks.watch(List.of(SENT));
            assertThat(watch.hasChanged()).isTrue();
            block.set(EgressCounter.QUEUE_BYTES, 500);
            assertThat(watch.hasChanged()).isFalse();
            block.add(EgressCounter.FRAMES_TRANSMITTED, 1);
            assertThat(watch.hasChanged()).isTrue();
            assertThat(watch.hasChanged()).isFalse();
        }
    }

    @Test
    void onlyWhatGrowsIsCountedFromATimeOn() throws Exception {
        block();
        List<Counter> counters =
                List.of(
                        counter(directory, QUEUE, EgressCounter.QUEUE_BYTES),
                        counter(directory, SENT, EgressCounter.FRAMES_TRANSMITTED));
        Counter.checkTotals(counters, List.of(SENT));
        assertThatThrownBy(() -> Counter.checkTotals(counters, List.of(SENT, QUEUE)))
                .hasMessageContaining("[last of s1/p1 queue.bytes from ...]: it rises and falls");
    }

    private static Counter counter(CounterDirectory of, String name, EgressCounter counter) {
        return new Counter(
                name, of, CounterLookup.find(of.entries(), Scope.EGRESS, "p1", counter.label()));
    }
}
