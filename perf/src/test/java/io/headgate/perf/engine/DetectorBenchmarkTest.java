package io.headgate.perf.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DetectorBenchmarkTest {
    private static final int MARKED = 0;

    private static DetectorBenchmark with(String detector, String queue) {
        DetectorBenchmark benchmark = new DetectorBenchmark();
        benchmark.detector = detector;
        benchmark.queue = queue;
        benchmark.build();
        return benchmark;
    }

    @ParameterizedTest
    @ValueSource(strings = {"red", "tcd", "fecn"})
    void everyDetectorIsAskedOfEveryFrameAndMarksThoseOfALongQueue(String detector) {
        assertThat(with(detector, "empty").counted(MARKED)).isZero();
        DetectorBenchmark benchmark = with(detector, "long");
        long before = benchmark.counted(MARKED);
        for (int i = 0; i < 100; i++) {
            benchmark.burst();
            benchmark.alone();
        }
        long frames = 100 * (DetectorBenchmark.BURST + 1);
        assertThat(benchmark.counted(MARKED) - before)
                .isBetween(detector.equals("fecn") ? frames : 1, frames);
    }
}
