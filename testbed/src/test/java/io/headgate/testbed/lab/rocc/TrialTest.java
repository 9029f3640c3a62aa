package io.headgate.testbed.lab.rocc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the RoCC lab finds fault with. */
class TrialTest {
    private static Trial trial(boolean isControlled, long pauses, Double... flows) {
        List<Double> mbps = List.of(flows);
        double share = Trial.share(Demand.MIXED, mbps, 100);
        return new Trial(
                Demand.MIXED, isControlled, 100, share, share, mbps, 75, 75, pauses, 100, 0);
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
        assertThat(trial(true, 0, 60.0, 30.0, 10.0).problems(silent))
                .singleElement()
                .asString()
                .contains("mixed without RoCC: no pauses were sent");
    }
}
