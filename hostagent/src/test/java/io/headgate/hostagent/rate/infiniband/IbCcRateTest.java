package io.headgate.hostagent.rate.infiniband;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Section;
import io.headgate.dataplane.frame.Cnp;
import io.headgate.hostagent.rate.NotificationPoint;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.Sample;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** At a line of 12 Gb/s. */
class IbCcRateTest {
    private static final long LINE_BPS = 12_000_000_000L;
    private static final int BECN = 1;
    private static final int CNP = 2;
    private static final int PLAIN = 3;

    private static IbCcConfig config(Map<String, ?> keys) {
        return Objects.requireNonNull(
                Section.of(IbCcConfig.class).read(Place.nowhere().saying(keys), Known.NOTHING));
    }

    private static IbCcRate rate(Map<String, ?> keys) {
        IbCcRate rate = new IbCcRate(config(keys));
        rate.begin(0, LINE_BPS, 1_000);
        return rate;
    }

    /**
     * Time in us, what comes (0: nothing, the timer may), and index and rate in Mb/s after it:
     * 12,000 / (1 + index). The timer is 100 us and the limit 5.
     */
    private static final int[][] EVENTS = {
        {10, PLAIN, 0, 12_000}, // no BECN
        {20, BECN, 1, 6_000}, // the timer runs until 120
        {30, BECN, 2, 4_000}, // and goes on
        {40, CNP, 3, 3_000},
        {50, PLAIN, 3, 3_000},
        {119, 0, 3, 3_000},
        {120, 0, 2, 4_000}, // its first end, the next at 220
        {150, BECN, 3, 3_000},
        {160, BECN, 4, 2_400},
        {170, BECN, 5, 2_000},
        {180, BECN, 5, 2_000}, // the limit
        {190, CNP, 5, 2_000},
        {220, 0, 4, 2_400},
        {320, 0, 3, 3_000},
        {419, 0, 3, 3_000},
        {425, 0, 2, 4_000}, // 5 us late: the next end at 525
        {520, 0, 2, 4_000},
        {525, 0, 1, 6_000},
        {600, BECN, 2, 4_000},
        {625, 0, 1, 6_000},
        {725, 0, 0, 12_000}, // the timer rests
        {900, 0, 0, 12_000},
        {950, BECN, 1, 6_000}, // and runs until 1,050
        {1_050, 0, 0, 12_000}
    };

    @Test
    void theIndexFollowsBecnAndTimer() {
        IbCcRate rate = rate(Map.of("ccti-timer", "100us", "ccti-limit", 5));
        Sample sample = new Sample();
        assertThat(EVENTS.length).isGreaterThan(20);
        for (int[] event : EVENTS) {
            long nowNs = event[0] * 1_000L;
            switch (event[1]) {
                case BECN, PLAIN -> {
                    int marks = event[1] == BECN ? RateControl.MARKED_CE : RateControl.MARKED_UE;
                    rate.acknowledged(nowNs, sample.set(0, 0, marks, Sample.NOT_TIMED));
                }
                case CNP ->
                        assertThat(rate.notified(nowNs, Cnp.KIND, 1, RateControl.MARKED_CE))
                                .isTrue();
                default -> {
                    if (rate.deadlineNs() <= nowNs) {
                        rate.tick(nowNs);
                    }
                }
            }
            assertThat(rate.ccti()).as("at %s us", event[0]).isEqualTo(event[2]);
            assertThat(rate.rateBps()).isEqualTo(event[3] * 1_000_000L);
        }
        assertThat(rate.isIdle()).isTrue();
    }

    @Test
    void anythingButABecnIsIgnored() {
        IbCcRate rate = rate(Map.of());
        assertThat(rate.notified(0, Cnp.KIND, 1, RateControl.MARKED_UE)).isFalse();
        assertThat(rate.notified(0, 1, 1, RateControl.MARKED_CE)).isFalse();
        assertThat(rate.rateBps()).isEqualTo(LINE_BPS);
        assertThat(rate.tick(1_000_000_000)).isZero();
    }

    /** The line's rate over 1 + multiplier / 2^shift. */
    @Test
    void theRateOfEachIndexIsThatOfItsEntry() {
        for (int index = 0; index <= 127; index++) {
            assertThat(rate(Map.of("ccti-min", index)).rateBps())
                    .as("linear, %s", index)
                    .isEqualTo((long) (LINE_BPS / (1.0 + index)));
            assertThat(rate(Map.of("ccti-min", index, "step", 3, "shift", 2)).rateBps())
                    .as("by three quarters, %s", index)
                    .isEqualTo((long) (LINE_BPS / (1 + 0.75 * index)));
        }
        double[] psm = {0, 0.125, 0.25, 0.5, 1, 0.25, 0.5, 1, 2, 0.375};
        for (int index = 0; index < psm.length; index++) {
            assertThat(rate(Map.of("ccti-min", index, "table", "psm")).rateBps())
                    .as("psm, %s", index)
                    .isEqualTo((long) (LINE_BPS / (1 + psm[index])));
        }
        assertThat(config(Map.of("step", 128)).entry(16_383)).isEqualTo(0x3FFF);
    }

    @Test
    void receiversTellByAcknowledgementsOrByPackets() {
        IbCc mechanism = new IbCc();
        IbCcConfig usual = config(Map.of());
        assertThat(mechanism.readsFecn()).isTrue();
        assertThat(mechanism.ackEvery(usual)).isEqualTo(1);
        assertThat(mechanism.noticePeriodNs(usual)).isZero();
        assertThat(mechanism.notificationPoint(usual)).isSameAs(NotificationPoint.ECHO);
        IbCcConfig packets = config(Map.of("becn", "packet"));
        NotificationPoint point = mechanism.notificationPoint(packets);
        assertThat(point.sendsPackets()).isTrue();
        assertThat(point.arrived(0, RateControl.MARKED_CE, 1_000)).isEqualTo(RateControl.MARKED_CE);
        assertThat(point.arrived(0, 0, 1_000)).isZero();
        assertThat(mechanism.noticePeriodNs(packets)).isPositive();
    }
}
