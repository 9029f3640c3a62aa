package io.headgate.dataplane.congestion.pcn;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.congestion.Mark;
import org.junit.jupiter.api.Test;

class PcnDetectorTest {
    private static final int RESUMED = -1;

    private final PcnDetector detector = new PcnDetector(10_000);

    /**
     * The bytes that wait behind a frame that starts, and whether that frame is marked; RESUMED:
     * the queue may send again, with the given number of frames in it.
     */
    private static final int[][] EVENTS = {
        {0, 0},
        {10_000, 0}, // no more than the threshold
        {10_001, 1},
        {50_000, 1},
        {RESUMED, 3},
        {49_000, 0}, // the three that a pause held
        {48_000, 0},
        {47_000, 0},
        {46_000, 1}, // came since
        {9_000, 0},
        {40_000, 1},
        {RESUMED, 4},
        {39_000, 0}, // one of four
        {38_000, 0},
        {RESUMED, 3}, // again: the two left of four and one that came since
        {37_000, 0},
        {5_000, 0},
        {36_000, 0},
        {35_000, 1},
        {RESUMED, 0}, // an empty queue
        {34_000, 1},
        {RESUMED, 1},
        {0, 0},
        {33_000, 1},
        {32_000, 1}
    };

    @Test
    void marksWhatIsOverTheThresholdAndWasNotPaused() {
        assertThat(EVENTS.length).isGreaterThan(20);
        for (int i = 0; i < EVENTS.length; i++) {
            int[] event = EVENTS[i];
            if (event[0] == RESUMED) {
                detector.released(0, event[1] * 1_000L, event[1]);
            } else {
                int mark = event[1] == 1 ? Mark.CONGESTION : Mark.NONE;
                assertThat(detector.started(0, 1_000, event[0])).as("event %s", i).isEqualTo(mark);
            }
        }
    }

    @Test
    void framesThatItWasNotAskedAboutCountToo() {
        detector.released(0, 5_000, 5);
        detector.passed(3, 0);
        PcnDetector next = new PcnDetector(10_000);
        next.goOnFrom(detector);
        assertThat(next.started(0, 1_000, 50_000)).isEqualTo(Mark.NONE);
        assertThat(next.started(0, 1_000, 50_000)).isEqualTo(Mark.NONE);
        assertThat(next.started(0, 1_000, 50_000)).isEqualTo(Mark.CONGESTION);
        detector.reset(0);
        assertThat(detector.started(0, 1_000, 50_000)).isEqualTo(Mark.CONGESTION);
    }
}
