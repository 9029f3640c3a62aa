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

    private static final int CAME = -1;

    /**
     * Time in us; whether the link was busy since the event before; bytes that wait; then either
     * CAME, a frame that comes and finds them, or the port's state, and the values that senders
     * receive from then on: queue in bytes, its growth in Mb/s, load in thousandths. q1 is over the
     * time since a look that is at least 1 us old, q2 over the 5 us of a pair; lu is of the last 15
     * us, in windows of 15 us, which are 187.5 kB.
     */
    private static final int[][] SEQUENCE = {
        // q1 = (0 - 0) kB / 1 us = 0 Gb/s (no pair)
        {1, 1, 0, CAME},
        // q1 = (2.5 - 0) kB / 1 us = 20 Gb/s: a pair
        {2, 1, 2_500, CAME},
        // q1 20, q2 = (15 - 2.5) kB / 5 us = 20; lu = (0 (1 - 7 / 15) + 87.5) / 187.5 = 0.467
        {7, 1, 15_000, PortJudgement.NEITHER, 15_000, 20000, 467},
        // q1 = (17.5 - 2.5) kB / 6 us = 20 Gb/s: a pair
        {8, 1, 17_500, CAME},
        // q1 20, q2 = (30 - 17.5) kB / 5 us = 20; lu = (0 (1 - 13 / 15) + 162.5) / 187.5 = 0.867
        {13, 1, 30_000, PortJudgement.CONGESTED, 30_000, 20000, 867},
        // q1 = (32.5 - 17.5) kB / 6 us = 20 Gb/s: a pair
        {14, 1, 32_500, CAME},
        // q1 20, q2 = (45 - 32.5) kB / 5 us = 20; lu = (187.5 (1 - 4 / 15) + 50) / 187.5 = 1.000
        {19, 1, 45_000, PortJudgement.CONGESTED, 45_000, 20000, 1000},
        // q1 = (45 - 32.5) kB / 6 us = 16.6667 Gb/s: a pair
        {20, 1, 45_000, CAME},
        // q1 16.6667, q2 = (30 - 45) kB / 5 us = -24; lu = (187.5 (1 - 10 / 15) + 125) / 187.5 =
        // 1.000
        {25, 1, 30_000, PortJudgement.NEITHER, 30_000, -24000, 1000},
        // q1 = (27.5 - 45) kB / 6 us = -23.3333 Gb/s: a pair
        {26, 1, 27_500, CAME},
        // q1 -23.3333, q2 = (15 - 27.5) kB / 5 us = -20; lu = (137.5 (1 - 1 / 15) + 0) / 187.5 =
        // 0.684
        {31, 0, 15_000, PortJudgement.DRAINING, 30_000, -24000, 1000},
        // q1 = (12.5 - 27.5) kB / 6 us = -20 Gb/s: a pair
        {32, 0, 12_500, CAME},
        // timer; since 32 us (10 - 12.5) kB: -10; lu = (137.5 (1 - 4 / 15) + 0) / 187.5 = 0.538
        {34, 0, 10_000, PortJudgement.TIMER, 10_000, -10000, 538},
        // q1 -20, q2 = (5 - 12.5) kB / 5 us = -12; lu = (137.5 (1 - 7 / 15) + 0) / 187.5 = 0.391
        {37, 0, 5_000, PortJudgement.DRAINING, 10_000, -10000, 538},
        // q1 = (5 - 12.5) kB / 6 us = -10 Gb/s: a pair
        {38, 0, 5_000, CAME},
        // q1 -10, q2 = (2.5 - 5) kB / 5 us = -4; lu = (137.5 (1 - 13 / 15) + 0) / 187.5 = 0.098
        {43, 0, 2_500, PortJudgement.DRAINING, 10_000, -10000, 538},
        // timer; since 38 us (0 - 5) kB: -3.63636; lu = (0 (1 - 4 / 15) + 0) / 187.5 = 0.000
        {49, 0, 0, PortJudgement.TIMER, 0, -3636, 0},
        // q1 = (0 - 5) kB / 12 us = -3.33333 Gb/s (no pair)
        {50, 0, 0, CAME},
        // q1 = (1.25 - 0) kB / 1 us = 10 Gb/s: a pair
        {51, 1, 1_250, CAME},
        // q1 10, q2 = (21.25 - 1.25) kB / 5 us = 32; lu = (0 (1 - 11 / 15) + 75) / 187.5 = 0.400
        {56, 1, 21_250, PortJudgement.NEITHER, 21_250, 32000, 400},
        // q1 = (25 - 1.25) kB / 6 us = 31.6667 Gb/s: a pair
        {57, 1, 25_000, CAME},
        // q1 31.6667, q2 = (50 - 25) kB / 5 us = 40; lu = (125 (1 - 2 / 15) + 25) / 187.5 = 0.711
        {62, 1, 50_000, PortJudgement.CONGESTED, 50_000, 40000, 711},
        // timer; since 57 us (50 - 25) kB: 10; lu = (25 (1 - 2 / 15) + 0) / 187.5 = 0.116
        {77, 0, 50_000, PortJudgement.TIMER, 50_000, 10000, 116}
    };

    @Test
    void judgesASequenceOfFramesSamplesAndTimers() {
        long beforeNs = 0;
        for (int[] event : SEQUENCE) {
            long nowNs = event[0] * 1_000L;
            String at = "at " + event[0] + " us";
            if (event[1] == 1) {
                sends(beforeNs, nowNs);
            }
            beforeNs = nowNs;
            if (event[3] == CAME) {
                assertThat(port.deadlineNs()).as(at).isGreaterThan(nowNs);
                port.arrived(nowNs, event[2]);
                continue;
            }
            assertThat(port.deadlineNs()).as(at).isEqualTo(nowNs);
            assertThat(port.due(nowNs, event[2])).as(at).isEqualTo(event[3]);
            assertThat(port.qlenBytes()).as(at).isEqualTo(event[4]);
            assertThat(port.qlenrateBps()).as(at).isCloseTo(event[5] * 1e6, within(1e6));
            assertThat(port.lu()).as(at).isCloseTo(event[6] / 1e3, within(0.001));
        }
    }

    /** A queue that grows from 12.5 kB at 20 us by 5 bytes in a ns, on a full link. */
    @Test
    void aQueueThatGrowsTwiceBeforeAFullLinkIsCongested() {
        sends(0, 20_000);
        port.arrived(18_000, 2_500);
        port.arrived(20_000, 12_500);
        assertThat(port.deadlineNs())
                .as("5 us after the first frame that found a queue")
                .isEqualTo(23_000);
        sends(20_000, 23_000);
        assertThat(port.due(23_000, 27_500)).isEqualTo(PortJudgement.CONGESTED);
        assertThat(port.qlenBytes()).isEqualTo(27_500);
        // 25 kB in 5 us are 5 bytes in a ns.
        assertThat(port.qlenrateBps()).isCloseTo(40 * G, within(1.0));
        assertThat(port.lu()).isCloseTo(1, within(0.01));
        assertThat(port.deadlineNs()).as("the timer begins again").isEqualTo(38_000);
    }

    /** The rate before is 0: the queue is as long as it was. */
    @Test
    void aQueueThatDidNotGrowBeforeIsNotCongestedAndIsTold() {
        sends(0, 20_000);
        port.arrived(15_000, 0);
        port.arrived(16_500, 5_000);
        assertThat(port.due(21_500, 5_000)).isEqualTo(PortJudgement.NEITHER);
        assertThat(port.qlenrateBps()).isZero();
        port.arrived(22_500, 5_000);
        sends(20_000, 27_500);
        assertThat(port.due(27_500, 10_000)).isEqualTo(PortJudgement.NEITHER);
        assertThat(port.qlenrateBps()).isCloseTo(8 * G, within(1.0));
    }

    /** Half of the time is 50 %: below the threshold. */
    @Test
    void aQueueThatShortensBeforeALinkWithRoomIsDrainingAndNobodyIsTold() {
        sends(0, 7_500);
        port.arrived(8_000, 20_000);
        assertThat(port.due(13_000, 10_000)).isEqualTo(PortJudgement.DRAINING);
        assertThat(port.qlenBytes()).as("not told").isZero();
    }

    @Test
    void aQueueThatShortensBeforeAFullLinkIsTold() {
        sends(0, 30_000);
        port.arrived(30_000, 20_000);
        sends(30_000, 35_000);
        assertThat(port.due(35_000, 10_000)).isEqualTo(PortJudgement.NEITHER);
        assertThat(port.qlenrateBps()).isCloseTo(-16 * G, within(1.0));
        assertThat(port.lu()).isCloseTo(1, within(0.01));
    }

    /** A pause: the queue grows, and the link is empty. */
    @Test
    void aQueueThatGrowsBeforeAnIdleLinkIsNotCongestedAndIsTold() {
        port.arrived(100_000, 1_000);
        port.arrived(102_000, 20_000);
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
        port.arrived(1_000, 0);
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
        assertThat(told).as("reports of an empty link").isBetween(1, 2);
        assertThat(port.lu()).isZero();
    }

    /** Paused: nothing comes, and something waits. */
    @Test
    void theTimerGoesOnWhileAnythingWaits() {
        port.arrived(1_000, 0);
        for (int i = 0; i < 10; i++) {
            port.due(port.deadlineNs(), 1_250);
        }
        assertThat(port.deadlineNs()).isNotEqualTo(Long.MAX_VALUE);
    }
}
