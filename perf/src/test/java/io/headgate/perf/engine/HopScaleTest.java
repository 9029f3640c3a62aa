package io.headgate.perf.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport.Check;
import io.headgate.perf.engine.HopScale.Case;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HopScaleTest {
    @Test
    void eachRoundIsSetAgainstItsOwnHop() {
        Case burst = new Case(List.of("red"), 2);
        HopScale scale = new HopScale();
        scale.round(80, Map.of(burst, 3.0)); // 1.5 where a hop takes 40
        scale.round(120, Map.of(burst, 7.5)); // 2.5
        scale.round(60, Map.of(burst, 2.7)); // 1.8

        assertThat(scale.section("Detectors", "of rounds", "detector").text().lines())
                .containsExactly(
                        "of rounds",
                        "detector  measured (ns)  at a hop of 40 ns (ns)",
                        "red          2.7 to 7.5              1.5 to 2.5");
        assertThat(scale.checks()).containsExactly(new Check("red", "ns", 3.0, 1.8, 2));
        assertThat(scale.hop())
                .isEqualTo(
                        "80.0 ns (60.0 to 120.0); limits are for a machine on which it takes 40"
                                + " ns");
    }

    @Test
    void whatTakesLongerThanItsLimitIsAboveIt() {
        HopScale scale = new HopScale();
        scale.round(40, Map.of(new Case(List.of(), 2), 2.1));
        scale.round(40, Map.of(new Case(List.of(), 2), 2.3));

        assertThat(scale.checks()).singleElement().matches(check -> !check.passed());
    }
}
