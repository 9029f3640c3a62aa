package io.headgate.perf.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport.Check;
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

    @Test
    void limitsAreOfTheColdHopOfFlowControlAndOfWhatIsTurnedOff() {
        List<FrameTime> times =
                List.of(
                        new FrameTime("hot", "none", 80, 2),
                        new FrameTime("cold", "none", 110, 2),
                        new FrameTime("hot", "pfc", 98, 2),
                        new FrameTime("hot", "off", 83, 2),
                        new FrameTime("cold", "pfc", 150, 2));
        HopScale scale = new HopScale();
        scale.round(FlowControlCost.plainHopNs(times), FlowControlCost.cases(times));

        // A hop takes twice the 40 ns for which the limits are.
        assertThat(scale.checks())
                .containsExactly(
                        new Check("a plain hop, cold", "ns", 110, 55, 60),
                        new Check("pfc, hot, more than without", "ns", 18, 9, 8),
                        new Check(
                                "turned-off mechanisms: gap between the 99.9 % intervals with and"
                                        + " without (0 or less: they overlap)",
                                "ns", -1, -0.5, 0));
        assertThat(scale.checks()).extracting(Check::passed).containsExactly(true, false, true);
    }

    @Test
    void withoutAPlainHopThereIsNothingToCompareFlowControlWith() {
        List<FrameTime> times = List.of(new FrameTime("hot", "pfc", 98, 2));
        assertThat(FlowControlCost.plainHopNs(times)).isNaN();
        assertThat(FlowControlCost.cases(times)).isEmpty();
    }
}
