package io.headgate.dataplane.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.dataplane.frame.Notice;
import io.headgate.dataplane.frame.Wire;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Algorithm 1 of RoCC, with the parameters that are published for 40 Gb/s. */
class FairRateTest {
    private static final int STEP_BYTES = 600;
    private static final long REFERENCE = 150_000;
    private static final long MIDDLE = 300_000;
    private static final long MAXIMUM = 360_000;
    private static final long MOST = 4_000;
    private static final long LEAST = 10;

    private static FairRate from(long start) {
        return new FairRate(
                new FairRate.Parameters(
                        REFERENCE / STEP_BYTES,
                        MIDDLE / STEP_BYTES,
                        MAXIMUM / STEP_BYTES,
                        LEAST,
                        MOST,
                        Math.round(0.3 * 65_536),
                        Math.round(1.5 * 65_536),
                        STEP_BYTES),
                start);
    }

    @Test
    void aQueueThatIsMuchTooLongBringsTheRateDownToItsLeast() {
        FairRate rate = from(MOST);
        rate.step(MAXIMUM);
        assertThat(rate.steps()).isEqualTo(LEAST);
    }

    @Test
    void whatAHostWorksOutIsWhatTheSwitchComesTo() {
        FairRate rate = from(MOST);
        long[] words = new long[Notice.DETAIL_BYTES / Long.BYTES];
        MemorySegment wire = MemorySegment.ofArray(new byte[4 + Notice.DETAIL_BYTES]);
        Random random = new Random(1);
        long queueBytes = 0;
        Set<Long> told = new HashSet<>();
        for (int period = 0; period < 20_000; period++) {
            // Mostly near the reference, now and then far off.
            long swing = random.nextInt(50) == 0 ? 2 * MAXIMUM : 20_000;
            queueBytes = Math.max(0, queueBytes + random.nextLong(-swing, swing + 1));
            queueBytes = queueBytes > 4 * MAXIMUM ? REFERENCE : queueBytes;
            rate.describe(queueBytes, words);
            rate.step(queueBytes);
            for (int word = 0; word < words.length; word++) {
                Wire.put64(wire, 4 + word * 8L, words[word]);
            }
            assertThat(FairRate.stepsAtHost(wire, 4)).isEqualTo(rate.steps());
            told.add(rate.steps());
        }
        assertThat(told).hasSizeGreaterThan(1_000).contains(LEAST, MOST);
    }

    @Test
    void aForgedDescriptionIsARateWithinItsBoundsOrNone() {
        Random random = new Random(2);
        byte[] bytes = new byte[Notice.DETAIL_BYTES];
        MemorySegment wire = MemorySegment.ofArray(bytes);
        int sound = 0;
        for (int i = 0; i < 10_000; i++) {
            random.nextBytes(bytes);
            // F, Fmin and Fmax such that some are in order.
            Wire.put64(wire, 0, random.nextLong(1L << 48));
            long steps = FairRate.stepsAtHost(wire, 0);
            if (steps != 0) {
                sound++;
                assertThat(steps).isBetween(Wire.u32(wire, 28), Wire.u32(wire, 32));
            }
        }
        assertThat(sound).isGreaterThan(1_000);
        assertThat(FairRate.stepsAtHost(MemorySegment.ofArray(new byte[48]), 0)).isZero();
    }

    @Test
    void aQueueThatGrowsFastHalvesTheRate() {
        FairRate rate = from(MOST);
        rate.step(MIDDLE);
        assertThat(rate.steps()).isEqualTo(MOST / 2);
    }

    @Test
    void aRateThatIsSmallAlreadyIsNotHalved() {
        FairRate rate = from(MOST / 8);
        // Gains are a quarter of 0.3 and 1.5, for 250 steps over the reference and 500 more.
        rate.step(MIDDLE);
        assertThat(rate.steps()).isEqualTo(Math.round(500 - (0.3 * 250 + 1.5 * 500) / 4));
    }

    @Test
    void gainsShrinkWithTheRateByPowersOfTwo() {
        // Without change of the length a step moves the rate by alpha times the distance alone.
        long[] starts = {3_000, 1_500, 700, 400, 200, 100, 40};
        int[] ratios = {1, 2, 4, 8, 16, 32, 32};
        for (int i = 0; i < starts.length; i++) {
            FairRate rate = from(starts[i]);
            rate.step(REFERENCE);
            long before = rate.steps();
            FairRate twin = from(starts[i]);
            twin.step(REFERENCE);
            twin.step(REFERENCE);
            assertThat(twin.steps()).as("at the reference nothing moves").isEqualTo(before);
        }
        FairRate rate = from(3_000);
        rate.step(0);
        assertThat(rate.steps()).isEqualTo(3_000 + Math.round(0.3 * 250));
        for (int i = 1; i < starts.length; i++) {
            FairRate small = from(starts[i]);
            small.step(0);
            assertThat((double) small.steps())
                    .as("from %d", starts[i])
                    .isCloseTo(starts[i] + 0.3 * 250 / ratios[i], within(1.0));
        }
    }

    @Test
    void aSmallRateSettlesAtTheReferenceAndNotBelowIt() {
        // 100 sources of a 40 Gb/s link: every 40 us the queue grows by what they send too much.
        FairRate rate = from(40);
        double queue = REFERENCE / 2;
        for (int period = 0; period < 5_000; period++) {
            rate.step((long) queue);
            double surplusBps = 100 * rate.exact() * 10e6 - 40e9;
            queue = Math.max(0, queue + surplusBps * 40e-6 / 8);
        }
        assertThat(queue).isCloseTo(REFERENCE, within(0.02 * REFERENCE));
        assertThat(rate.steps()).isEqualTo(40);
    }

    @Test
    void anEmptyQueueLetsItRestAtItsMost() {
        FairRate rate = from(100);
        int periods = 0;
        while (!rate.isAtRest()) {
            rate.step(0);
            periods++;
        }
        assertThat(rate.steps()).isEqualTo(MOST);
        assertThat(periods).isBetween(20, 200);
    }
}
