package io.headgate.hostagent.rate.qcn;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Section;
import io.headgate.dataplane.frame.Cnm;
import io.headgate.dataplane.frame.Cnp;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** At a line of 10 Gb/s: cycles of 150 kB and 10 ms, half of that after fast recovery. */
class QcnReactionTest {
    private static final long LINE_BPS = 10_000_000_000L;
    private static final int FEEDBACK = 0;
    private static final int BYTES = 1;
    private static final int TIME = 2;
    private static final int FRAME = 1_500;

    private final QcnReaction rate = new QcnReaction(config());
    private int byteCycles;
    private long nowNs;

    private static QcnControlConfig config() {
        return Objects.requireNonNull(
                Section.of(QcnControlConfig.class)
                        .read(Place.nowhere().saying(Map.of()), Known.NOTHING));
    }

    QcnReactionTest() {
        rate.begin(0, LINE_BPS, FRAME);
    }

    /**
     * Feedback and its steps, or the end of a cycle of bytes or of the timer; then target and
     * current rate in kb/s. The comments have the cycles of either since the cut, and how the two
     * follow, in Mb/s.
     */
    private static final int[][] EVENTS = {
        {FEEDBACK, 32, 10000000, 7500000}, // RT = RC; 10000.0 x (1 - 32 / 128)
        {BYTES, 0, 10000000, 8750000}, // 1, 0: RT; (7500.0 + 10000.0) / 2
        {BYTES, 0, 10000000, 9375000}, // 2, 0: RT; (8750.0 + 10000.0) / 2
        {TIME, 0, 10000000, 9687500}, // 2, 1: RT; (9375.0 + 10000.0) / 2
        {BYTES, 0, 10000000, 9843750}, // 3, 1: RT; (9687.5 + 10000.0) / 2
        {FEEDBACK, 16, 9843750, 8613281}, // RT = RC; 9843.8 x (1 - 16 / 128)
        {FEEDBACK, 16, 9843750, 7536621}, // 8613.3 x (1 - 16 / 128)
        {BYTES, 0, 9843750, 8690185}, // 1, 0: RT; (7536.6 + 9843.8) / 2
        {TIME, 0, 9843750, 9266967}, // 1, 1: RT; (8690.2 + 9843.8) / 2
        {BYTES, 0, 9843750, 9555358}, // 2, 1: RT; (9267.0 + 9843.8) / 2
        {BYTES, 0, 9843750, 9699554}, // 3, 1: RT; (9555.4 + 9843.8) / 2
        {BYTES, 0, 9843750, 9771652}, // 4, 1: RT; (9699.6 + 9843.8) / 2
        {BYTES, 0, 9843750, 9807701}, // 5, 1: RT; (9771.7 + 9843.8) / 2
        {BYTES, 0, 9848750, 9828225}, // 6, 1: RT + 5; (9807.7 + 9848.8) / 2
        {TIME, 0, 9853750, 9840987}, // 6, 2: RT + 5; (9828.2 + 9853.8) / 2
        {TIME, 0, 9858750, 9849868}, // 6, 3: RT + 5; (9841.0 + 9858.8) / 2
        {TIME, 0, 9863750, 9856809}, // 6, 4: RT + 5; (9849.9 + 9863.8) / 2
        {TIME, 0, 9868750, 9862779}, // 6, 5: RT + 5; (9856.8 + 9868.8) / 2
        {TIME, 0, 9918750, 9890764}, // 6, 6: RT + 50 x 1; (9862.8 + 9918.8) / 2
        {TIME, 0, 9968750, 9929757}, // 6, 7: RT + 50 x 1; (9890.8 + 9968.8) / 2
        {FEEDBACK, 63, 9929757, 5042454}, // RT = RC; 9929.8 x (1 - 63 / 128)
        {FEEDBACK, 63, 9929757, 2560621}, // 5042.5 x (1 - 63 / 128)
        {FEEDBACK, 63, 9929757, 1300315}, // 2560.6 x (1 - 63 / 128)
        {FEEDBACK, 63, 9929757, 660316}, // 1300.3 x (1 - 63 / 128)
        {FEEDBACK, 63, 9929757, 335317}, // 660.3 x (1 - 63 / 128)
        {BYTES, 0, 1241219, 788268}, // 1, 0: RT / 8; (335.3 + 1241.2) / 2
        {TIME, 0, 1241219, 1014744}, // 1, 1: RT; (788.3 + 1241.2) / 2
        {FEEDBACK, 8, 1014744, 951322}, // RT = RC; 1014.7 x (1 - 8 / 128)
        {BYTES, 0, 1014744, 983033}, // 1, 0: RT; (951.3 + 1014.7) / 2
        {FEEDBACK, 64, 1014744, 983033}, // makes no sense
        {FEEDBACK, 0, 1014744, 983033} // makes no sense
    };

    @Test
    void followsThePseudoCode() {
        assertThat(EVENTS.length).isGreaterThan(20);
        for (int i = 0; i < EVENTS.length; i++) {
            int[] event = EVENTS[i];
            switch (event[0]) {
                case FEEDBACK -> {
                    boolean makesSense = event[1] > 0 && event[1] <= Cnm.MOST_FEEDBACK;
                    assertThat(rate.notified(nowNs, Cnm.KIND, 1, event[1])).isEqualTo(makesSense);
                    byteCycles = makesSense ? 0 : byteCycles;
                }
                case BYTES -> {
                    int frames = byteCycles++ < 5 ? 100 : 50;
                    long before = rate.rateBps();
                    for (int frame = 1; frame < frames; frame++) {
                        rate.sent(nowNs, FRAME);
                    }
                    assertThat(rate.rateBps()).isEqualTo(before);
                    rate.sent(nowNs, FRAME);
                }
                default -> {
                    nowNs = rate.deadlineNs();
                    assertThat(rate.tick(nowNs)).isEqualTo(1);
                }
            }
            assertThat((long) rate.targetBps() / 1_000).as("RT, %s", i).isEqualTo(event[2]);
            assertThat(rate.rateBps() / 1_000).as("RC, %s", i).isEqualTo(event[3]);
        }
    }

    @Test
    void theTimerIsHalfAsLongAfterFastRecoveryAndRestsAtTheLinesRate() {
        rate.notified(1_000, Cnm.KIND, 1, 2);
        assertThat(rate.deadlineNs()).isEqualTo(10_001_000);
        int cycles = 0;
        for (long lastNs = 1_000; rate.deadlineNs() != Long.MAX_VALUE; cycles++) {
            long dueNs = rate.deadlineNs();
            assertThat(dueNs - lastNs).isEqualTo(cycles < 5 ? 10_000_000 : 5_000_000);
            rate.tick(dueNs);
            lastNs = dueNs;
        }
        assertThat(cycles).isBetween(5, 40);
        assertThat(rate.rateBps()).isEqualTo(LINE_BPS);
        assertThat(rate.notified(0, Cnp.KIND, 1, 2)).isFalse();
    }
}
