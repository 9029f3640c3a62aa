package io.headgate.perf.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DetectorBenchmarkTest {
    private static final int MARKED = 0;
    private static final int CAME_MARKED = 2;
    private static final int WRITTEN = 1;

    private static DetectorBenchmark with(String detector, String queue) {
        DetectorBenchmark benchmark = new DetectorBenchmark();
        benchmark.detector = detector;
        benchmark.queue = queue;
        benchmark.build();
        return benchmark;
    }

    /** Its frames are the same again and again: once marked, they come marked. */
    private static long wanted(DetectorBenchmark benchmark) {
        return benchmark.counted(MARKED) + benchmark.counted(CAME_MARKED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"red", "tcd", "fecn"})
    void everyDetectorIsAskedOfEveryFrameAndMarksThoseOfALongQueue(String detector) {
        assertThat(wanted(with(detector, "empty"))).isZero();
        DetectorBenchmark benchmark = with(detector, "long");
        long before = wanted(benchmark);
        for (int i = 0; i < 100; i++) {
            benchmark.burst();
            benchmark.alone();
        }
        long frames = 100 * (DetectorBenchmark.BURST + 1);
        assertThat(wanted(benchmark) - before)
                .isBetween(detector.equals("fecn") ? frames : 1, frames);
    }

    @ParameterizedTest
    @ValueSource(strings = {"int-md", "ioam"})
    void telemetryIsWrittenIntoEveryFrameAgainAndAgain(String encoding) {
        DetectorBenchmark benchmark = with(encoding, "empty");
        long before = benchmark.counted(WRITTEN);
        for (int i = 0; i < 100; i++) {
            benchmark.burst();
            benchmark.alone();
        }
        assertThat(benchmark.counted(WRITTEN) - before)
                .isEqualTo(100 * (DetectorBenchmark.BURST + 1));
    }
}
