package io.headgate.testbed.lab.rocc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the RoCC lab finds fault with. */
class TrialTest {
    private static Trial trial(boolean isControlled, long pauses, Double... flows) {
        return trial(isControlled, pauses, 1, 75, 0, flows);
    }

    /**
     * @param fair the fair rate as a share of its target
     */
    private static Trial trial(
            boolean isControlled,
            long pauses,
            double fair,
            double queueKb,
            long lost,
            Double... flows) {
        List<Double> mbps = List.of(flows);
        double share = Trial.share(Demand.MIXED, mbps, 100);
        return new Trial(
                Demand.MIXED,
                isControlled,
                100,
                share,
                fair * share,
                mbps,
                queueKb,
                75,
                pauses,
                100,
                lost);
    }

    private static final Trial ALONE = trial(false, 1_000, 60.0, 30.0, 10.0);

    @Test
    void whatIsAsItShouldBeIsNoProblem() {
        assertThat(trial(true, 100, 60.0, 29.0, 10.2).problems(ALONE)).isEmpty();
    }

    @Test
    void flowsThatAskForLessThanTheirShareMustHaveIt() {
        assertThat(trial(true, 0, 65.0, 25.0, 10.0).problems(ALONE))
                .singleElement()
                .asString()
                .contains("flow 2, of h2, has 25.0 Mb/s, and it asks for 30.0 Mb/s");
    }

    @Test
    void withoutPausesThereIsNothingToCompare() {
        Trial silent = trial(false, 0, 60.0, 30.0, 10.0);
        assertThat(silent.doubt()).contains("mixed without RoCC: no pauses were sent");
        assertThat(trial(true, 0, 60.0, 30.0, 10.0).problems(silent)).isEmpty();
        assertThat(ALONE.doubt()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    100 | 0.96 | 61 |
                    100 | 1.04 | 89 |
                    101 | 1    | 75 | 101 pauses were sent, more than a tenth of the 1000
                    100 | 1    | 59 | the queue is 59.0 kB long on average; the reference is 75.0 kB
                    100 | 1    | 91 | the queue is 91.0 kB long on average; the reference is 75.0 kB
                    100 | 0.94 | 75 | the fair rate is 56.4 Mb/s, and the max-min share is 60.0
                    100 | 1.06 | 75 | the fair rate is 63.6 Mb/s, and the max-min share is 60.0
                    """)
    void eachBoundHolds(long pauses, double fair, double queueKb, @Nullable String problem) {
        List<String> problems =
                trial(true, pauses, fair, queueKb, 0, 60.0, 30.0, 10.0).problems(ALONE);
        if (problem == null) {
            assertThat(problems).isEmpty();
        } else {
            assertThat(problems).singleElement().asString().contains(problem);
        }
    }

    @Test
    void ofSeveralRunsTheMedianCountsAndTheWorstLoss() {
        Trial median =
                Trial.median(
                        List.of(
                                trial(true, 100, 1, 70, 0, 60.0, 30.0, 10.0),
                                trial(true, 5_000, 0.5, 300, 7, 20.0, 30.0, 10.0),
                                trial(true, 50, 1, 80, 0, 61.0, 29.0, 10.0)));
        assertThat(median.pauseFrames()).isEqualTo(100);
        assertThat(median.queueKb()).isEqualTo(80);
        assertThat(median.flowMbps()).containsExactly(60.0, 30.0, 10.0);
        assertThat(median.fairMbps()).isEqualTo(60);
        assertThat(median.lostFrames()).isEqualTo(7);
    }
}
