package io.headgate.hostagent.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LipdRateTest {
    private static final long LINE_BPS = 8_000_000_000L;
    private static final int PACKET_BYTES = 2068;
    private static final int MOST = 256;

    private final LipdRate rate = begun();
    private final Sample sample = new Sample();

    private static LipdRate begun() {
        LipdRate rate = new LipdRate(MOST);
        rate.begin(0, LINE_BPS, PACKET_BYTES);
        return rate;
    }

    private void acknowledged(int packets, int marks) {
        for (int i = 0; i < packets; i++) {
            rate.acknowledged(0, sample.set(0, 0, marks, Sample.NOT_TIMED));
        }
    }

    @Test
    void itBeginsAtTheLineRateWithAWindowOfOnePacket() {
        assertThat(rate.rateBps()).isEqualTo(LINE_BPS);
        assertThat(rate.windowBytes()).isEqualTo(PACKET_BYTES);
    }

    @Test
    void eachMarkMakesTheDelayOnePacketLonger() {
        acknowledged(1, RateControl.MARKED_CE);
        assertThat(rate.rateBps()).isEqualTo(LINE_BPS / 2);
        acknowledged(1, RateControl.MARKED_CE);
        assertThat((double) rate.rateBps()).isCloseTo(LINE_BPS / 3.0, within(1.0));
        acknowledged(1000, RateControl.MARKED_CE);
        assertThat(rate.rateBps()).as("the least").isEqualTo(LINE_BPS / MOST);
    }

    /** F(t) of the papers: 1 / F falls linearly, so that any rate makes up for a mark at once. */
    @Test
    void whatAMarkTakesComesBackInTheSameTimeAtAnyRate() {
        for (int marks : new int[] {8, 32, 128}) {
            acknowledged(1000, RateControl.MARKED_CE);
            while (rate.rateBps() < LINE_BPS / marks) {
                acknowledged(1, 0);
            }
            double delay = (double) LINE_BPS / rate.rateBps();
            double packetTimes = 0;
            while ((double) LINE_BPS / rate.rateBps() > delay - 1) {
                packetTimes += (double) LINE_BPS / rate.rateBps();
                acknowledged(1, 0);
            }
            assertThat(packetTimes).as("from a delay of %s", delay).isBetween(200.0, 400.0);
        }
    }

    @Test
    void withoutMarksItIsTheLineRateAgain() {
        acknowledged(5, RateControl.MARKED_CE);
        acknowledged(2000, 0);
        assertThat(rate.rateBps()).isEqualTo(LINE_BPS);
        assertThat(rate.isIdle()).isTrue();
    }

    @Test
    void anUndeterminedPortIsNoReasonToSlowDown() {
        acknowledged(1, RateControl.MARKED_UE);
        assertThat(rate.rateBps()).isEqualTo(LINE_BPS);
    }
}
