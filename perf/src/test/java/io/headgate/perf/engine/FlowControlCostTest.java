package io.headgate.perf.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.headgate.control.report.RunReport.Check;
import io.headgate.perf.engine.FlowControlCost.FrameTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlowControlCostTest {
    @Test
    void aDifferenceIsFormedWithTheSameMemoryAndItsErrorsAddInSquares() {
        List<FrameTime> times =
                List.of(
                        new FrameTime("hot", "none", 30, 3, 29),
                        new FrameTime("hot", "pfc", 37.5, 4, 36),
                        new FrameTime("cold", "none", 60, Double.NaN, 60),
                        new FrameTime("cold", "credits", 70, 1, 70));

        assertThat(FlowControlCost.table(times).toString().lines())
                .containsExactly(
                        "memory  flow control  a frame (ns)  more than without (ns)  median of all (ns)",
                        "hot     none            30.0 ± 3.0                                        29.0",
                        "hot     pfc             37.5 ± 4.0               7.5 ± 5.0                36.0",
                        "cold    none                  60.0                                        60.0",
                        "cold    credits         70.0 ± 1.0                    10.0                70.0");
    }

    @Test
    void limitsInNsAreOfTheColdHopAndOfWhatIsTurnedOff() {
        List<FrameTime> times =
                List.of(
                        new FrameTime("hot", "none", 80, 2, 80),
                        new FrameTime("cold", "none", 110, 2, 110),
                        new FrameTime("hot", "pfc", 98, 2, 98),
                        new FrameTime("hot", "off", 83, 2, 83),
                        new FrameTime("cold", "pfc", 150, 2, 150));
        HopScale scale = new HopScale();
        scale.round(FlowControlCost.plainHopNs(times), FlowControlCost.cases(times));

        // A hop takes twice the 40 ns for which the limits are.
        assertThat(scale.checks())
                .containsExactly(
                        new Check("a plain hop, cold", "ns", 110, 55, 60),
                        new Check(
                                "turned-off mechanisms: gap between the 99.9 % intervals with and"
                                        + " without (0 or less: they overlap)",
                                "ns", -1, -0.5, 0));
        assertThat(scale.checks()).extracting(Check::passed).containsExactly(true, true);
    }

    @Test
    void flowControlIsComparedWithTheHopOfItsRoundAndMemory() {
        // The third round ran on a machine half as fast, and the second one's hop was held up.
        List<List<FrameTime>> rounds =
                List.of(round(30, 36.6, 50, 60), round(45, 36, 51, 61), round(60, 73.2, 100, 140));

        assertThat(FlowControlCost.limits(rounds))
                .extracting(Check::what, Check::unit, Check::limit)
                .containsExactly(
                        tuple("pfc, hot, more than without", "%", 20.0),
                        tuple("credits, cold, more than without", "%", 25.0));
        assertThat(FlowControlCost.limits(rounds).getFirst().measured()).isCloseTo(22, within(0.1));
        assertThat(FlowControlCost.limits(rounds).getLast().measured()).isCloseTo(20, within(0.1));
        assertThat(FlowControlCost.limits(rounds))
                .extracting(Check::passed)
                .containsExactly(false, true);
    }

    /** One iteration of the hops without flow control took four times as long as the others. */
    private static List<FrameTime> round(double hot, double pfc, double cold, double credits) {
        return List.of(
                new FrameTime("hot", "none", 1.6 * hot, 1, hot),
                new FrameTime("hot", "pfc", pfc, 1, pfc),
                new FrameTime("cold", "none", 1.6 * cold, 1, cold),
                new FrameTime("cold", "credits", credits, 1, credits));
    }

    @Test
    void withoutAPlainHopThereIsNothingToCompareFlowControlWith() {
        List<FrameTime> times = List.of(new FrameTime("hot", "pfc", 98, 2, 98));
        assertThat(FlowControlCost.plainHopNs(times)).isNaN();
        assertThat(FlowControlCost.cases(times)).isEmpty();
        assertThat(FlowControlCost.limits(List.of(times))).isEmpty();
    }
}
