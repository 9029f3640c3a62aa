package io.headgate.perf.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyCostTest {
    @Test
    void timesOfOneTurnAreComparedWithEachOtherAndTheMedianIsJudged() {
        // The core became twice as slow from the second turn on.
        PolicyCost cost = cost("push-out", "push-out by hand", List.of(11.0, 24.0, 21.0), 10);

        assertThat(cost.ratio(0, 1).median()).isEqualTo(1.1);
        assertThat(cost.check().passed()).isTrue();
        assertThat(cost.check().limit()).isEqualTo(1.1);
        assertThat(cost("push-out", "push-out by hand", List.of(11.2, 24.0, 21.0), 10).check())
                .matches(check -> !check.passed());
    }

    @Test
    void theBuiltInFifoHasTheCloserLimit() {
        assertThat(cost("tail-drop", "built-in", List.of(10.6, 21.2, 21.2), 10).check())
                .matches(check -> !check.passed() && check.limit() == 1.05);
    }

    @Test
    void theFigureSetsEachAlgorithmBesideTheFirst() {
        PolicyCost cost =
                new PolicyCost(
                        List.of("algorithm-a", "algorithm-b", "algorithm-c"),
                        64,
                        List.of(List.of(10.0), List.of(15.0), List.of(20.0)));

        assertThat(PolicyCost.figure(List.of(cost)).text().lines().skip(1).map(String::strip))
                .contains(
                        "algorithm-a  10.0               1.00   1.00 to 1.00",
                        "algorithm-b  15.0               1.50   1.50 to 1.50",
                        "algorithm-c  20.0               2.00   2.00 to 2.00");
    }

    private static PolicyCost cost(
            String name, String other, List<Double> ns, double firstOfOther) {
        return new PolicyCost(
                List.of(name, other),
                32,
                List.of(ns, List.of(firstOfOther, 2 * firstOfOther, 2 * firstOfOther)));
    }
}
