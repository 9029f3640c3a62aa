package io.headgate.testbed.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
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
    }

    /** Of no spread there is no test, from however few seeds. */
    @Test
    void theSameDifferenceWithEachSeedIsSaidWithoutTest() {
        SeedTest shifted = SeedTest.of(Map.of(1L, 3.0, 2L, 4.0), Map.of(1L, 4.0, 2L, 5.0));
        assertThat(shifted.verdict() + " " + shifted.pText() + " " + shifted.intervalText())
                .isEqualTo("the same difference with each seed - -");
        assertThat(shifted.isSignificant() || shifted.isTested()).isFalse();
        assertThat(SeedTest.tests(List.of(shifted)))
                .isEqualTo("no test: the same difference with each seed");
        SeedTest constant = SeedTest.of(Map.of(1L, 3.0, 2L, 3.0), Map.of(3L, 4.0, 4L, 4.0));
        assertThat(constant.verdict()).isEqualTo("the same difference with each seed");
        SeedTest rounded = SeedTest.of(Map.of(1L, 0.3, 2L, 0.7), Map.of(1L, 0.1 + 0.2, 2L, 0.7));
        assertThat(rounded.verdict()).isEqualTo("the same");
    }

    /** Between whole numbers of degrees of freedom, too. */
    @Test
    void theIntervalLeavesZeroOutWherePIsSmall() {
        Map<Long, Double> base = Map.of(1L, 10.0, 2L, 11.0, 3L, 12.0);
        int told = 0;
        for (int i = 0; i <= 400; i++) {
            double by = i / 50.0;
            SeedTest welch = SeedTest.of(base, Map.of(4L, 9.0 + by, 5L, 11.0 + by, 6L, 13.5 + by));
            assertThat(welch.kind()).isEqualTo(SeedTest.Kind.WELCH);
            assertThat(Math.abs(welch.difference()) > welch.half())
                    .as("p %s, %s", welch.p(), welch.intervalText())
                    .isEqualTo(welch.isSignificant());
            told += welch.isSignificant() ? 1 : 0;
        }
        assertThat(told).isBetween(100, 300);
        // 4 degrees of freedom: 2.776445 x the root of 2 / 3.
        SeedTest even = SeedTest.of(base, Map.of(4L, 20.0, 5L, 21.0, 6L, 22.0));
        assertThat(even.half()).isCloseTo(2.266958, within(1e-5));
    }

    @Test
    void aSecondRunOfOneSeedIsNoSeed() {
        List<Parameter> load = List.of(Parameter.words("load", List.of("low", "high"), ""));
        List<CellResult> runs = new ArrayList<>();
        for (String value : List.of("low", "high")) {
            for (int seed = 1; seed <= 2; seed++) {
                Cell cell =
                        new Cell(
                                runs.size(),
                                new Values(load, List.of(value)),
                                seed,
                                BedKind.VIRTUAL,
                                1);
                Measure queue = new Measure("queue", "kB", runs.size());
                Outcome outcome =
                        new Outcome("d" + runs, List.of(queue), List.of(), List.of(), Map.of());
                runs.add(new CellResult(cell, outcome, null, 0));
            }
        }
        assertThat(SeedTest.of(runs.subList(0, 2), runs.subList(2, 4), "queue").n()).isEqualTo(2);
        assertThatThrownBy(() -> SeedTest.of(runs, runs.subList(2, 4), "queue"))
                .hasMessage("two runs of one setting have seed 1: they are of different settings");
    }
}
