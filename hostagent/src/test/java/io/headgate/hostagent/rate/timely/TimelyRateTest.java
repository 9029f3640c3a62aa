package io.headgate.hostagent.rate.timely;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Section;
import io.headgate.hostagent.rate.Sample;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** At a line of 10 Gb/s, with the published parameters. */
class TimelyRateTest {
    private static final long LINE_BPS = 10_000_000_000L;
    private static final int FRAME = 1_000;

    private final Sample sample = new Sample();

    private static TimelyRate rate(String rules) {
        Map<String, String> keys = Map.of("rules", rules);
        TimelyConfig config =
                Section.of(TimelyConfig.class).read(Place.nowhere().saying(keys), Known.NOTHING);
        TimelyRate rate = new TimelyRate(Objects.requireNonNull(config));
        rate.begin(0, LINE_BPS, FRAME);
        return rate;
    }

    /**
     * Round trips in us, and the rate after each in kb/s. The comments have the average difference
     * d in us, and how the rate follows from the one before, in Mb/s. A gradient is d / 20.
     */
    private static final int[][] PUBLISHED = {
        {40, 10000000}, // noted
        {60, 3000000}, // d = (0 + 7 x 20) / 8 = 17.5: x (1 - 0.8 x 0.875)
        {64, 2317500}, // d = (17.5 + 7 x 4) / 8 = 5.688: x (1 - 0.8 x 0.2844)
        {62, 2327500}, // d = (5.688 + 7 x -2) / 8 = -1.039; 1 in a row: + 10
        {60, 2337500}, // d = (-1.039 + 7 x -2) / 8 = -1.88; 2 in a row: + 10
        {58, 2347500}, // d = (-1.88 + 7 x -2) / 8 = -1.985; 3 in a row: + 10
        {56, 2357500}, // d = (-1.985 + 7 x -2) / 8 = -1.998; 4 in a row: + 10
        {54, 2367500}, // d = (-1.998 + 7 x -2) / 8 = -2; 5 in a row: + 10
        {52, 2417500}, // d = (-2 + 7 x -2) / 8 = -2; 6 in a row: + 50
        {51, 2467500}, // d = (-2 + 7 x -1) / 8 = -1.125; 7 in a row: + 50
        {45, 2477500}, // d = (-1.125 + 7 x -6) / 8 = -5.391; < t-low: + 10
        {40, 2487500}, // d = (-5.391 + 7 x -5) / 8 = -5.049; < t-low: + 10
        {55, 1244357}, // d = (-5.049 + 7 x 15) / 8 = 12.49: x (1 - 0.8 x 0.6247)
        {70, 513335}, // d = (12.49 + 7 x 15) / 8 = 14.69: x (1 - 0.8 x 0.7343)
        {90, 116305}, // d = (14.69 + 7 x 20) / 8 = 19.34: x (1 - 0.8 x 0.9668)
        {600, 100797}, // d = (19.34 + 7 x 510) / 8 = 448.7; x (1 - 0.8 (1 - 500 / 600))
        {1000, 100000}, // d = (448.7 + 7 x 400) / 8 = 406.1; x (1 - 0.8 (1 - 500 / 1000))
        {400, 110000}, // d = (406.1 + 7 x -600) / 8 = -474.2; 1 in a row: + 10
        {300, 120000}, // d = (-474.2 + 7 x -100) / 8 = -146.8; 2 in a row: + 10
        {280, 130000}, // d = (-146.8 + 7 x -20) / 8 = -35.85; 3 in a row: + 10
        {280, 140000}, // d = (-35.85 + 7 x 0) / 8 = -4.481; 4 in a row: + 10
        {280, 150000}, // d = (-4.481 + 7 x 0) / 8 = -0.5601; 5 in a row: + 10
        {282, 139920}, // d = (-0.5601 + 7 x 2) / 8 = 1.68: x (1 - 0.8 x 0.084)
        {100, 149920}, // d = (1.68 + 7 x -182) / 8 = -159; 1 in a row: + 10
        {100, 159920}, // d = (-159 + 7 x 0) / 8 = -19.88; 2 in a row: + 10
        {20000, 100000} // d = (-19.88 + 7 x 19900) / 8 = 1.741e+04; x (1 - 0.8 (1 - 500 / 20000))
    };

    /**
     * The same; w is 2 d / 20 + 1/2 within 0 and 1, e (rtt - 50) / 50, and between the thresholds
     * the rate R becomes 10 (1 - w) + R (1 - 0.008 w e).
     */
    private static final int[][] PATCHED = {
        {40, 10000000}, // noted
        {60, 9984000}, // d = (0 + 7 x 20) / 8 = 17.5; w = 1, e = 0.2
        {64, 9961636}, // d = (17.5 + 7 x 4) / 8 = 5.688; w = 1, e = 0.28
        {62, 9960099}, // d = (5.688 + 7 x -2) / 8 = -1.039; w = 0.3961, e = 0.24
        {60, 9962007}, // d = (-1.039 + 7 x -2) / 8 = -1.88; w = 0.312, e = 0.2
        {58, 9965147}, // d = (-1.88 + 7 x -2) / 8 = -1.985; w = 0.3015, e = 0.16
        {58, 9964334}, // d = (-1.985 + 7 x 0) / 8 = -0.2481; w = 0.4752, e = 0.16
        {58, 9963027}, // d = (-0.2481 + 7 x 0) / 8 = -0.03102; w = 0.4969, e = 0.16
        {58, 9961660}, // d = (-0.03102 + 7 x 0) / 8 = -0.003877; w = 0.4996, e = 0.16
        {60, 9954153}, // d = (-0.003877 + 7 x 2) / 8 = 1.75; w = 0.675, e = 0.2
        {62, 9943865}, // d = (1.75 + 7 x 2) / 8 = 1.969; w = 0.6969, e = 0.24
        {45, 9953865}, // d = (1.969 + 7 x -17) / 8 = -14.63; < t-low: + 10
        {40, 9963865}, // d = (-14.63 + 7 x -5) / 8 = -6.204; < t-low: + 10
        {55, 9955894}, // d = (-6.204 + 7 x 15) / 8 = 12.35; w = 1, e = 0.1
        {56, 9951385}, // d = (12.35 + 7 x 1) / 8 = 2.419; w = 0.7419, e = 0.12
        {90, 9887696}, // d = (2.419 + 7 x 34) / 8 = 30.05; w = 1, e = 0.8
        {600, 8569337}, // d = (30.05 + 7 x 510) / 8 = 450; x (1 - 0.8 (1 - 500 / 600))
        {1000, 5141602}, // d = (450 + 7 x 400) / 8 = 406.3; x (1 - 0.8 (1 - 500 / 1000))
        {400, 5151602}, // d = (406.3 + 7 x -600) / 8 = -474.2; w = 0, e = 7
        {100, 5161602}, // d = (-474.2 + 7 x -300) / 8 = -321.8; w = 0, e = 1
        {100, 5171602}, // d = (-321.8 + 7 x 0) / 8 = -40.22; w = 0, e = 1
        {100, 5181602}, // d = (-40.22 + 7 x 0) / 8 = -5.028; w = 0, e = 1
        {100, 5169109}, // d = (-5.028 + 7 x 0) / 8 = -0.6285; w = 0.4372, e = 1
        {80, 5179109}, // d = (-0.6285 + 7 x -20) / 8 = -17.58; w = 0, e = 0.6
        {70, 5189109}, // d = (-17.58 + 7 x -10) / 8 = -10.95; w = 0, e = 0.4
        {60, 5199109}, // d = (-10.95 + 7 x -10) / 8 = -10.12; w = 0, e = 0.2
        {52, 5209109}, // d = (-10.12 + 7 x -8) / 8 = -8.265; w = 0, e = 0.04
        {50, 5216892} // d = (-8.265 + 7 x -2) / 8 = -2.783; w = 0.2217, e = 0
    };

    private void follow(TimelyRate rate, int[][] events) {
        assertThat(events.length).isGreaterThan(20);
        for (int i = 0; i < events.length; i++) {
            timed(rate, events[i][0] * 1_000L);
            assertThat((rate.rateBps() + 500) / 1_000).as("event %s", i).isEqualTo(events[i][1]);
        }
    }

    private void timed(TimelyRate rate, long roundTripNs) {
        rate.acknowledged(0, sample.set(0, 0, 0, roundTripNs));
    }

    @Test
    void followsAlgorithmOneAsPublished() {
        follow(rate("published"), PUBLISHED);
    }

    @Test
    void followsAlgorithmTwoOfEcnOrDelay() {
        follow(rate("patched"), PATCHED);
    }

    @Test
    void anAcknowledgementThatTimedNothingChangesNothing() {
        TimelyRate rate = rate("published");
        timed(rate, 100_000);
        timed(rate, 200_000);
        long before = rate.rateBps();
        assertThat(before).isLessThan(LINE_BPS);
        timed(rate, Sample.NOT_TIMED);
        assertThat(rate.rateBps()).isEqualTo(before);
        timed(rate, 200_000);
        // The difference is that of 200 and 200 us: an eighth of 87.5 is left of the first.
        assertThat(rate.rateBps()).as("x (1 - 0.8 x 10.9 / 20)").isEqualTo(100_000_000);
    }

    /**
     * A queue that N flows share, each of which is timed once a round trip of 6 us and the queue.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 10})
    void patchedFlowsRestAtTheRoundTripOfTheClosedForm(int flows) {
        TimelyRate[] rates = new TimelyRate[flows];
        Arrays.setAll(rates, _ -> rate("patched"));
        double queueBits = 0;
        double roundTripNs = 6_000;
        for (int step = 0; step < 10_000; step++) {
            long sum = 0;
            for (TimelyRate rate : rates) {
                timed(rate, (long) roundTripNs);
                sum += rate.rateBps();
            }
            queueBits = Math.max(0, queueBits + (sum - LINE_BPS) * roundTripNs / 1e9);
            roundTripNs = 6_000 + queueBits * 1e9 / LINE_BPS;
        }
        // T_low (1 + N delta / (beta C)).
        double restNs = 50_000 * (1 + flows * 10e6 / (0.008 * LINE_BPS));
        assertThat(roundTripNs).isCloseTo(restNs, within(restNs / 100));
        for (TimelyRate rate : rates) {
            assertThat((double) rate.rateBps() * flows / LINE_BPS).isCloseTo(1, within(0.01));
        }
    }
}
