package io.headgate.hostagent.rate.swift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Section;
import io.headgate.hostagent.rate.Sample;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** At a line of 8 Gb/s: a frame of 1,000 bytes takes 1 us. */
class SwiftWindowTest {
    private static final long LINE_BPS = 8_000_000_000L;
    private static final int FRAME = 1_000;

    private final SwiftWindow window = window(Map.of());
    private final Sample sample = new Sample();
    private long acked;

    private static SwiftWindow window(Map<String, ?> keys) {
        SwiftConfig config =
                Section.of(SwiftConfig.class).read(Place.nowhere().saying(keys), Known.NOTHING);
        SwiftWindow window = new SwiftWindow(Objects.requireNonNull(config));
        window.begin(0, LINE_BPS, FRAME);
        return window;
    }

    /**
     * Time in us, frames acknowledged and their round trip in us (0, 0: a loss), and the window
     * after it in bytes. The comments have the target of the window before, and how the next
     * follows. The target is 23 + max(0, min(32.66 / sqrt(cwnd) - 3.266, 100)).
     */
    private static final int[][] EVENTS = {
        {15, 10, 15, 11000}, // target 30.061: + 10 / 10
        {35, 10, 20, 11909}, // target 29.580: + 10 / 11
        {57, 11, 22, 12832}, // target 29.197: + 11 / 11.91
        {81, 12, 24, 13767}, // target 28.850: + 12 / 12.83
        {106, 13, 25, 14712}, // target 28.535: + 13 / 13.77
        {146, 14, 40, 11254}, // target 28.248: x max(1 - 0.8 x 11.75 / 40, 0.5)
        {206, 14, 60, 6672}, // target 29.469: x max(1 - 0.8 x 30.53 / 60, 0.5)
        {226, 10, 20, 8171}, // target 32.376: + 10 / 6.673
        {286, 10, 60, 5029}, // target 31.158: x max(1 - 0.8 x 28.84 / 60, 0.5)
        {786, 10, 500, 2514}, // target 34.296: x max(1 - 0.8 x 465.7 / 500, 0.5)
        {816, 5, 30, 4502}, // target 40.328: + 5 / 2.515
        {836, 5, 20, 5613}, // target 35.123: + 5 / 4.503
        {846, 0, 0, 2806}, // loss: x 0.5
        {866, 3, 20, 3875}, // target 39.227: + 3 / 2.807
        {876, 0, 0, 1937}, // loss: x 0.5
        {906, 3, 30, 3485}, // target 43.193: + 3 / 1.938
        {966, 3, 60, 2427}, // target 37.225: x max(1 - 0.8 x 22.78 / 60, 0.5)
        {1066, 1, 100, 1275}, // target 40.694: x max(1 - 0.8 x 59.31 / 100, 0.5)
        {1266, 1, 200, 637}, // target 48.647: x max(1 - 0.8 x 151.4 / 200, 0.5)
        {1666, 1, 400, 318}, // target 60.622: x max(1 - 0.8 x 339.4 / 400, 0.5)
        {1786, 1, 120, 228}, // target 77.559: x max(1 - 0.8 x 42.44 / 120, 0.5)
        {1886, 1, 100, 206}, // target 88.021: x max(1 - 0.8 x 11.98 / 100, 0.5)
        {1896, 0, 0, 206}, // decreased 10 us ago
        {1906, 0, 0, 206}, // decreased 20 us ago
        {1916, 0, 0, 206}, // decreased 30 us ago
        {1926, 0, 0, 206}, // decreased 40 us ago
        {1936, 0, 0, 10}, // 5th loss without progress: the least
        {2026, 1, 90, 1010}, // target 123.000: + 1 / 1
        {2116, 1, 90, 670}, // target 52.228: x max(1 - 0.8 x 37.77 / 90, 0.5)
        {2136, 2, 20, 2670} // target 59.603: + 2 / 1
    };

    @Test
    void followsAlgorithmOne() {
        assertThat(EVENTS.length).isGreaterThan(20);
        for (int[] event : EVENTS) {
            if (event[1] == 0) {
                window.lost(event[0] * 1_000L);
            } else {
                acknowledged(event[0], event[1], event[2]);
            }
            assertThat(window.windowBytes()).as("at %s us", event[0]).isEqualTo(event[3]);
            if (event[3] >= FRAME) {
                assertThat(window.rateBps()).isEqualTo(LINE_BPS);
            }
        }
    }

    private void acknowledged(long atUs, int frames, long roundTripUs) {
        acked += (long) frames * FRAME;
        window.acknowledged(atUs * 1_000, sample.set(acked, acked, 0, roundTripUs * 1_000));
    }

    /** Half a frame in a round trip of 100 us is a frame each 200 us. */
    @Test
    void aWindowBelowAFrameIsAPauseBetweenFrames() {
        SwiftWindow half = window(Map.of("initial-window", 1));
        half.acknowledged(1_000_000, sample.set(FRAME, FRAME, 0, 100_000));
        // Target 23 + 32.66 - 3.27 = 52.4 us: x (1 - 0.8 x 47.6 / 100).
        assertThat(half.windowBytes()).isEqualTo(619);
        assertThat((double) half.rateBps()).isCloseTo(0.6191 * 80e6, within(1e4));
    }

    @Test
    void framesThatTimedNothingCountAtTheNextThatDid() {
        window.acknowledged(0, sample.set(4 * FRAME, 20 * FRAME, 0, Sample.NOT_TIMED));
        assertThat(window.windowBytes()).isEqualTo(10 * FRAME);
        window.acknowledged(0, sample.set(5 * FRAME, 20 * FRAME, 0, 10_000));
        assertThat(window.windowBytes()).as("10 + 5 / 10").isEqualTo(10_500);
    }
}
