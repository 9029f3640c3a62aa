package io.headgate.perf.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.perf.engine.FlowControlCost.FrameTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class EscapeCostTest {
    @Test
    void offItsIntervalMustMeetThatOfPfcAloneAndOnItMayCostFifteenNanoseconds() {
        assertThat(kept(41.5, 54)).containsExactly(true, true);
        assertThat(kept(42.5, 56)).containsExactly(false, false);
    }

    private static List<Boolean> kept(double offNs, double onNs) {
        HopScale scale = new HopScale();
        scale.round(
                40,
                EscapeCost.cases(
                        List.of(
                                new FrameTime("hot", "pfc", 40, 1, 40),
                                new FrameTime("hot", "escape-off", offNs, 1, offNs),
                                new FrameTime("hot", "escape", onNs, 1, onNs))));
        return scale.checks().stream().map(RunReport.Check::passed).toList();
    }
}
