package io.headgate.testbed.traffic;

import static io.headgate.testbed.traffic.HandDriven.US;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import org.junit.jupiter.api.Test;

class FlowStatisticsTest {

    @Test
    void everyByteIsInTheIntervalOfItsArrival() {
        ThroughputSeries series = new ThroughputSeries(10 * US);
        series.add(0, 100);
        series.add(10 * US - 1, 50);
        series.add(10 * US, 7);
        series.add(995 * US, 1250);
        assertThat(series.intervals()).isEqualTo(100);
        assertThat(series.bytes(0)).isEqualTo(150);
        assertThat(series.bytes(1)).isEqualTo(7);
        assertThat(series.bytes(50)).isZero();
        assertThat(series.throughputBps(99)).isEqualTo(1e9);
        assertThat(series.throughputBps(98, 100)).isEqualTo(0.5e9);
        assertThat(series.bytes(1000)).isZero();
    }

    @Test
    void aFramesBytesAreSpreadOverTheTimeThatItIsOnTheWire() {
        ThroughputSeries series = new ThroughputSeries(10 * US);
        series.spread(5 * US, 35 * US, 1000);
        assertThat(series.bytes(0)).isEqualTo(166);
        assertThat(series.bytes(1)).isEqualTo(334);
        assertThat(series.bytes(2)).isEqualTo(333);
        assertThat(series.bytes(3)).isEqualTo(167);
        // Back to back on a link of 1 Gb/s, in intervals other than a multiple of a frame's time.
        ThroughputSeries full = new ThroughputSeries(7 * US);
        long timePs = 0;
        long sum = 0;
        for (int frame = 0; frame < 1000; frame++) {
            int bytes = 60 + frame * 13 % 1455;
            full.spread(timePs, timePs + bytes * 8000L, bytes);
            timePs += bytes * 8000L;
            sum += bytes;
        }
        long counted = 0;
        for (int interval = 0; interval < full.intervals(); interval++) {
            assertThat(full.throughputBps(interval)).isLessThan(1.002e9);
            counted += full.bytes(interval);
        }
        assertThat(counted).isEqualTo(sum);
    }

    @Test
    void completionTimesAreLoggedWithSizesAndSlowdowns() {
        HandDriven bed = new HandDriven(2, 64);
        bed.traffic.measureAgainst((flow, frames, lastFrameBytes) -> 10 * US);
        for (int i = 1; i <= 100; i++) {
            bed.traffic.start(
                    FlowSpec.greedy("f", 0, 1, FrameShape.udp(1000)).withSizeBytes(i * 10L));
        }
        while (bed.receive(0, 0) > 0) {
            for (HandDriven.Copy copy : bed.takeAllSent(0)) {
                bed.deliver(copy, 1, (copy.flow() + 1) * 10 * US);
                bed.nowPs = 0;
            }
        }
        assertThat(bed.traffic.log().entries())
                .hasSize(100)
                .allMatch(entry -> entry.group() == bed.traffic.group("f"));
        assertThat(
                        bed.traffic.log().entries().stream()
                                .filter(entry -> entry.sizeBytes() < 500)
                                .mapToDouble(
                                        entry -> (double) entry.completionPs() / entry.idealPs())
                                .summaryStatistics())
                .satisfies(slowdowns -> {
                    assertThat(slowdowns.getAverage()).isCloseTo(25, within(1e-9));
                    assertThat(slowdowns.getMax()).isCloseTo(49, within(1e-9));
                });
    }
}
