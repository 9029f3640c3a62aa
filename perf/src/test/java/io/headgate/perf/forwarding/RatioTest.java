package io.headgate.perf.forwarding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RatioTest {
    private static final long SEED = 7;

    @Test
    void equalRatiosHaveAnIntervalOfNoWidth() {
        Ratio ratio = Ratio.of(new double[] {1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1}, SEED);
        assertThat(ratio).isEqualTo(new Ratio(1.1, 1.1, 1.1, 7));
    }

    @Test
    void intervalHoldsTheTrueMedianNineTimesInTen() {
        Random random = new Random(SEED);
        int held = 0;
        int runs = 300;
        for (int run = 0; run < runs; run++) {
            double[] ratios = random.doubles(25, 0.9, 1.1).toArray();
            Ratio ratio = Ratio.of(ratios, run);
            held += ratio.low() <= 1 && 1 <= ratio.high() ? 1 : 0;
        }
        assertThat(held / (double) runs).as("seed %d", SEED).isCloseTo(0.9, within(0.07));
    }

    @Test
    void whatIsNoNumberIsLeftOut() {
        Ratio ratio = Ratio.of(new double[] {Double.NaN, 2, Double.POSITIVE_INFINITY}, SEED);
        assertThat(ratio.median()).isEqualTo(2);
        assertThat(ratio.pairs()).isEqualTo(1);
    }
}
