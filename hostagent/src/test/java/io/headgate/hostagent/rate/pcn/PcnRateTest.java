package io.headgate.hostagent.rate.pcn;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Section;
import io.headgate.dataplane.frame.Cnp;
import io.headgate.hostagent.rate.NotificationPoint;
import io.headgate.hostagent.rate.RateControl;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** At a line of 10 Gb/s, with the published parameters. */
class PcnRateTest {
    private static final long LINE_BPS = 10_000_000_000L;
    private static final int PERIOD_NS = 50_000;
    private static final int CE = RateControl.MARKED_CE;

    private final PcnRate rate = new PcnRate(config());
    private final PcnNotification point = new PcnNotification(PERIOD_NS, 0.95);

    private static PcnControlConfig config() {
        return Objects.requireNonNull(
                Section.of(PcnControlConfig.class)
                        .read(Place.nowhere().saying(Map.of()), Known.NOTHING));
    }

    PcnRateTest() {
        rate.begin(0, LINE_BPS, 1_000);
    }

    /**
     * Rates of arrival in Mb/s that the sender receives, 0: a period without, and the rate in kb/s
     * after.
     */
    private static final int[][] EVENTS = {
        {0, 10000000}, // the line
        {8000, 7937500}, // min(10000.0, 8000 x 127 / 128)
        {0, 7953613}, // 7937.5 x (1 - 0.007812) + 10000 x 0.007812
        {0, 7977469}, // 7953.6 x (1 - 0.01166) + 10000 x 0.01166
        {0, 8012561}, // 7977.5 x (1 - 0.01735) + 10000 x 0.01735
        {0, 8063688}, // 8012.6 x (1 - 0.02572) + 10000 x 0.02572
        {0, 8137124}, // 8063.7 x (1 - 0.03793) + 10000 x 0.03793
        {0, 8240421}, // 8137.1 x (1 - 0.05545) + 10000 x 0.05545
        {0, 8381364}, // 8240.4 x (1 - 0.0801) + 10000 x 0.0801
        {0, 8565459}, // 8381.4 x (1 - 0.1137) + 10000 x 0.1137
        {0, 8791638}, // 8565.5 x (1 - 0.1577) + 10000 x 0.1577
        {0, 9047376}, // 8791.6 x (1 - 0.2116) + 10000 x 0.2116
        {9000, 8929687}, // min(9047.4, 9000 x 127 / 128)
        {20000, 8929687}, // min(8929.7, 20000 x 127 / 128)
        {0, 8938049}, // 8929.7 x (1 - 0.007812) + 10000 x 0.007812
        {0, 8950429}, // 8938.0 x (1 - 0.01166) + 10000 x 0.01166
        {5000, 4960937}, // min(8950.4, 5000 x 127 / 128)
        {6000, 4960937}, // min(4960.9, 6000 x 127 / 128)
        {0, 5000305}, // 4960.9 x (1 - 0.007812) + 10000 x 0.007812
        {0, 5058590}, // 5000.3 x (1 - 0.01166) + 10000 x 0.01166
        {0, 5144326}, // 5058.6 x (1 - 0.01735) + 10000 x 0.01735
        {0, 5269238}, // 5144.3 x (1 - 0.02572) + 10000 x 0.02572
        {0, 5448656}, // 5269.2 x (1 - 0.03793) + 10000 x 0.03793
        {0, 5701028}, // 5448.7 x (1 - 0.05545) + 10000 x 0.05545
        {0, 6045378}, // 5701.0 x (1 - 0.0801) + 10000 x 0.0801
        {0, 6495156}, // 6045.4 x (1 - 0.1137) + 10000 x 0.1137
        {0, 7047752}, // 6495.2 x (1 - 0.1577) + 10000 x 0.1577
        {0, 7672568}, // 7047.8 x (1 - 0.2116) + 10000 x 0.2116
        {0, 8307188}, // 7672.6 x (1 - 0.2727) + 10000 x 0.2727
        {0, 8873697}, // 8307.2 x (1 - 0.3347) + 10000 x 0.3347
        {0, 9312942}, // 8873.7 x (1 - 0.39) + 10000 x 0.39
        {0, 9610364}, // 9312.9 x (1 - 0.4329) + 10000 x 0.4329
        {0, 9790353}, // 9610.4 x (1 - 0.4619) + 10000 x 0.4619
        {0, 9890883}, // 9790.4 x (1 - 0.4795) + 10000 x 0.4795
        {0, 9944279}, // 9890.9 x (1 - 0.4893) + 10000 x 0.4893
        {0, 9971836}, // 9944.3 x (1 - 0.4946) + 10000 x 0.4946
        {0, 9985840}, // 9971.8 x (1 - 0.4972) + 10000 x 0.4972
        {0, 10000000}, // 9985.8 x (1 - 0.4986) + 10000 x 0.4986: the line
        {0, 10000000}, // the line
        {0, 10000000}, // the line
        {0, 10000000} // the line
    };

    @Test
    void takesTheRateOfArrivalAndGrowsEverFaster() {
        assertThat(EVENTS.length).isGreaterThan(20);
        long nowNs = 0;
        for (int i = 0; i < EVENTS.length; i++) {
            int[] event = EVENTS[i];
            if (event[0] > 0) {
                nowNs += PERIOD_NS / 2;
                assertThat(told(nowNs, event[0] * 1_000_000L)).isTrue();
            } else if (rate.deadlineNs() != Long.MAX_VALUE) {
                assertThat(rate.deadlineNs()).isEqualTo(nowNs + PERIOD_NS);
                nowNs += PERIOD_NS;
                rate.tick(nowNs);
            }
            assertThat(rate.rateBps() / 1_000).as("event %s", i).isEqualTo(event[1]);
        }
        assertThat(rate.isIdle()).isTrue();
    }

    private boolean told(long nowNs, long arrivedBps) {
        return rate.notified(nowNs, Cnp.KIND, 1, NotificationPoint.value(CE, arrivedBps));
    }

    @Test
    void whatMakesNoSenseIsIgnored() {
        assertThat(told(0, 0)).isFalse();
        assertThat(told(0, -1)).isFalse();
        assertThat(rate.notified(0, Cnp.KIND, 1, NotificationPoint.value(0, 1_000_000))).isFalse();
        assertThat(rate.notified(0, 1, 1, NotificationPoint.value(CE, 1_000_000))).isFalse();
        assertThat(rate.rateBps()).isEqualTo(LINE_BPS);
        assertThat(told(0, Long.MAX_VALUE)).isTrue();
        assertThat(rate.rateBps()).isEqualTo(LINE_BPS);
        assertThat(rate.isIdle()).isTrue();
        assertThat(told(0, 1_000)).isTrue();
        assertThat(rate.rateBps()).as("the least").isEqualTo(10_000_000);
    }

    /** Twenty frames of 1,000 bytes in 50 us are 3.2 Gb/s. */
    @Test
    void tellsTheRateOfAPeriodOfWhichNineteenOfTwentyFramesAreMarked() {
        period(0, 20, 18);
        assertThat(point.tick(PERIOD_NS)).isZero();
        period(PERIOD_NS, 20, 19);
        assertThat(point.tick(2 * PERIOD_NS)).isEqualTo(CE);
        assertThat(point.arrivedBps()).isEqualTo(3_200_000_000L);
        period(2 * PERIOD_NS, 10, 10);
        assertThat(point.tick(4 * PERIOD_NS)).as("late by a period").isEqualTo(CE);
        assertThat(point.arrivedBps()).isEqualTo(800_000_000L);
        assertThat(point.tick(5 * PERIOD_NS)).as("without a frame").isZero();
        assertThat(point.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(point.arrived(7 * PERIOD_NS, 0, 1_000)).isZero();
        assertThat(point.deadlineNs()).isEqualTo(8 * PERIOD_NS);
    }

    private void period(long fromNs, int frames, int marked) {
        for (int i = 0; i < frames; i++) {
            int marks = i < marked ? CE : RateControl.MARKED_UE;
            assertThat(point.arrived(fromNs + i, marks, 1_000)).isZero();
        }
    }
}
