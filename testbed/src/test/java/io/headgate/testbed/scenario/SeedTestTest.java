package io.headgate.testbed.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeedTestTest {
    /**
     * Tables of Student's distribution, and for one and two degrees of freedom its closed forms.
     */
    @ParameterizedTest
    @CsvSource({
        "2.776445, 4, 0.05",
        "12.706205, 1, 0.05",
        "1, 1, 0.5",
        "2.228139, 10, 0.05",
        "3.169273, 10, 0.01",
        "1.414214, 2, 0.292893",
        "0, 7, 1",
        "-2.042272, 30, 0.05"
    })
    void pIsThatOfStudentsDistribution(double t, double freedom, double p) {
        assertThat(SeedTest.p(t, freedom)).isCloseTo(p, within(1e-6));
    }

    /** Seeds that spread far, all of which differ alike from the one setting to the other. */
    @Test
    void pairsOfOneSeedTellApartWhatTheSpreadOfSeedsHides() {
        Map<Long, Double> base = Map.of(1L, 10.0, 2L, 20.0, 3L, 30.0, 4L, 40.0);
        Map<Long, Double> other = Map.of(1L, 11.0, 2L, 21.1, 3L, 31.0, 4L, 41.1);
        SeedTest paired = SeedTest.of(base, other);
        assertThat(paired.kind()).isEqualTo(SeedTest.Kind.PAIRED);
        assertThat(paired.difference()).isCloseTo(1.05, within(1e-9));
        assertThat(paired.percentText()).isEqualTo("+4.20");
        assertThat(paired.isSignificant()).isTrue();
        // 3.182 x 0.0577 / 2.
        assertThat(paired.half()).isCloseTo(0.0919, within(1e-3));
        SeedTest welch = SeedTest.of(base, Map.of(5L, 11.0, 6L, 21.1, 7L, 31.0, 8L, 41.1));
        assertThat(welch.kind()).isEqualTo(SeedTest.Kind.WELCH);
        assertThat(welch.isSignificant()).isFalse();
    }

    @Test
    void withoutSecondRunsThereIsADifferenceAndNoTest() {
        SeedTest one = SeedTest.of(Map.of(1L, 4.0), Map.of(1L, 5.0));
        assertThat(one.percentText() + " " + one.pText() + " " + one.intervalText())
                .isEqualTo("+25.0 - -");
        assertThat(one.verdict()).isEqualTo("one run");
        SeedTest none = SeedTest.of(Map.of(1L, Double.NaN), Map.of(1L, 5.0));
        assertThat(none.verdict()).isEqualTo("not measured");
        SeedTest same = SeedTest.of(Map.of(1L, 3.0, 2L, 4.0), Map.of(1L, 3.0, 2L, 4.0));
        assertThat(same.verdict() + same.pText()).isEqualTo("the same-");
        SeedTest shifted = SeedTest.of(Map.of(1L, 3.0, 2L, 4.0), Map.of(1L, 4.0, 2L, 5.0));
        assertThat(shifted.verdict() + shifted.pText()).isEqualTo("yes<0.0001");
    }
}
