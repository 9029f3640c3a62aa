package io.headgate.dataplane.icc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/**
 * What a port at 100 Gb/s, 12.5 bytes in a ns, is found to be, against sums made by hand: samples 5
 * us apart, a timer of 15 us, in which the link carries 187.5 kB.
 */
class PortJudgementTest {
    private static final long RATE_BPS = 100_000_000_000L;
    private static final double G = 1e9;

    private final PortJudgement port = new PortJudgement(RATE_BPS, 5_000, 15_000, 0.7);

    PortJudgementTest() {
        port.clear(0);
    }

    /** Frames of 1,250 bytes, 100 ns each on the wire, one after the other between two times. */
    private void sends(long fromNs, long toNs) {
        for (long ns = fromNs; ns < toNs; ns += 100) {
            port.sent(ns, 1_250);
        }
    }

    /** A queue that grows from 12.5 kB at 20 us by 5 bytes in a ns, on a full link. */
    @Test
    void aQueueThatGrowsTwiceBeforeAFullLinkIsCongested() {
        sends(0, 20_000);
        port.came(18_000, 2_500);
        port.came(20_000, 12_500);
        assertThat(port.deadlineNs())
                .as("5 us after the first frame that found a queue")
                .isEqualTo(23_000);
        sends(20_000, 23_000);
        assertThat(port.due(23_000, 27_500)).isEqualTo(PortJudgement.CONGESTED);
        assertThat(port.qlenBytes()).isEqualTo(27_500);
        // 25 kB in 5 us are 5 bytes in a ns.
        assertThat(port.qlenrateBps()).isCloseTo(40 * G, within(1.0));
        assertThat(port.lu()).isCloseTo(1, within(0.01));
        assertThat(port.deadlineNs()).as("the timer begins anew").isEqualTo(38_000);
    }

    /** The rate before is 0: the queue is as long as it was. */
    @Test
    void aQueueThatDidNotGrowBeforeIsNotCongestedAndIsTold() {
        sends(0, 20_000);
        port.came(15_000, 0);
        port.came(16_500, 5_000);
        assertThat(port.due(21_500, 5_000)).isEqualTo(PortJudgement.NEITHER);
        assertThat(port.qlenrateBps()).isZero();
        port.came(22_500, 5_000);
        sends(20_000, 27_500);
        assertThat(port.due(27_500, 10_000)).isEqualTo(PortJudgement.NEITHER);
        assertThat(port.qlenrateBps()).isCloseTo(8 * G, within(1.0));
    }

    /** Half of the time is 50 %: below the threshold. */
    @Test
    void aQueueThatShortensBeforeALinkWithRoomIsDrainingAndNobodyIsTold() {
        sends(0, 7_500);
        port.came(8_000, 20_000);
        assertThat(port.due(13_000, 10_000)).isEqualTo(PortJudgement.DRAINING);
        assertThat(port.qlenBytes()).as("not told").isZero();
    }

    @Test
    void aQueueThatShortensBeforeAFullLinkIsTold() {
        sends(0, 30_000);
        port.came(30_000, 20_000);
        sends(30_000, 35_000);
        assertThat(port.due(35_000, 10_000)).isEqualTo(PortJudgement.NEITHER);
        assertThat(port.qlenrateBps()).isCloseTo(-16 * G, within(1.0));
        assertThat(port.lu()).isCloseTo(1, within(0.01));
    }

    /** A pause: the queue grows, and the link is empty. */
    @Test
    void aQueueThatGrowsBeforeAnIdleLinkIsNotCongestedAndIsTold() {
        port.came(100_000, 1_000);
        port.came(102_000, 20_000);
        assertThat(port.due(105_000, 40_000)).isEqualTo(PortJudgement.NEITHER);
        assertThat(port.lu()).isZero();
    }

    /** The load is of the last 15 us: 10 us full, of which 5 are gone at 20 us, are a third. */
    @Test
    void theLoadIsThatOfTheLastPeriod() {
        sends(0, 10_000);
        assertThat(port.load(10_000)).isCloseTo(2.0 / 3, within(0.01));
        assertThat(port.load(15_000)).isCloseTo(2.0 / 3, within(0.01));
        assertThat(port.load(22_500)).isCloseTo(1.0 / 3, within(0.01));
        assertThat(port.load(30_000)).isZero();
    }

    @Test
    void withoutAQueueTheTimerTellsAndEndsWhenAPeriodWasIdle() {
        port.came(1_000, 0);
        port.sent(1_000, 1_250);
        assertThat(port.deadlineNs()).isEqualTo(16_000);
        assertThat(port.due(16_000, 0)).isEqualTo(PortJudgement.TIMER);
        assertThat(port.qlenrateBps()).isZero();
        assertThat(port.deadlineNs()).isEqualTo(31_000);
        int told = 0;
        while (port.deadlineNs() != Long.MAX_VALUE && told < 10) {
            assertThat(port.due(port.deadlineNs(), 0)).isEqualTo(PortJudgement.TIMER);
            told++;
        }
        assertThat(told).as("an empty link is told of").isBetween(1, 2);
        assertThat(port.lu()).isZero();
    }

    /** Paused: nothing comes, and something waits. */
    @Test
    void theTimerGoesOnWhileAnythingWaits() {
        port.came(1_000, 0);
        for (int i = 0; i < 10; i++) {
            port.due(port.deadlineNs(), 1_250);
        }
        assertThat(port.deadlineNs()).isNotEqualTo(Long.MAX_VALUE);
    }
}
