package io.headgate.dataplane.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.dataplane.random.NamedRandom;
import org.junit.jupiter.api.Test;

class RedDetectorTest {
    private static final long KMIN = 100_000;
    private static final long KMAX = 400_000;
    private static final double PMAX = 0.2;
    private static final long RATE_BPS = 10_000_000_000L;
    private static final int FRAME = 1_250; // 1 µs at 10 Gb/s

    private static RedDetector detector(double weight, long seed) {
        NamedRandom random = NamedRandom.of(seed, "p1", "red");
        return new RedDetector(KMIN, KMAX, PMAX, weight, RATE_BPS, random);
    }

    /** The curve of Floyd and Jacobson, up to 1 above the upper threshold. */
    private static double curve(long bytes) {
        if (bytes <= KMIN) {
            return 0;
        }
        return bytes >= KMAX ? 1 : PMAX * (bytes - KMIN) / (KMAX - KMIN);
    }

    @Test
    void marksAtTwentyLengthsAreWithinThreeStandardDeviationsOfTheCurve() {
        int frames = 10_000;
        RedDetector detector = detector(1, 1);
        for (int step = 0; step < 20; step++) {
            long length = 50_000 + 20_000L * step;
            int marks = 0;
            for (int i = 0; i < frames; i++) {
                marks += detector.started(i, FRAME, length) == Mark.CONGESTION ? 1 : 0;
            }
            double p = curve(length);
            assertThat((double) marks)
                    .as("marks of %d frames at %d bytes", frames, length)
                    .isCloseTo(frames * p, within(3 * Math.sqrt(frames * p * (1 - p))));
        }
    }

    /** Marks where the average is above a length, and not below. */
    private static RedDetector above(long bytes, double weight) {
        NamedRandom random = NamedRandom.of(1, "p1", "red");
        return new RedDetector(bytes, bytes, 1, weight, RATE_BPS, random);
    }

    @Test
    void theAverageFollowsTheQueueByItsWeight() {
        RedDetector detector = above(500_000, 0.5);
        // 300,000, 450,000, 525,000.
        assertThat(detector.started(0, FRAME, 600_000)).isEqualTo(Mark.NONE);
        assertThat(detector.started(1, FRAME, 600_000)).isEqualTo(Mark.NONE);
        assertThat(detector.started(2, FRAME, 600_000)).isEqualTo(Mark.CONGESTION);
        // 512,500, 256,250.
        assertThat(detector.started(3, FRAME, 500_000)).isEqualTo(Mark.CONGESTION);
        assertThat(detector.started(4, FRAME, 0)).isEqualTo(Mark.NONE);
    }

    @Test
    void anIdleLineLetsTheAverageFallAsIfItHadSent() {
        // 2,000,000 is its average, then 0.9 to the power of frames that leave an empty queue.
        double after20 = 2_000_000 * Math.pow(0.9, 20);
        for (long bytes : new long[] {(long) (after20 * 0.99), (long) (after20 * 1.01)}) {
            int expected = bytes < after20 ? Mark.CONGESTION : Mark.NONE;
            RedDetector idle = above(bytes, 0.1);
            RedDetector busy = above(bytes, 0.1);
            for (int i = 0; i < 300; i++) {
                idle.started(i, FRAME, 2_000_000);
                busy.started(i, FRAME, 2_000_000);
            }
            idle.started(1_000, FRAME, 0);
            int marked = idle.started(20_000, FRAME, 0);
            assertThat(marked).as("idle for 18 frames' time, above %d", bytes).isEqualTo(expected);
            for (int i = 0; i < 20; i++) {
                marked = busy.started(1_000L * (i + 1), FRAME, 0);
            }
            assertThat(marked).as("after 20 frames, above %d", bytes).isEqualTo(expected);
        }
    }

    @Test
    void nothingIsDrawnOutsideTheThresholds() {
        RedDetector detector = detector(1, 3);
        RedDetector other = detector(1, 3);
        for (long length : new long[] {0, KMIN, KMAX, 10 * KMAX}) {
            assertThat(detector.started(0, FRAME, length))
                    .isEqualTo(length >= KMAX ? Mark.CONGESTION : Mark.NONE);
        }
        for (int i = 0; i < 1000; i++) {
            long between = KMIN + 1 + i * (KMAX - KMIN - 1) / 1000;
            assertThat(detector.started(0, FRAME, between))
                    .isEqualTo(other.started(0, FRAME, between));
        }
    }

    @Test
    void aLinkThatWentDownLeavesNoAverage() {
        RedDetector detector = detector(0.5, 1);
        for (int i = 0; i < 20; i++) {
            detector.started(i, FRAME, 2_000_000);
        }
        detector.reset(20);
        assertThat(detector.started(21, FRAME, 2 * KMIN)).isEqualTo(Mark.NONE);
    }
}
