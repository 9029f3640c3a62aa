package io.headgate.dataplane.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.congestion.TcdConfig.Trend;
import io.headgate.dataplane.random.NamedRandom;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each way through figure 9 of "Congestion Detection in Lossless Networks", by bare numbers. */
class TcdDetectorTest {
    private static final int FRAME = 1_000;
    private static final long MAX_ON_NS = 34_400;
    private static final long THRESHOLD = 100_000;
    private static final long LOW = 2_000;
    private static final long LONG = 3 * THRESHOLD;
    private static final long SHORT = 50_000;

    private TcdDetector detector = detector(Trend.PERIOD);

    private static TcdDetector detector(Trend trend) {
        return detector(trend, MAX_ON_NS);
    }

    private static TcdDetector detector(Trend trend, long maxOnNs) {
        RedDetector length =
                new RedDetector(
                        THRESHOLD,
                        THRESHOLD,
                        1,
                        1,
                        40_000_000_000L,
                        NamedRandom.of(1, "p1", "tcd"));
        return new TcdDetector(length, maxOnNs, new QueueTrend(trend, maxOnNs), LOW, FRAME);
    }

    private void starts(long nowNs, long behindBytes, int mark, int state) {
        assertThat(detector.started(nowNs, FRAME, behindBytes))
                .as("mark at %d with %d", nowNs, behindBytes)
                .isEqualTo(mark);
        assertThat(detector.state).as("state at %d with %d", nowNs, behindBytes).isEqualTo(state);
    }

    @Test
    void whereNothingWasEverStoppedLengthDecides() {
        starts(0, SHORT, Mark.NONE, TcdDetector.NON_CONGESTED);
        starts(1, THRESHOLD + 1, Mark.CONGESTION, TcdDetector.CONGESTED);
        starts(2, THRESHOLD, Mark.NONE, TcdDetector.NON_CONGESTED);
    }

    @Test
    void upToMaxTonAfterAStopThePortIsUndetermined() {
        starts(0, LONG, Mark.CONGESTION, TcdDetector.CONGESTED);
        detector.released(10_000, LONG, 300);
        starts(10_000, LONG, Mark.UNDETERMINED, TcdDetector.UNDETERMINED);
        starts(10_000 + MAX_ON_NS, SHORT, Mark.UNDETERMINED, TcdDetector.UNDETERMINED);
        // Beyond it nothing is marked while the queue is shorter than when the stop ended.
        starts(10_001 + MAX_ON_NS, LONG - 1, Mark.NONE, TcdDetector.UNDETERMINED);
    }

    @Test
    void aStopBeginsItsPeriodAnew() {
        detector.released(10_000, LONG, 300);
        detector.released(40_000, LONG, 300);
        starts(10_001 + MAX_ON_NS, LONG, Mark.UNDETERMINED, TcdDetector.UNDETERMINED);
        starts(40_001 + MAX_ON_NS, LONG - 1, Mark.NONE, TcdDetector.UNDETERMINED);
    }

    @Test
    void aQueueThatDrainsIsNotCongestedOnceItIsShort() {
        detector.released(0, LONG, 300);
        starts(1, LONG, Mark.UNDETERMINED, TcdDetector.UNDETERMINED);
        long nowNs = MAX_ON_NS + 1;
        for (long bytes = LONG - 10_000; bytes > LOW; bytes -= 10_000, nowNs += MAX_ON_NS) {
            starts(nowNs, bytes, Mark.NONE, TcdDetector.UNDETERMINED);
        }
        starts(nowNs, LOW, Mark.NONE, TcdDetector.NON_CONGESTED);
        starts(nowNs + 1, THRESHOLD + 1, Mark.CONGESTION, TcdDetector.CONGESTED);
    }

    @Test
    void aLongQueueThatIsNoShorterThanWhenItsStopEndedIsCongested() {
        detector.released(0, LONG, 300);
        starts(1, LONG, Mark.UNDETERMINED, TcdDetector.UNDETERMINED);
        starts(MAX_ON_NS + 1, LONG, Mark.CONGESTION, TcdDetector.CONGESTED);
        starts(MAX_ON_NS + 2, SHORT, Mark.NONE, TcdDetector.NON_CONGESTED);
    }

    @ParameterizedTest
    @EnumSource
    void afterwardsLessThanNineTenthsOfAFrameInAPeriodIsNoGrowth(Trend trend) {
        detector = detector(trend);
        long nowNs = isShorterThanWhenItsStopEnded();
        starts(nowNs + MAX_ON_NS, LONG + 899, Mark.NONE, TcdDetector.UNDETERMINED);
        starts(nowNs + 2 * MAX_ON_NS, LONG + 1_799, Mark.CONGESTION, TcdDetector.CONGESTED);
    }

    @ParameterizedTest
    @EnumSource
    void whatGrowsSlowlyIsNeverCongestedHoweverLongItDoes(Trend trend) {
        detector = detector(trend);
        long nowNs = isShorterThanWhenItsStopEnded();
        for (int frame = 1; frame <= 400; frame++) {
            // By 880 bytes in T all the while, or 895 in as much as T may be longer.
            long bytes = LONG + 880L * frame / 100;
            starts(nowNs + frame * MAX_ON_NS / 100, bytes, Mark.NONE, TcdDetector.UNDETERMINED);
        }
    }

    @Test
    void growthIsSeenWhenItHappensWhereThePeriodSlides() {
        detector = detector(Trend.SLIDING);
        long nowNs = isShorterThanWhenItsStopEnded();
        long halfNs = MAX_ON_NS / 2;
        starts(nowNs + halfNs, LONG - 20_000, Mark.NONE, TcdDetector.UNDETERMINED);
        starts(nowNs + 2 * halfNs, LONG - 40_000, Mark.NONE, TcdDetector.UNDETERMINED);
        // Longer than a moment ago, and shorter than a period before.
        starts(nowNs + 3 * halfNs - 1, LONG - 19_100, Mark.NONE, TcdDetector.UNDETERMINED);
        starts(nowNs + 3 * halfNs, LONG - 19_101, Mark.NONE, TcdDetector.UNDETERMINED);
        starts(nowNs + 3 * halfNs, LONG - 19_100, Mark.CONGESTION, TcdDetector.CONGESTED);
    }

    @Test
    void growthIsSeenAtTheEndOfAPeriodWhereTheseFollowEachOther() {
        long nowNs = isShorterThanWhenItsStopEnded();
        long halfNs = MAX_ON_NS / 2;
        starts(nowNs + halfNs, LONG - 20_000, Mark.NONE, TcdDetector.UNDETERMINED);
        starts(nowNs + 2 * halfNs, LONG - 40_000, Mark.NONE, TcdDetector.UNDETERMINED);
        starts(nowNs + 3 * halfNs, LONG, Mark.NONE, TcdDetector.UNDETERMINED);
        starts(nowNs + 4 * halfNs - 1, LONG, Mark.NONE, TcdDetector.UNDETERMINED);
        starts(nowNs + 4 * halfNs, LONG, Mark.CONGESTION, TcdDetector.CONGESTED);
    }

    /**
     * A queue at a full link of 40 Gb/s, a frame in 204 ns, with the authors' max(Ton): when a stop
     * ends it falls by 100 kB, is refilled by 9 kB, and stands for 1 ms.
     *
     * @return frames marked, by mark
     */
    private static Map<Integer, Integer> marksOfAStandingQueue(Trend trend, long refilledAtNs) {
        long maxOnNs = 97_000;
        long fallenNs = 60_000;
        long fallBytes = 100_000;
        long refillBytes = 9_000;
        long frameNs = 204;
        TcdDetector detector = detector(trend, maxOnNs);
        detector.released(0, LONG, 300);
        Map<Integer, Integer> marks = new TreeMap<>();
        for (long nowNs = 0; nowNs < refilledAtNs + 1_000_000; nowNs += frameNs) {
            long behindBytes =
                    nowNs < fallenNs
                            ? LONG - fallBytes * nowNs / fallenNs
                            : LONG
                                    - fallBytes
                                    + refillBytes
                                            * Math.min(nowNs - fallenNs, refilledAtNs - fallenNs)
                                            / (refilledAtNs - fallenNs);
            marks.merge(detector.started(nowNs, FRAME, behindBytes), 1, Integer::sum);
        }
        return marks;
    }

    /** A refill in the ON period of a stop is not growth: what stands then is not congested. */
    @ParameterizedTest
    @EnumSource
    void aQueueThatStandsAfterItsRefillIsNotCongested(Trend trend) {
        Map<Integer, Integer> marks = marksOfAStandingQueue(trend, 90_000);
        assertThat(marks.get(Mark.UNDETERMINED)).isEqualTo(97_000 / 204 + 1);
        assertThat(marks.get(Mark.CONGESTION)).isNull();
        assertThat(marks.get(Mark.NONE)).isGreaterThan(1_000_000 / 204 - 100);
    }

    /** And what still grows when that period has passed is. */
    @ParameterizedTest
    @EnumSource
    void aQueueThatGrowsBehindMaxTonIsCongested(Trend trend) {
        Map<Integer, Integer> marks = marksOfAStandingQueue(trend, 560_000);
        assertThat(marks.get(Mark.CONGESTION)).isGreaterThan(1_000_000 / 204);
    }

    @Test
    void whatGrowsBelowItsThresholdIsNotCongestedAndLengthDecides() {
        detector.released(0, LOW + 1, 3);
        starts(1, LOW + 1, Mark.UNDETERMINED, TcdDetector.UNDETERMINED);
        starts(MAX_ON_NS + 1, SHORT, Mark.NONE, TcdDetector.NON_CONGESTED);
        starts(MAX_ON_NS + 2, THRESHOLD + 1, Mark.CONGESTION, TcdDetector.CONGESTED);
    }

    @Test
    void whatWasSeenOfATrendEndsWithTheNextStop() {
        long nowNs = isShorterThanWhenItsStopEnded();
        detector.released(nowNs, LONG + FRAME, 301);
        starts(nowNs, LONG, Mark.UNDETERMINED, TcdDetector.UNDETERMINED);
        starts(nowNs + MAX_ON_NS + 1, LONG + FRAME, Mark.CONGESTION, TcdDetector.CONGESTED);
    }

    /**
     * The first look behind max(Ton) finds it a byte shorter.
     *
     * @return when, with a queue of {@link #LONG}
     */
    private long isShorterThanWhenItsStopEnded() {
        detector.released(0, LONG + 1, 301);
        starts(1, LONG + 1, Mark.UNDETERMINED, TcdDetector.UNDETERMINED);
        starts(MAX_ON_NS + 1, LONG, Mark.NONE, TcdDetector.UNDETERMINED);
        return MAX_ON_NS + 1;
    }

    @Test
    void aStopMakesACongestedPortUndeterminedAndANonCongestedOneToo() {
        starts(0, LONG, Mark.CONGESTION, TcdDetector.CONGESTED);
        detector.released(5, LONG, 300);
        starts(6, LONG, Mark.UNDETERMINED, TcdDetector.UNDETERMINED);
        detector.reset(10);
        assertThat(detector.state).isEqualTo(TcdDetector.NON_CONGESTED);
        starts(11, SHORT, Mark.NONE, TcdDetector.NON_CONGESTED);
        detector.released(12, SHORT, 50);
        starts(13, SHORT, Mark.UNDETERMINED, TcdDetector.UNDETERMINED);
    }

    @Test
    void timesAndTransitionsAreCounted() {
        detector.released(100, LONG, 300);
        starts(100, LONG, Mark.UNDETERMINED, TcdDetector.UNDETERMINED);
        starts(700, LONG, Mark.UNDETERMINED, TcdDetector.UNDETERMINED);
        assertThat(detector.counted(2)).as("undetermined so far").isEqualTo(600);
        starts(101 + MAX_ON_NS, LONG + FRAME, Mark.CONGESTION, TcdDetector.CONGESTED);
        starts(50_000, SHORT, Mark.NONE, TcdDetector.NON_CONGESTED);
        assertThat(detector.counted(0)).isEqualTo(TcdDetector.NON_CONGESTED);
        assertThat(detector.counted(1)).as("transitions").isEqualTo(3);
        assertThat(detector.counted(2)).as("undetermined").isEqualTo(MAX_ON_NS + 1);
        assertThat(detector.counted(3)).as("congested").isEqualTo(50_000 - 101 - MAX_ON_NS);
    }

    /** A detector that takes over has its predecessor's counts, and adds to them. */
    @Test
    void timeIsCountedOnceWhereAnotherTakesOver() {
        detector.released(100, LONG, 300);
        starts(100, LONG, Mark.UNDETERMINED, TcdDetector.UNDETERMINED);
        starts(700, LONG, Mark.UNDETERMINED, TcdDetector.UNDETERMINED);
        TcdDetector next = detector(Trend.PERIOD);
        next.goOnFrom(detector);
        assertThat(next.counted(2)).isZero();
        next.started(900, FRAME, LONG);
        assertThat(detector.counted(2) + next.counted(2)).isEqualTo(800);
    }

    @ParameterizedTest
    @EnumSource
    void whoeverTakesOverKnowsTheTrend(Trend trend) {
        detector = detector(trend);
        long nowNs = isShorterThanWhenItsStopEnded();
        starts(nowNs + MAX_ON_NS / 2, LONG - 5_000, Mark.NONE, TcdDetector.UNDETERMINED);
        TcdDetector next = detector(trend);
        next.goOnFrom(detector);
        assertThat(next.started(nowNs + MAX_ON_NS - 1, FRAME, LONG + 900)).isEqualTo(Mark.NONE);
        assertThat(next.started(nowNs + MAX_ON_NS, FRAME, LONG + 900)).isEqualTo(Mark.CONGESTION);
    }
}
