package io.headgate.dataplane.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.random.NamedRandom;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A detector that is not asked about quiet frames marks as one that is asked about all. */
final class QuietQueueTest {
    private static final int FRAME_BYTES = 1000;
    private static final int FRAMES = 20_000;
    private static final long MAX_ON_NS = 3_000;
    private static final int COUNTERS = 4;

    private static Detector detector(String name) {
        double weight = name.equals("averaged") ? 0.2 : 1;
        RedDetector red =
                new RedDetector(
                        10_000,
                        30_000,
                        0.3,
                        weight,
                        10_000_000_000L,
                        NamedRandom.of(1, "p1", name));
        return name.equals("tcd")
                ? new TcdDetector(red, MAX_ON_NS, MAX_ON_NS, 2_000, FRAME_BYTES)
                : red;
    }

    @ParameterizedTest
    @ValueSource(strings = {"red", "averaged", "tcd"})
    void quietFramesNeedNotBeAskedAbout(String name) {
        Detector all = detector(name);
        Detector some = detector(name);
        SplittableRandom random = new SplittableRandom(7);
        long nowNs = 0;
        long bytes = 0;
        int quiet = 0;
        int marked = 0;
        for (int frame = 0; frame < FRAMES; frame++) {
            nowNs += random.nextInt(1_600);
            bytes = Math.max(0, bytes + (long) random.nextInt(-3, 4) * FRAME_BYTES);
            if (random.nextInt(50) == 0) {
                all.released(nowNs, bytes, 1);
                some.released(nowNs, bytes, 1);
            }
            int mark = all.started(nowNs, FRAME_BYTES, bytes);
            if (some.isQuiet() && bytes <= some.quietBytes()) {
                quiet++;
                assertThat(mark).isEqualTo(Mark.NONE);
            } else {
                assertThat(some.started(nowNs, FRAME_BYTES, bytes)).isEqualTo(mark);
                marked += mark == Mark.NONE ? 0 : 1;
            }
            for (int counter = 0; counter < COUNTERS; counter++) {
                assertThat(some.counted(counter)).isEqualTo(all.counted(counter));
            }
        }
        assertThat(marked).isPositive();
        assertThat(quiet > 0).isEqualTo(!name.equals("averaged"));
    }
}
