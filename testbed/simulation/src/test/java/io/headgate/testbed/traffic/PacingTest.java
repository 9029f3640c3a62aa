package io.headgate.testbed.traffic;

import static io.headgate.testbed.traffic.HandDriven.SECOND;
import static io.headgate.testbed.traffic.HandDriven.US;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.testbed.traffic.spec.SendPattern;
import io.headgate.testbed.traffic.spec.SendPattern.Lateness;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacingTest {
    private static final long SEED = 11;
    private static final int WIRE_BYTES = 1024;

    private static Pacing pacing(SendPattern pattern) {
        @Nullable Pacing pacing = Pacing.of(pattern, SEED, "h0/test");
        assertThat(pacing).isNotNull();
        return pacing;
    }

    /** Frame n is due after n times its bits over the rate, rounded down to a picosecond. */
    @ParameterizedTest
    @ValueSource(
            longs = {
                10_000_000_000L,
                40_000_000_000L,
                100_000_000_000L,
                3_333_333_333L,
                7_000_000_001L,
                400_000_000_000L,
                999_999_937L
            })
    void constantRateIsExactOverASecond(long rateBps) {
        Pacing pacing = pacing(new SendPattern.ConstantRate(rateBps, Lateness.MADE_UP));
        long duePs = pacing.firstDuePs(0);
        long frames = 0;
        while (duePs < SECOND) {
            duePs = pacing.nextDuePs(duePs, duePs, WIRE_BYTES);
            frames++;
        }
        BigInteger exactPs =
                BigInteger.valueOf(frames)
                        .multiply(BigInteger.valueOf(8L * WIRE_BYTES))
                        .multiply(BigInteger.valueOf(SECOND))
                        .divide(BigInteger.valueOf(rateBps));
        assertThat(duePs).isEqualTo(exactPs.longValueExact());
        assertThat(frames).isEqualTo(-Math.floorDiv(-rateBps, 8L * WIRE_BYTES));
    }

    @Test
    void latenessIsMadeUpOrForgone() {
        Pacing madeUp = pacing(new SendPattern.ConstantRate(8_000_000_000L, Lateness.MADE_UP));
        Pacing forgone = pacing(new SendPattern.ConstantRate(8_000_000_000L, Lateness.FORGONE));
        // A byte a nanosecond; the frame that was due at 0 is sent at 5 us.
        assertThat(madeUp.nextDuePs(0, 5 * US, WIRE_BYTES)).isEqualTo(1_024_000);
        assertThat(forgone.nextDuePs(0, 5 * US, WIRE_BYTES)).isEqualTo(6_024_000);
        assertThat(madeUp.timePs(0, 5 * US)).isZero();
        assertThat(forgone.timePs(0, 5 * US)).isEqualTo(5 * US);
        // Sent in the nanosecond in which it is due, it is not late.
        assertThat(forgone.nextDuePs(1_500, 1_000, WIRE_BYTES)).isEqualTo(1_025_500);
    }

    @Test
    void burstsBeginAndEndExactly() {
        // 1,024 ns a frame, on for 10 us (ten frames), off for 90 us.
        Pacing pacing =
                pacing(
                        new SendPattern.OnOff(
                                8_000_000_000L, 10 * US, 90 * US, false, Lateness.MADE_UP));
        long duePs = pacing.firstDuePs(0);
        int frames = 0;
        while (duePs < 1000 * 100 * US) {
            long inPeriodPs = duePs % (100 * US);
            assertThat(inPeriodPs).isLessThan(10 * US);
            assertThat(inPeriodPs % 1_024_000).isZero();
            duePs = pacing.nextDuePs(duePs, duePs, WIRE_BYTES);
            frames++;
        }
        assertThat(frames).isEqualTo(1000 * 10);
    }

    @Test
    void randomBurstsHaveTheirMeanRate() {
        Pacing pacing =
                pacing(
                        new SendPattern.OnOff(
                                8_000_000_000L, 100 * US, 300 * US, true, Lateness.MADE_UP));
        long duePs = pacing.firstDuePs(0);
        long frames = 0;
        while (duePs < 20 * SECOND) {
            duePs = pacing.nextDuePs(duePs, duePs, WIRE_BYTES);
            frames++;
        }
        // On a quarter of the time; each burst's last frame may overhang by one frame less what
        // the burst ends with, half a frame in the mean. 50,000 cycles: 1 % is 5 standard errors.
        double expected = 20e12 / (400 * US) * (100e6 / 1_024_000 + 0.5);
        assertThat(frames / expected).as("seed %d", SEED).isCloseTo(1, within(0.02));
    }

    @Test
    void randomFramesHaveTheirMeanIntervalAndLength() {
        SendPattern.PoissonFrames pattern =
                new SendPattern.PoissonFrames(1_000_000, SizeDistribution.uniform(64, 1500));
        Pacing pacing = pacing(pattern);
        long duePs = pacing.firstDuePs(0);
        double lengths = 0;
        double squares = 0;
        int frames = 1_000_000;
        for (int i = 0; i < frames; i++) {
            lengths += pacing.frameBytes(60);
            long nextPs = pacing.nextDuePs(duePs, duePs, 0);
            double interval = nextPs - duePs;
            squares += interval * interval;
            duePs = nextPs;
        }
        assertThat(duePs / 1e6 / frames).isCloseTo(1, within(0.005));
        // The second moment of an exponential interval is twice its mean's square.
        assertThat(squares / frames / 2e12).isCloseTo(1, within(0.015));
        assertThat(lengths / frames).isCloseTo(782, within(2.5));
    }
}
