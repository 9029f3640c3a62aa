package io.headgate.hostagent.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.config.Mechanisms;
import io.headgate.dataplane.frame.Cnp;
import io.headgate.dataplane.frame.RoccNotice;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** DCQCN's update rules, against sequences of events worked out by hand. */
class DcqcnReactionTest {
    private static final long GBPS = 1_000_000_000L;
    private static final long LINE_BPS = 100 * GBPS;
    private static final int BYTES = 1_000_000;
    private static final long ORIGIN = 7;
    private static final Offset<Double> NEAR = within(1e-8);

    /** g = 1/4, F = 2, R_AI = 1 Gb/s, R_HAI = 4 Gb/s, timers of 50 and 55 us, counter of 1 MB. */
    private static DcqcnConfig keys(DcqcnConfig.HyperSteps steps) {
        return keys(0, DcqcnConfig.Target.CUT, DcqcnConfig.Hyper.BOTH, steps);
    }

    private static DcqcnConfig keys(
            long cutIntervalNs,
            DcqcnConfig.Target target,
            DcqcnConfig.Hyper hyper,
            DcqcnConfig.HyperSteps steps) {
        return new DcqcnConfig(
                DcqcnConfig.Parameters.PUBLISHED,
                0.25,
                1,
                DcqcnConfig.Notify.SILENT,
                50_000,
                cutIntervalNs,
                target,
                50_000,
                55_000,
                BYTES,
                2,
                GBPS,
                hyper,
                4 * GBPS,
                steps,
                100_000_000);
    }

    private final DcqcnReaction flow = begun(keys(DcqcnConfig.HyperSteps.GROWING));

    private static DcqcnReaction begun(DcqcnConfig keys) {
        DcqcnReaction flow = new DcqcnReaction(keys);
        flow.begin(0, LINE_BPS, 1000);
        return flow;
    }

    private static void happens(DcqcnReaction flow, String event, long nowNs) {
        switch (event) {
            case "CE" ->
                    assertThat(flow.notified(nowNs, Cnp.KIND, ORIGIN, RateControl.MARKED_CE))
                            .isTrue();
            case "UE" ->
                    assertThat(flow.notified(nowNs, Cnp.KIND, ORIGIN, RateControl.MARKED_UE))
                            .isTrue();
            case "bytes" -> {
                flow.sent(nowNs, BYTES / 2);
                flow.sent(nowNs, BYTES / 2);
            }
            default -> {
                assertThat(flow.deadlineNs()).as("%s at %d ns", event, nowNs).isEqualTo(nowNs);
                flow.tick(nowNs);
            }
        }
    }

    private static void is(
            DcqcnReaction flow, String row, double gbps, double target, double alpha) {
        assertThat(flow.rateBps() / 1e9).as("current rate after %s", row).isCloseTo(gbps, NEAR);
        assertThat(flow.targetBps / 1e9).as("target after %s", row).isCloseTo(target, NEAR);
        assertThat(flow.alpha).as("alpha after %s", row).isCloseTo(alpha, NEAR);
    }

    @Test
    void eachRuleIsAsWorkedOutByHandForTwentyEvents() {
        // Event, time in us, and then: current rate and target in Gb/s, alpha.
        String worked =
                """
                CE    0   50                     100              1
                alpha 50  50                     100              0.75
                timer 55  75                     100              0.75
                bytes 56  87.5                   100              0.75
                CE    60  54.6875                87.5             0.8125
                bytes 70  71.09375               87.5             0.8125
                bytes 80  79.796875              88.5             0.8125
                alpha 110 79.796875              88.5             0.609375
                timer 115 84.6484375             89.5             0.609375
                alpha 160 84.6484375             89.5             0.45703125
                timer 170 87.57421875            90.5             0.45703125
                bytes 180 89.537109375           91.5             0.45703125
                alpha 210 89.537109375           91.5             0.3427734375
                timer 225 92.5185546875          95.5             0.3427734375
                bytes 226 96.00927734375         99.5             0.3427734375
                UE    230 96.00927734375         96.00927734375   0.3427734375
                bytes 240 96.00927734375         96.00927734375   0.3427734375
                alpha 280 96.00927734375         96.00927734375   0.257080078125
                timer 285 96.00927734375         96.00927734375   0.257080078125
                CE    290 83.668241083621978     96.00927734375   0.44281005859375
                """;
        assertThat(worked.lines()).hasSize(20);
        worked.lines()
                .forEach(row -> {
                    String[] cells = row.split(" +");
                    happens(flow, cells[0], Long.parseLong(cells[1]) * 1000);
                    is(
                            flow,
                            row,
                            Double.parseDouble(cells[2]),
                            Double.parseDouble(cells[3]),
                            Double.parseDouble(cells[4]));
                });
    }

    @Test
    void aFlowIsNotLimitedBeforeItsFirstNotificationNorTimed() {
        assertThat(flow.rateBps()).isEqualTo(LINE_BPS);
        happens(flow, "bytes", 10);
        happens(flow, "UE", 20);
        is(flow, "UE", 100, 100, 1);
        assertThat(flow.isIdle()).isTrue();
        happens(flow, "CE", 30);
        assertThat(flow.isIdle()).isFalse();
    }

    /** Two notifications without a step of recovery between them, and a third one after a step. */
    @Test
    void theTargetIsKeptThroughCutsThatFollowEachOther() {
        DcqcnReaction kept =
                begun(
                        keys(
                                0,
                                DcqcnConfig.Target.KEPT,
                                DcqcnConfig.Hyper.BOTH,
                                DcqcnConfig.HyperSteps.GROWING));
        for (DcqcnReaction each : new DcqcnReaction[] {flow, kept}) {
            happens(each, "CE", 0);
            happens(each, "CE", 10_000);
        }
        is(flow, "two cuts", 25, 50, 1);
        is(kept, "two cuts", 25, 100, 1);
        for (DcqcnReaction each : new DcqcnReaction[] {flow, kept}) {
            each.tick(65_000);
            happens(each, "CE", 70_000);
        }
        // By then alpha has fallen to 3/4 once; the rate had come half way to its target.
        is(flow, "a step and a cut", 37.5 * 0.625, 37.5, 0.8125);
        is(kept, "a step and a cut", 62.5 * 0.625, 62.5, 0.8125);
        happens(kept, "bytes", 80_000);
        happens(kept, "CE", 80_000);
        assertThat(kept.targetBps / 1e9).isCloseTo((62.5 * 0.625 + 62.5) / 2, NEAR);
    }

    @Test
    void hyperIncreaseGoesByTheTimerAloneWhereItIsSaid() {
        DcqcnReaction byTimer =
                begun(
                        keys(
                                0,
                                DcqcnConfig.Target.CUT,
                                DcqcnConfig.Hyper.TIMER,
                                DcqcnConfig.HyperSteps.EQUAL));
        for (DcqcnReaction each : new DcqcnReaction[] {flow, byTimer}) {
            for (int i = 0; i < 7; i++) {
                happens(each, "CE", 0);
            }
            for (int i = 1; i <= 4; i++) {
                each.tick(55_000L * i);
            }
        }
        // Steps 1 (fast recovery) and 2 (additive) are those of both; then come two more.
        assertThat(flow.targetBps / 1e9).isCloseTo(100.0 / 64 + 3 * 1, NEAR);
        assertThat(byTimer.targetBps / 1e9).isCloseTo(100.0 / 64 + 1 + 2 * 4, NEAR);
    }

    /** Alpha's clock ticks each 50 us, the other one each 20 us, from the first notification on. */
    @Test
    void notificationsAreCollectedWhereCutsHaveAnInterval() {
        DcqcnReaction card =
                begun(
                        keys(
                                20_000,
                                DcqcnConfig.Target.KEPT,
                                DcqcnConfig.Hyper.TIMER,
                                DcqcnConfig.HyperSteps.EQUAL));
        happens(card, "CE", 1_000);
        happens(card, "CE", 2_000);
        is(card, "none is due yet", 100, 100, 1);
        happens(card, "cut", 21_000);
        is(card, "two notifications, one cut", 50, 100, 1);
        assertThat(card.deadlineNs()).as("no cut is wanted: alpha is next").isEqualTo(51_000);
        happens(card, "alpha", 51_000);
        is(card, "the second one counts for alpha", 50, 100, 1);
        happens(card, "CE", 75_000);
        assertThat(card.deadlineNs()).as("the next timer").isEqualTo(76_000);
        happens(card, "timer", 76_000);
        happens(card, "cut", 81_000);
        is(card, "a step, then a cut", 37.5, 75, 1);
        happens(card, "alpha", 101_000);
        happens(card, "timer", 136_000);
        happens(card, "alpha", 151_000);
        is(card, "an interval without", 56.25, 75, 0.75);
        happens(card, "UE", 152_000);
        assertThat(card.targetBps / 1e9).isCloseTo(56.25, NEAR);
        assertThat(card.deadlineNs()).isEqualTo(202_000);
    }

    /** A counter that expires before the first cut would take the flow for one at full rate. */
    @Test
    void aCutThatIsCollectedIsNotForgottenAtTheLinesRate() {
        DcqcnReaction card =
                begun(
                        keys(
                                20_000,
                                DcqcnConfig.Target.CUT,
                                DcqcnConfig.Hyper.BOTH,
                                DcqcnConfig.HyperSteps.GROWING));
        happens(card, "CE", 0);
        happens(card, "bytes", 10_000);
        happens(card, "cut", 20_000);
        is(card, "the cut", 50, 100, 1);
    }

    @Test
    void hyperIncreaseGrowsByTheStepOrStaysAsItIsSaid() {
        DcqcnReaction equal = begun(keys(DcqcnConfig.HyperSteps.EQUAL));
        for (DcqcnReaction each : new DcqcnReaction[] {flow, equal}) {
            // Seven cuts by half: under 1 Gb/s, so that no target reaches the line's rate.
            for (int i = 0; i < 7; i++) {
                happens(each, "CE", 0);
            }
            for (int i = 1; i <= 4; i++) {
                each.tick(55_000L * i);
                happens(each, "bytes", 55_000L * i);
            }
        }
        // T and BC are 1 and 0, 1 and 1 (fast recovery), 2 and 1, 2 and 2, 3 and 2 (additive), 3
        // and 3, 4 and 3, 4 and 4 (hyper increase, the smaller less F being 1, 1 and 2).
        double target = 100.0 / 64;
        assertThat(equal.targetBps / 1e9).isCloseTo(target + 3 * 1 + 3 * 4, NEAR);
        assertThat(flow.targetBps / 1e9).isCloseTo(target + 3 * 1 + (1 + 1 + 2) * 4, NEAR);
    }

    @Test
    void whatComesBackToTheLinesRateIsTimedNoMoreAndItsAlphaFallsAllTheSame() {
        happens(flow, "CE", 0);
        long nowNs = 0;
        while (flow.deadlineNs() != Long.MAX_VALUE) {
            nowNs = flow.deadlineNs();
            flow.tick(nowNs);
            assertThat(nowNs).isLessThan(10_000_000);
        }
        assertThat(flow.rateBps()).isEqualTo(LINE_BPS);
        long expiries = nowNs / 50_000;
        double expected = StrictMath.pow(0.75, (double) expiries);
        assertThat(flow.alpha).isCloseTo(expected, NEAR);
        long laterNs = (expiries + 10) * 50_000 + 1;
        happens(flow, "CE", laterNs);
        double alpha = expected * StrictMath.pow(0.75, 10);
        is(flow, "the second cut", 100 * (1 - alpha / 2), 100, 0.75 * alpha + 0.25);
    }

    @Test
    void noCutGoesBelowTheLeastRate() {
        for (int i = 0; i < 100; i++) {
            happens(flow, "CE", i);
        }
        assertThat(flow.rateBps()).isEqualTo(100_000_000);
        DcqcnReaction slowest = begun(DcqcnConfig.of(DcqcnConfig.Parameters.DISSERTATION));
        for (int i = 0; i < 100; i++) {
            happens(slowest, "CE", i);
        }
        assertThat(slowest.rateBps()).isEqualTo(LINE_BPS / 4000);
    }

    @Test
    void aLateTimerExpiresOnce() {
        happens(flow, "CE", 0);
        flow.tick(1_000_000);
        is(flow, "one expiry of each", 75, 100, 0.75);
        assertThat(flow.deadlineNs()).isEqualTo(1_050_000);
    }

    @Test
    void whatIsNoNotificationOfMarksIsIgnored() {
        assertThat(flow.notified(0, RoccNotice.kind(3), ORIGIN, RateControl.MARKED_CE)).isFalse();
        assertThat(flow.notified(0, Cnp.KIND, ORIGIN, 0)).isFalse();
        assertThat(flow.notified(0, Cnp.KIND, ORIGIN, 1L << 40)).isFalse();
        assertThat(flow.rateBps()).isEqualTo(LINE_BPS);
    }

    @Test
    void theSetsOfParametersAreThoseOfTheirSources() {
        DcqcnConfig zhu = DcqcnConfig.of(DcqcnConfig.Parameters.PUBLISHED);
        assertThat(zhu)
                .isEqualTo(
                        new DcqcnConfig(
                                DcqcnConfig.Parameters.PUBLISHED,
                                1 / 256.0,
                                1,
                                DcqcnConfig.Notify.SILENT,
                                50_000,
                                0,
                                DcqcnConfig.Target.CUT,
                                55_000,
                                55_000,
                                10_000_000,
                                5,
                                40_000_000,
                                DcqcnConfig.Hyper.BOTH,
                                200_000_000,
                                DcqcnConfig.HyperSteps.GROWING,
                                100_000_000));
        DcqcnConfig dissertation = DcqcnConfig.of(DcqcnConfig.Parameters.DISSERTATION);
        assertThat(dissertation.additiveBps()).isEqualTo(4_000_000);
        assertThat(dissertation.hyperBps()).isEqualTo(400_000_000);
        assertThat(dissertation.hyperSteps()).isEqualTo(DcqcnConfig.HyperSteps.EQUAL);
        assertThat(dissertation.alphaTimerNs()).isEqualTo(53_000);
        assertThat(dissertation.cnp()).isEqualTo(DcqcnConfig.Notify.SLOTTED);
    }

    @Test
    void aSlowerRunHasLongerTimesAndSmallerRates() {
        Mechanisms.Use slower =
                new Dcqcn().use(DcqcnConfig.of(DcqcnConfig.Parameters.PUBLISHED)).scaled(10);
        DcqcnConfig keys = new Dcqcn().of(slower);
        assertThat(keys.cnpIntervalNs()).isEqualTo(500_000);
        assertThat(keys.alphaTimerNs()).isEqualTo(550_000);
        assertThat(keys.increaseTimerNs()).isEqualTo(550_000);
        assertThat(keys.additiveBps()).isEqualTo(4_000_000);
        assertThat(keys.hyperBps()).isEqualTo(20_000_000);
        assertThat(keys.leastRateBps()).isEqualTo(10_000_000);
        assertThat(keys.byteCounterBytes()).isEqualTo(10_000_000);
        assertThat(keys.gain()).isEqualTo(1 / 256.0);
    }
}
