package io.headgate.hostagent.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DctcpWindowTest {
    private static final int FRAME = 1000;
    private static final double GAIN = 0.25;

    private final DctcpWindow window = new DctcpWindow(GAIN, 10);
    private final Sample sample = new Sample();
    private long acked;

    DctcpWindowTest() {
        window.begin(0, 10_000_000_000L, FRAME);
    }

    private void acknowledged(long ackedBytes, long sentBytes, int marks) {
        window.acknowledged(0, sample.set(ackedBytes, sentBytes, marks, Sample.NOT_TIMED));
    }

    /** Acknowledges frame by frame what the window lets go, the first ones marked. */
    private void roundTrip(int markedFrames) {
        long frames = window.windowBytes() / FRAME;
        long sent = acked + frames * FRAME;
        for (int i = 0; i < frames; i++) {
            acked += FRAME;
            // For each frame that has come another one leaves.
            acknowledged(
                    acked, sent + (i + 1L) * FRAME, i < markedFrames ? RateControl.MARKED_CE : 0);
        }
    }

    @Test
    void beginsWithItsInitialWindowAtTheLineRate() {
        assertThat(window.windowBytes()).isEqualTo(10 * FRAME);
        assertThat(window.rateBps()).isEqualTo(10_000_000_000L);
    }

    @Test
    void doublesInEachRoundTripUntilTheFirstMark() {
        roundTrip(0);
        assertThat(window.windowBytes()).isEqualTo(20 * FRAME);
        roundTrip(0);
        assertThat(window.windowBytes()).isEqualTo(40 * FRAME);
    }

    @Test
    void theFirstMarkHalvesItAndGrowthIsAFrameInARoundTripFromThenOn() {
        // Nothing is known of marks yet: the share is taken to be 1, less the first's weight.
        acknowledged(FRAME, 10 * FRAME, RateControl.MARKED_CE);
        acked = FRAME;
        assertThat(window.windowBytes()).isEqualTo(5 * FRAME);
        acknowledged(10 * FRAME, 15 * FRAME, 0);
        long before = window.windowBytes();
        acked = 10 * FRAME;
        roundTrip(0);
        // As many frames as fit came; a part of one did not.
        assertThat(window.windowBytes() - before).isBetween(FRAME * 8L / 10, (long) FRAME);
    }

    @Test
    void shrinksOnceForAllMarksOfARoundTrip() {
        acknowledged(FRAME, 10 * FRAME, RateControl.MARKED_CE);
        long once = window.windowBytes();
        for (int frame = 2; frame < 10; frame++) {
            acknowledged((long) frame * FRAME, 10 * FRAME, RateControl.MARKED_CE);
        }
        assertThat(window.windowBytes()).isEqualTo(once);
        acknowledged(10 * FRAME, 20 * FRAME, RateControl.MARKED_CE);
        assertThat(window.windowBytes()).isLessThan(once);
    }

    @Test
    void shrinksByHalfTheAverageShareThatWasMarked() {
        // The average forgets that it began with 1: 0.75 to the power of 40 is left.
        window.lost(0);
        for (int i = 0; i < 40; i++) {
            roundTrip(0);
        }
        long before = window.windowBytes();
        long sent = acked + before;
        acknowledged(acked + FRAME, sent, RateControl.MARKED_CE);
        // Of this window the one frame was marked that has come of it.
        double alpha = GAIN;
        assertThat((double) window.windowBytes())
                .isCloseTo(before * (1 - alpha / 2), within(before * 0.13));
        assertThat(window.windowBytes()).isGreaterThan(before / 2);
    }

    @Test
    void aLossHalvesItToTwoFramesAtTheLeast() {
        window.lost(0);
        assertThat(window.windowBytes()).isEqualTo(5 * FRAME);
        window.lost(0);
        window.lost(0);
        window.lost(0);
        assertThat(window.windowBytes()).isEqualTo(2 * FRAME);
    }

    @Test
    void anAcknowledgementOfNothingNewChangesNothing() {
        acknowledged(0, 10 * FRAME, 0);
        assertThat(window.windowBytes()).isEqualTo(10 * FRAME);
    }

    /**
     * Frames acknowledged and sent so far, whether those since the previous event are marked (0, 0:
     * a loss), and the resulting window in bytes, with g = 1 / 16. The comments have the share's
     * average at the end of a window, and how the window follows from the one before.
     */
    private static final int[][] EVENTS = {
        {1, 10, 0, 11000}, // alpha = (15 x 1 + 0/1) / 16 = 0.9375; slow start: + 1000
        {2, 12, 0, 12000}, // slow start: + 1000
        {4, 16, 0, 14000}, // slow start: + 2000
        {8, 24, 0, 18000}, // slow start: + 4000
        {10, 28, 1, 9964}, // alpha = (15 x 0.9375 + 2/9) / 16 = 0.8928; x (1 - 0.8928 / 2)
        {12, 30, 1, 9964}, // before 28: nothing
        {16, 32, 0, 9964}, // before 28: nothing
        {20, 34, 0, 9964}, // before 28: nothing
        {24, 36, 0, 9964}, // before 28: nothing
        {28, 40, 0, 10366}, // alpha = (15 x 0.8928 + 2/18) / 16 = 0.8439; + 1000 x 4000 / 9964
        {30, 42, 0, 10559}, // + 1000 x 2000 / 10366
        {34, 46, 1, 6103}, // x (1 - 0.8439 / 2)
        {36, 48, 0, 6103}, // before 46: nothing
        {40, 52, 1, 6103}, // alpha = (15 x 0.8439 + 8/12) / 16 = 0.8329; before 46: nothing
        {42, 54, 1, 6103}, // before 46: nothing
        {44, 56, 0, 6103}, // before 46: nothing
        {48, 60, 0, 6758}, // + 1000 x 4000 / 6103
        {50, 62, 0, 7054}, // + 1000 x 2000 / 6758
        {54, 66, 1, 4206}, // alpha = (15 x 0.8329 + 6/14) / 16 = 0.8076; x (1 - 0.8076 / 2)
        {56, 68, 1, 4206}, // before 66: nothing
        {60, 70, 1, 4206}, // before 66: nothing
        {66, 76, 1, 2482}, // alpha = (15 x 0.8076 + 12/12) / 16 = 0.8196; x (1 - 0.8196 / 2)
        {68, 78, 0, 2482}, // before 76: nothing
        {0, 0, 0, 2000}, // a loss: / 2
        {70, 80, 0, 2000}, // before 76: nothing
        {80, 90, 1, 2000} // alpha = (15 x 0.8196 + 10/14) / 16 = 0.8130; x (1 - 0.8130 / 2)
    };

    @Test
    void followsTheRulesOverWindowsOfData() {
        DctcpWindow own = new DctcpWindow(1 / 16.0, 10);
        own.begin(0, 10_000_000_000L, FRAME);
        assertThat(EVENTS.length).isGreaterThan(20);
        for (int i = 0; i < EVENTS.length; i++) {
            int[] event = EVENTS[i];
            if (event[1] == 0) {
                own.lost(0);
            } else {
                long ackedBytes = (long) event[0] * FRAME;
                long sentBytes = (long) event[1] * FRAME;
                int marks = event[2] == 0 ? 0 : RateControl.MARKED_CE;
                own.acknowledged(0, sample.set(ackedBytes, sentBytes, marks, Sample.NOT_TIMED));
            }
            assertThat(own.windowBytes()).as("event %s", i).isEqualTo(event[3]);
        }
    }

    /**
     * Flows in step, as the paper models them (SIGCOMM 2010, section 3.3): what of their windows
     * the pipe does not hold stands in the queue, and all that is sent while that is above K is
     * marked. The queue's top is K + N, and it falls by half the root of 2 N (C RTT + K), all in
     * frames.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 10})
    void theQueueOfFlowsInStepIsThatOfTheClosedForm(int flows) {
        double pipe = 100;
        double mark = 65;
        DctcpWindow each = new DctcpWindow(1 / 16.0, 10);
        each.begin(0, 10_000_000_000L, FRAME);
        long ackedBytes = 0;
        double queue = 0;
        double falls = 0;
        int cuts = 0;
        for (int round = 0; round < 2_000; round++) {
            long sentBytes = each.windowBytes();
            double before = queue;
            boolean isMarked = before > mark;
            ackedBytes += sentBytes;
            int marks = isMarked ? RateControl.MARKED_CE : 0;
            each.acknowledged(
                    0, sample.set(ackedBytes, ackedBytes + sentBytes, marks, Sample.NOT_TIMED));
            queue = (double) flows * each.windowBytes() / FRAME - pipe;
            if (round >= 1_000) {
                assertThat(queue).isLessThanOrEqualTo(mark + flows);
                falls += isMarked ? before - queue : 0;
                cuts += isMarked ? 1 : 0;
            }
        }
        double closed = Math.sqrt(2 * flows * (pipe + mark)) / 2;
        assertThat(falls / cuts).isCloseTo(closed, within(0.15 * closed));
    }
}
