package io.headgate.dataplane.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PriorityRatesTest {
    @Test
    void limitedPriorityIsHeldToItsRateAndOthersAreNot() {
        // 1,226 bytes and 24 of overhead are 10,000 bits: 10 µs at 1 Gb/s.
        PriorityRates rates =
                new PriorityRates(
                        new long[] {0, 0, 0, 1_000_000_000L, 0, 0, 0, 0}, 0, WireFormat.ETHERNET);
        assertThat(rates.limited()).isEqualTo(1 << 3);
        long sent = 0;
        for (long nowNs = 0; nowNs < 1_000_000; nowNs += 100) {
            assertThat(rates.eligible(nowNs) | 1 << 3).isEqualTo(0xFF);
            if ((rates.eligible(nowNs) >> 3 & 1) != 0) {
                rates.start(nowNs, 3, 1226, nowNs);
                rates.start(nowNs, 4, 1226, nowNs);
                sent++;
                assertThat(rates.nextStartNs(0xFF)).isEqualTo(nowNs + 10_000);
            }
        }
        assertThat(sent).isEqualTo(100);
    }

    @Test
    void nextStartIsOnlyOfThePrioritiesAskedFor() {
        PriorityRates rates =
                new PriorityRates(
                        new long[] {1_000_000_000L, 0, 0, 1_000_000, 0, 0, 0, 0},
                        0,
                        WireFormat.ETHERNET);
        rates.start(0, 0, 1226, 0);
        rates.start(0, 3, 1226, 0);
        assertThat(rates.nextStartNs(0b1)).isEqualTo(10_000);
        assertThat(rates.nextStartNs(0b1000)).isEqualTo(10_000_000);
        assertThat(rates.nextStartNs(0b110)).isEqualTo(Long.MAX_VALUE);
    }
}
