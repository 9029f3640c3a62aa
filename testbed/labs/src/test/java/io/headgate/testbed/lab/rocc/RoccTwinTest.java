package io.headgate.testbed.lab.rocc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.testbed.scenario.ScenarioException;
import org.junit.jupiter.api.Test;

/**
 * What RoCC changes in the lab's network, to the frame. On real frames it also depends on the
 * machine, which the lab reports and its test does not judge.
 */
class RoccTwinTest {
    private static final double RATE_MBPS = 100;
    private static final double REFERENCE_KB = 75;

    private static Trial run(int seconds, boolean isControlled) throws ScenarioException {
        RoccTwin.Settings settings =
                new RoccTwin.Settings(
                        (long) (RATE_MBPS * 1e6),
                        50_000,
                        1500,
                        100_000,
                        3,
                        26,
                        10_000_000,
                        775_000,
                        seconds,
                        7);
        double referenceKb = isControlled ? REFERENCE_KB : 0;
        return RoccTwin.run(settings, Demand.UNIFORM, isControlled, referenceKb).trial();
    }

    @Test
    void withRoccSendersFollowTheFairRateAndPausesEnd() throws ScenarioException {
        Trial without = run(2, false);
        Trial with = run(2, true);
        assertThat(with.problems(without)).isEmpty();
        assertThat(with.fairMbps()).isCloseTo(RATE_MBPS / 3, within(0.05));
        assertThat(with.flowMbps())
                .hasSize(3)
                .allSatisfy(mbps -> assertThat(mbps).isCloseTo(RATE_MBPS / 3, within(0.05)));
        assertThat(with.queueKb()).isCloseTo(REFERENCE_KB, within(1.0));
        // With RoCC pauses end in the first second; without it they go on.
        assertThat(without.pauseFrames()).isGreaterThan(10 * with.pauseFrames());
        assertThat(with.pauseFrames()).isPositive().isEqualTo(run(1, true).pauseFrames());
        // Each flow receives a notice per period of 10 ms, but for the first, when the queue is
        // empty.
        assertThat(with.notices()).isBetween(3 * 198L, 3 * 200L);
        assertThat(without.notices()).isZero();
        assertThat(with.lostFrames() + without.lostFrames()).isZero();
    }
}
