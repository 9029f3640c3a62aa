package io.headgate.dataplane.congestion.pi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Section;
import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.random.NamedRandom;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PiDetectorTest {
    private static PiDetector detector(Map<String, ?> keys) {
        PiConfig config =
                Section.of(PiConfig.class).read(Place.nowhere().saying(keys), Known.NOTHING);
        return new PiDetector(Objects.requireNonNull(config), NamedRandom.of(1, "p1", "pi"));
    }

    /**
     * Lengths of the queue in bytes, and the probability after each look in millionths: b (q -
     * qref) and the sum of all (a - b) (q - qref), within 0 and 1, with lengths in kB. A sum below
     * 0 is kept.
     */
    private static final int[][] PUBLISHED = {
        {0, 0}, // nothing queued, sum 0
        {50_000, 0}, // sum 0 + 0.2 x -50 = -10; + 100 x -50
        {100_000, 0}, // sum -10 + 0.2 x 0 = -10; + 100 x 0
        {150_000, 5000}, // sum -10 + 0.2 x 50 = 0; + 100 x 50
        {200_000, 10020}, // sum 0 + 0.2 x 100 = 20; + 100 x 100
        {200_000, 10040}, // sum 20 + 0.2 x 100 = 40; + 100 x 100
        {200_000, 10060}, // sum 40 + 0.2 x 100 = 60; + 100 x 100
        {150_000, 5070}, // sum 60 + 0.2 x 50 = 70; + 100 x 50
        {120_000, 2074}, // sum 70 + 0.2 x 20 = 74; + 100 x 20
        {100_000, 74}, // sum 74 + 0.2 x 0 = 74; + 100 x 0
        {100_000, 74}, // sum 74 + 0.2 x 0 = 74; + 100 x 0
        {90_000, 0}, // sum 74 + 0.2 x -10 = 72; + 100 x -10
        {80_000, 0}, // sum 72 + 0.2 x -20 = 68; + 100 x -20
        {80_000, 0}, // sum 68 + 0.2 x -20 = 64; + 100 x -20
        {120_000, 2068}, // sum 64 + 0.2 x 20 = 68; + 100 x 20
        {140_000, 4076}, // sum 68 + 0.2 x 40 = 76; + 100 x 40
        {160_000, 6088}, // sum 76 + 0.2 x 60 = 88; + 100 x 60
        {100_000, 88}, // sum 88 + 0.2 x 0 = 88; + 100 x 0
        {100_000, 88}, // sum 88 + 0.2 x 0 = 88; + 100 x 0
        {60_000, 0}, // sum 88 + 0.2 x -40 = 80; + 100 x -40
        {20_000, 0}, // sum 80 + 0.2 x -80 = 64; + 100 x -80
        {0, 0}, // sum 64 + 0.2 x -100 = 44; + 100 x -100
        {0, 0}, // sum 44 + 0.2 x -100 = 24; + 100 x -100
        {0, 0}, // sum 24 + 0.2 x -100 = 4; + 100 x -100
        {60_000, 0}, // sum 4 + 0.2 x -40 = -4; + 100 x -40
        {100_000, 0}, // sum -4 + 0.2 x 0 = -4; + 100 x 0
        {140_000, 4004}, // sum -4 + 0.2 x 40 = 4; + 100 x 40
        {100_000, 4} // sum 4 + 0.2 x 0 = 4; + 100 x 0
    };

    /** The same by the dissertation's code, in units of 624 bytes: thousandths, 500 at most. */
    private static final int[][] DISSERTATION = {
        {0, 0}, // 0.5 x -200 + 10 x 0
        {99_840, 500000}, // 0.5 x -40 + 10 x 80
        {124_800, 200000}, // 0.5 x 0 + 10 x 20
        {129_792, 44000}, // 0.5 x 8 + 10 x 4
        {129_792, 4000}, // 0.5 x 8 + 10 x 0
        {134_784, 48000}, // 0.5 x 16 + 10 x 4
        {139_776, 52000}, // 0.5 x 24 + 10 x 4
        {139_776, 12000}, // 0.5 x 24 + 10 x 0
        {137_280, 0}, // 0.5 x 20 + 10 x -2
        {149_760, 120000}, // 0.5 x 40 + 10 x 10
        {149_760, 20000}, // 0.5 x 40 + 10 x 0
        {144_768, 0}, // 0.5 x 32 + 10 x -4
        {139_776, 0}, // 0.5 x 24 + 10 x -4
        {134_784, 0}, // 0.5 x 16 + 10 x -4
        {129_792, 0}, // 0.5 x 8 + 10 x -4
        {126_048, 0}, // 0.5 x 2 + 10 x -3
        {124_800, 0}, // 0.5 x 0 + 10 x -1
        {124_800, 0}, // 0.5 x 0 + 10 x 0
        {119_808, 0}, // 0.5 x -8 + 10 x -4
        {199_680, 500000}, // 0.5 x 120 + 10 x 64
        {239_616, 412000}, // 0.5 x 184 + 10 x 32
        {250_224, 500000}, // above 400
        {299_520, 500000}, // above 400
        {249_600, 0}, // 0.5 x 200 + 10 x -40
        {99_840, 0}, // 0.5 x -40 + 10 x -120
        {124_800, 200000}, // 0.5 x 0 + 10 x 20
        {131_040, 55000} // 0.5 x 10 + 10 x 5
    };

    private static void follow(PiDetector detector, int[][] looks) {
        assertThat(looks.length).isGreaterThan(20);
        for (int i = 0; i < looks.length; i++) {
            boolean looksAgain = detector.tick(0, looks[i][0], looks[i][0] / 1_000);
            assertThat(detector.likely() * 1e6)
                    .as("look %s", i)
                    .isCloseTo(looks[i][1], within(0.6));
            assertThat(looksAgain || looks[i][0] + looks[i][1] == 0).isTrue();
        }
    }

    @Test
    void addsUpAsPublished() {
        follow(detector(Map.of("a", 0.0001002, "b", 0.0001)), PUBLISHED);
    }

    @Test
    void restsAtSmallProbabilitiesInSwingsOfTheQueue() {
        PiDetector detector = detector(Map.of("a", 0.0001002, "b", 0.0001));
        double marked = 0;
        for (int i = 0; i < 1_000; i++) {
            detector.tick(0, i % 2 == 0 ? 60_000 : 140_000, 100);
            marked += detector.likely();
        }
        // b x 40 at every second look, all the time: the mean is the reference.
        assertThat(detector.likely()).isCloseTo(0.004, within(0.0001));
        assertThat(marked / 1_000).isCloseTo(0.002, within(0.0001));
    }

    @Test
    void looksAtAnEmptyQueueUntilNothingIsLeftOfTheSum() {
        PiDetector detector = detector(Map.of("a", 0.0001002, "b", 0.0001));
        detector.tick(0, 350_000, 1); // sum 50 millionths, of which each look takes 20
        assertThat(detector.tick(0, 0, 0)).isTrue();
        assertThat(detector.tick(0, 0, 0)).isTrue();
        assertThat(detector.tick(0, 0, 0)).isFalse();
    }

    @Test
    void forgetsWhatIsAboveTheLargestProbability() {
        PiDetector detector = detector(Map.of("a", 0.0001002, "b", 0.0001, "most", 0.02));
        for (int i = 0; i < 10_000; i++) {
            detector.tick(0, 350_000, 1);
        }
        assertThat(detector.likely()).isEqualTo(0.02);
        detector.tick(0, 300_000, 1); // b x 50 less than 20,000 millionths, and 40 more
        assertThat(detector.likely() * 1e6).isCloseTo(15_040, within(0.6));
    }

    @Test
    void marksFromTwiceTheReferenceOnHoweverLongTheQueueWasShort() {
        PiDetector detector = detector(Map.of());
        for (int i = 0; i < 10_000; i++) {
            detector.tick(0, 1_000, 1);
        }
        detector.tick(0, 201_000, 1);
        assertThat(detector.likely()).isPositive();
    }

    @Test
    void hasNoMemoryAsInTheDissertation() {
        follow(detector(Map.of("form", "dissertation")), DISSERTATION);
    }

    @Test
    void marksAsLikelyAsItSays() {
        PiDetector detector = detector(Map.of("a", 0.2, "b", 0.1, "most", 0.3));
        assertThat(detector.started(0, 1_000, 1 << 20)).isEqualTo(Mark.NONE);
        detector.tick(0, 200_000, 200);
        int marked = 0;
        for (int i = 0; i < 10_000; i++) {
            marked += detector.started(i, 1_000, 0) == Mark.CONGESTION ? 1 : 0;
        }
        assertThat(marked).isBetween(2_800, 3_200);
        detector.reset(0);
        assertThat(detector.started(0, 1_000, 1 << 20)).isEqualTo(Mark.NONE);
    }

    @Test
    void anotherOneGoesOnFromIt() {
        PiDetector detector = detector(Map.of());
        detector.tick(0, 200_000, 200);
        PiDetector next = detector(Map.of());
        next.goOnFrom(detector);
        next.tick(0, 200_000, 200);
        detector.tick(0, 200_000, 200);
        assertThat(next.likely()).isPositive().isEqualTo(detector.likely());
    }
}
