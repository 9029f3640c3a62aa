package io.headgate.hostagent.icc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.config.MechanismRegistry;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import io.headgate.hostagent.icc.IccReactionConfig.Increase;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.Sample;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * ICC's sender against sums made by hand. 100 Gb/s is 12.5 bytes in a ns; with T = 40 us a link has
 * B T = 500 kB on its way; Qd = 250 kB.
 */
class IccReactionTest {
    private static final long G = 1_000_000_000L;
    private static final long LINE = 100 * G;
    private static final long T_NS = 40_000;
    private static final long QD = 250_000;
    private static final long LEAST = G / 10;
    private static final long RECOVERY_NS = 1_000_000;

    private final HopRecords hops = new HopRecords();
    private final Sample sample = new Sample();
    private long nowNs = 1_000_000;
    private int reports;

    private static IccReactionConfig config(IccEquations formulas, double g, Increase increase) {
        return new IccReactionConfig(formulas, QD, T_NS, 0, g, increase, LEAST, RECOVERY_NS);
    }

    private static IccReaction reaction(IccReactionConfig config) {
        IccReaction reaction = new IccReaction(config);
        reaction.begin(0, LINE, 1_082);
        return reaction;
    }

    private static IccReaction consistent() {
        return reaction(config(IccEquations.CONSISTENT, 0, Increase.REPORT));
    }

    private static IccReaction printed() {
        return reaction(config(IccEquations.PRINTED, 0, Increase.REPORT));
    }

    /** One report of a port at 100 Gb/s; answers the rate in Gb/s. */
    private double told(RateControl to, long qlen, double qlenrateGbps, int permille, int flows) {
        nowNs += 15_000;
        hops.clear();
        HopRecord hop = Objects.requireNonNull(hops.add());
        hop.node = 7;
        hop.egressPort = 2;
        hop.timeNs = ++reports;
        hop.queueBytes = qlen;
        hop.growthBps = (long) (qlenrateGbps * G);
        hop.usePermille = permille;
        hop.rateBps = LINE;
        hop.flows = flows;
        return again(to);
    }

    private double again(RateControl to) {
        to.acknowledged(nowNs, sample.set(0, 0, 0, Sample.NOT_TIMED).way(hops));
        return (double) to.rateBps() / G;
    }

    private static org.assertj.core.data.Offset<Double> exact() {
        return within(1e-6);
    }

    /**
     * Reports one after the other: queue in kB, its growth in Gb/s, load in thousandths, flows;
     * then the rate in Gb/s with consistent formulas, and as printed. T is 40 us, td 20, Qd 250 kB,
     * B T 500 kB; 1 kB in 1 us are 8 Gb/s; tm is at least 20 us.
     */
    private static final double[][] SEQUENCE = {
        // 100 0.2 + 100 0.8
        {0, 0, 200, 1, 100.0, 100.0},
        // tq 80, tm 60 us; Vmax = (100 + 200 kB / 60 us = 26.67) / 2 = 63.33
        // printed: tq 100, tm 80 us; Vmax = (100 + 750 kB / 80 us = 75) / 2 = 87.5
        {50, 20, 1000, 2, 63.3333, 87.5},
        // tq 80, tm 60 us; Vmax = (100 + 200 kB / 60 us = 26.67) / 10 = 12.67
        // printed: tq 100, tm 80 us; Vmax = (100 + 750 kB / 80 us = 75) / 10 = 17.5
        {50, 20, 1000, 10, 12.6667, 17.5},
        // tq 60, tm 40 us; Vmax = (100 + 150 kB / 40 us = 30) / 10 = 13, stays
        // printed: tq 100, tm 80 us; Vmax = (100 + 750 kB / 80 us = 75) / 10 = 17.5, stays
        {100, 20, 1000, 10, 12.6667, 17.5},
        // tq 30, tm 20 us; Vmax = (100 + 150 kB / 20 us = 60) / 10 = 16, stays
        // printed: tq 50, tm 30 us; Vmax = (100 + 750 kB / 30 us = 200) / 10 = 30, stays
        {100, 40, 1000, 10, 12.6667, 17.5},
        // t1 = 160 us; Vmin = (100 - 4) / 10 = 9.6
        // printed: t1 = 160 us; Vmin = (100 + 100 + 4) / 10 = 20.4, stays
        {20, -1, 1000, 10, 9.6, 17.5},
        // 9.6 1 + 100 0
        // printed: 17.5 1 + 100 0
        {0, 0, 1000, 10, 9.6, 17.5},
        // 9.6 0.9 + 100 0.1
        // printed: 17.5 0.9 + 100 0.1
        {0, 0, 900, 10, 18.64, 25.75},
        // 18.64 0.9 + 100 0.1
        // printed: 25.75 0.9 + 100 0.1
        {0, 0, 900, 8, 26.776, 33.175},
        // tq 10, tm 20 us; Vmax = (100 + 50 kB / 20 us = 20) / 8 = 15
        // printed: tq 50, tm 30 us; Vmax = (100 + 750 kB / 30 us = 200) / 8 = 37.5, stays
        {200, 40, 1000, 8, 15.0, 33.175},
        // tq 4, tm 20 us; Vmax = (100 + 25 kB / 20 us = 10) / 8 = 13.75
        // printed: tq 40, tm 20 us; Vmax = (100 + 750 kB / 20 us = 300) / 8 = 50, stays
        {225, 50, 1000, 8, 13.75, 33.175},
        // tq -1.6, tm 20 us; Vmax = (100 + -10 kB / 20 us = -4) / 8 = 12
        // printed: tq 40, tm 20 us; Vmax = (100 + 750 kB / 20 us = 300) / 8 = 50, stays
        {260, 50, 1000, 8, 12.0, 33.175},
        // tq -20, tm 20 us; Vmax = (100 + -50 kB / 20 us = -20) / 20 = 4
        // printed: tq 100, tm 80 us; Vmax = (100 + 750 kB / 80 us = 75) / 20 = 8.75
        {300, 20, 1000, 20, 4.0, 8.75},
        // t1 = 480 us; Vmin = (100 - 60) / 20 = 2
        // printed: t1 = 480 us; Vmin = (100 + 100 + 60) / 20 = 13, stays
        {300, -5, 1000, 20, 2.0, 8.75},
        // t1 = 48 us; Vmin = (100 - 60) / 20 = 2, stays
        // printed: t1 = 48 us; Vmin = (100 + 100 + 60) / 20 = 13, stays
        {300, -50, 1000, 20, 2.0, 8.75},
        // t1 = 26.67 us, below T, stays
        {100, -30, 1000, 4, 2.0, 8.75},
        // t1 = 64 us; Vmin = (100 - 8) / 4 = 23, stays
        // printed: t1 = 64 us; Vmin = (100 + 100 + 8) / 4 = 52, stays
        {40, -5, 1000, 4, 2.0, 8.75},
        // 2 0.5 + 100 0.5
        // printed: 8.75 0.5 + 100 0.5
        {0, 0, 500, 4, 51.0, 54.375},
        // 51 0.5 + 100 0.5
        // printed: 54.38 0.5 + 100 0.5
        {0, 0, 500, 4, 75.5, 77.1875},
        // tq 13.33, tm 20 us; Vmax = (100 + 100 kB / 20 us = 40) / 4 = 35
        // printed: tq 33.33, tm 20 us; Vmax = (100 + 750 kB / 20 us = 300) / 4 = 100, stays
        {150, 60, 1000, 4, 35.0, 77.1875},
        // Vmin = (100 - 10) / 4 = 22.5
        // printed: Vmin = (100 + 100 + 10) / 4 = 52.5
        {50, 0, 1000, 4, 22.5, 52.5},
        // 22.5 0 + 100 1
        // printed: 52.5 0 + 100 1
        {0, 0, 0, 4, 100.0, 100.0},
        // tq -30, tm 20 us; Vmax = (100 + -750 kB / 20 us = -300) / 50 = -4
        // printed: tq 10, tm 20 us; Vmax = (100 + 750 kB / 20 us = 300) / 50 = 8
        {1000, 200, 1000, 50, 0.1, 8.0},
        // Vmin = (100 - 100) / 5 = 0, stays
        // printed: Vmin = (100 + 100 + 100) / 5 = 60, stays
        {500, 0, 1000, 5, 0.1, 8.0}
    };

    @Test
    void followsASequenceOfReportsInBothForms() {
        IccReaction consistent = consistent();
        IccReaction printed = printed();
        for (int i = 0; i < SEQUENCE.length; i++) {
            double[] report = SEQUENCE[i];
            long qlen = (long) (1_000 * report[0]);
            int permille = (int) report[2];
            int flows = (int) report[3];
            assertThat(told(consistent, qlen, report[1], permille, flows))
                    .as("report %s", i)
                    .isCloseTo(report[4], within(1e-4));
            assertThat(again(printed))
                    .as("report %s, printed", i)
                    .isCloseTo(report[5], within(1e-4));
        }
    }

    /**
     * qlen 50 kB grows by 20 Gb/s = 2.5 bytes in a ns: tq = 200 kB / 2.5 = 80 us, td = 20 us, tm =
     * 60 us. Vmax = (100 + 200 kB / 60 us) / 10 = (100 + 26.667) / 10.
     */
    @Test
    void whileTheQueueGrowsTheRateIsThatAtWhichItStaysBelowQd() {
        assertThat(told(consistent(), 50_000, 20, 1_000, 10)).isEqualTo(12.666_666, exact());
    }

    /**
     * Vmin = (100 - 200) / n is below 0. One frame in T are 8 1106 B / 40 us = 221.2 Mb/s; half of
     * a share of 1 / 250 is 200 Mb/s, and of 1 / 1000 less than a thousandth of the line.
     */
    @Test
    void theLeastRateIsOneFrameInARoundTripSoThatTheNextReportComesInTime() {
        IccReactionConfig config =
                new IccReactionConfig(
                        IccEquations.CONSISTENT, QD, T_NS, 0, 0, Increase.REPORT, 0, RECOVERY_NS);
        IccReaction reaction = reaction(config);
        assertThat(told(reaction, 1_000_000, 0, 1_000, 50)).isEqualTo(0.2212, exact());
        assertThat(told(reaction, 1_000_000, 0, 1_000, 250)).isEqualTo(0.2, exact());
        assertThat(told(reaction, 1_000_000, 0, 1_000, 1_000)).isEqualTo(0.1, exact());
    }

    /** The same with all of B T lu = 500 kB taken off: (100 + (200 - 500) kB / 60 us) / 10. */
    @Test
    void whatIsOnItsWayCanBeTakenOff() {
        IccReaction reaction = reaction(config(IccEquations.CONSISTENT, 1, Increase.REPORT));
        assertThat(told(reaction, 50_000, 20, 1_000, 10)).isEqualTo(6, exact());
    }

    /**
     * As printed tq = 250 kB / 2.5 = 100 us, tm = 80 us, and Vmax = (100 + (250 + 500) kB / 80 us)
     * / 10 = (100 + 75) / 10: the queue that is there grows faster than now.
     */
    @Test
    void asPrintedTheRateIsMoreThanWhatKeepsTheQueueBelowQd() {
        assertThat(told(printed(), 50_000, 20, 1_000, 10)).isEqualTo(17.5, exact());
    }

    /**
     * Qd is reached in 200 kB / 25 B/ns = 8 us, before the sender is notified: tm is T / 2 = 20 us.
     */
    @Test
    void whereQdIsReachedBeforeTheReportTheTimeLeftIsHalfARoundTrip() {
        assertThat(told(consistent(), 50_000, 200, 1_000, 10)).isEqualTo(18, exact());
        // Above it the rate is below the fair share: (100 + (250 - 375) kB / 20 us) / 10.
        assertThat(told(consistent(), 375_000, 200, 1_000, 10)).isEqualTo(5, exact());
    }

    /**
     * 250 kB shorten by 5 Gb/s: t1 is 400 us, more than T. Vmin = (100 - 250 kB / 40 us) / 5 = (100
     * - 50) / 5; as printed (100 + 100 + 50) / 5, which is more than the flow's share, 20.
     */
    @Test
    void whileTheQueueShortensTheRateEmptiesItWithinARoundTrip() {
        assertThat(told(consistent(), 250_000, -5, 1_000, 5)).isEqualTo(10, exact());
        assertThat(told(printed(), 250_000, -5, 1_000, 5)).isEqualTo(50, exact());
        // It neither grows nor shortens: line 7, too.
        assertThat(told(consistent(), 250_000, 0, 1_000, 5)).isEqualTo(10, exact());
    }

    /** t1 = 250 kB / 6.5 B/ns = 38.5 us is less than T, 250 kB / 6 B/ns = 41.7 us is more. */
    @Test
    void aQueueThatIsEmptyWithinARoundTripByItselfSlowsNobodyDown() {
        assertThat(told(consistent(), 250_000, -52, 1_000, 5)).isEqualTo(100, exact());
        assertThat(told(consistent(), 250_000, -48, 1_000, 5)).isEqualTo(10, exact());
    }

    /** 1 MB in 40 us is 200 Gb/s, twice the link's. */
    @Test
    void noReportLeavesTheBounds() {
        assertThat(told(consistent(), 1_000_000, -5, 1_000, 5)).isEqualTo(0.1, exact());
        assertThat(told(printed(), 1_000_000, 1, 1_000, 1)).isEqualTo(100, exact());
    }

    @Test
    void reductionsOnlyLower() {
        IccReaction reaction = consistent();
        told(reaction, 375_000, 200, 1_000, 10);
        assertThat(told(reaction, 50_000, 20, 1_000, 10)).isEqualTo(5, exact());
        assertThat(told(reaction, 100, -0.001, 1_000, 2)).isEqualTo(5, exact());
    }

    /** 10 at a load of 0.5: 10 / 2 + 100 / 2 = 55, then 77.5; at a full link it stays. */
    @Test
    void withoutAQueueTheRateMovesToTheLinesByWhatIsFree() {
        IccReaction reaction = consistent();
        told(reaction, 250_000, -5, 1_000, 5);
        assertThat(told(reaction, 0, 0, 1_000, 5)).isEqualTo(10, exact());
        assertThat(told(reaction, 0, 0, 500, 5)).isEqualTo(55, exact());
        assertThat(again(reaction)).as("the same report").isEqualTo(55, exact());
        assertThat(told(reaction, 0, 3, 500, 5)).isEqualTo(77.5, exact());
        assertThat(told(reaction, 0, 0, 0, 5)).isEqualTo(100, exact());
    }

    /** Reports are 15 us apart: of three within 40 us the first raises it. */
    @Test
    void aRateIsRaisedOnceInARoundTrip() {
        IccReaction reaction = reaction(config(IccEquations.CONSISTENT, 0, Increase.ROUND_TRIP));
        told(reaction, 250_000, -5, 1_000, 5);
        assertThat(told(reaction, 0, 0, 500, 5)).isEqualTo(55, exact());
        assertThat(told(reaction, 0, 0, 500, 5)).isEqualTo(55, exact());
        assertThat(told(reaction, 0, 0, 500, 5)).isEqualTo(55, exact());
        assertThat(told(reaction, 0, 0, 500, 5)).isEqualTo(77.5, exact());
    }

    @Test
    void withoutReportsTheRateDoublesAndTheFlowIsAsItBegan() {
        IccReaction reaction = consistent();
        assertThat(reaction.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        told(reaction, 250_000, -5, 1_000, 5);
        assertThat(reaction.deadlineNs()).isEqualTo(nowNs + RECOVERY_NS);
        assertThat(reaction.tick(nowNs + RECOVERY_NS - 1)).isZero();
        for (int doubled = 20; doubled <= 80; doubled *= 2) {
            nowNs = reaction.deadlineNs();
            assertThat(reaction.tick(nowNs)).isEqualTo(1);
            assertThat(reaction.rateBps()).isEqualTo(doubled * G);
        }
        reaction.tick(reaction.deadlineNs());
        assertThat(reaction.rateBps()).isEqualTo(LINE);
        assertThat(reaction.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    /** T is the shortest that was timed: with 40 us and then 80, as with 40. */
    @Test
    void theRoundTripIsTheShortestTimed() {
        IccReaction reaction =
                reaction(
                        new IccReactionConfig(
                                IccEquations.CONSISTENT,
                                QD,
                                0,
                                0,
                                0,
                                Increase.REPORT,
                                LEAST,
                                RECOVERY_NS));
        assertThat(told(reaction, 250_000, -5, 1_000, 5)).as("no T yet").isEqualTo(100, exact());
        hops.clear();
        reaction.acknowledged(nowNs, sample.set(1, 1, 0, T_NS).way(hops));
        reaction.acknowledged(nowNs, sample.set(1, 1, 0, 2 * T_NS).way(hops));
        assertThat(told(reaction, 250_000, -5, 1_000, 5)).isEqualTo(10, exact());
    }

    /** Whatever is said, the rate is one. */
    @Test
    void forgedReportsKeepTheRateBetweenTheLeastAndTheLines() {
        Random random = new Random(5);
        for (int seed = 0; seed < 20_000; seed++) {
            IccReaction reaction = seed % 2 == 0 ? consistent() : printed();
            for (int i = 0; i < 3; i++) {
                hops.clear();
                HopRecord hop = Objects.requireNonNull(hops.add());
                hop.timeNs = random.nextLong();
                hop.queueBytes = random.nextLong() >> random.nextInt(64);
                hop.growthBps = random.nextLong() >> random.nextInt(64);
                hop.usePermille = random.nextInt() >> random.nextInt(32);
                hop.rateBps = random.nextLong() >> random.nextInt(64);
                hop.flows = random.nextInt() >> random.nextInt(32);
                again(reaction);
                assertThat(reaction.rateBps()).isBetween(LEAST, LINE);
            }
        }
    }

    @Test
    void aHostFindsItByItsName() {
        assertThat(MechanismRegistry.find(new IccReactionMechanism().kind(), "icc"))
                .isInstanceOf(IccReactionMechanism.class);
        assertThat(
                        new IccReactionMechanism()
                                .ackEvery(config(IccEquations.PRINTED, 0, Increase.REPORT)))
                .isEqualTo(1);
    }
}
