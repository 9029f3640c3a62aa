package io.headgate.hostagent.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

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
}
