package io.headgate.perf.engine;

import static org.assertj.core.api.Assertions.assertThat;

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

        assertThat(scale.table("detector").toString().lines())
                .containsExactly(
                        "detector  a frame (ns)  at a hop of 40 ns      rounds  limit (ns)",
                        "red                3.0                1.8  1.5 to 2.5         2.0  within");
        assertThat(scale.hop())
                .isEqualTo(
                        "A plain hop took 80.0 ns (60.0 to 120.0); limits hold where it takes 40.");
    }

    @Test
    void whatTakesLongerThanItsLimitIsAboveIt() {
        HopScale scale = new HopScale();
        scale.round(40, Map.of(new Case(List.of(), 2), 2.1));
        scale.round(40, Map.of(new Case(List.of(), 2), 2.3));

        assertThat(scale.table().rows())
                .containsExactly(List.of("2.2", "2.2", "2.1 to 2.3", "2.0", "above"));
    }
}
