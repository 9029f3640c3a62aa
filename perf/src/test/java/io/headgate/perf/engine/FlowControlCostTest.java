package io.headgate.perf.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.perf.engine.FlowControlCost.FrameTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlowControlCostTest {
    @Test
    void aDifferenceIsFormedWithTheSameMemoryAndItsErrorsAddInSquares() {
        List<FrameTime> times =
                List.of(
                        new FrameTime("hot", "none", 30, 3),
                        new FrameTime("hot", "pfc", 37.5, 4),
                        new FrameTime("cold", "none", 60, Double.NaN),
                        new FrameTime("cold", "credits", 70, 1));

        assertThat(FlowControlCost.table(times).toString().lines())
                .containsExactly(
                        "memory  flow control  a frame (ns)  more than without (ns)",
                        "hot     none            30.0 ± 3.0",
                        "hot     pfc             37.5 ± 4.0               7.5 ± 5.0",
                        "cold    none                  60.0",
                        "cold    credits         70.0 ± 1.0                    10.0");
    }
}
