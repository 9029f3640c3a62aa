package io.headgate.dataplane.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
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

    @Test
    void whatTheFarEndAsksForAllocatesNothing() {
        PriorityRates rates = new PriorityRates(new long[8], 0, WireFormat.ETHERNET);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        threads.getCurrentThreadAllocatedBytes();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int priority = 0; priority < 8; priority++) {
            rates.rate(0, priority, 2_000_000_000L);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isZero();
        assertThat(rates.limited()).isEqualTo(0xFF);
    }

    @Test
    void theLowerOfWhatIsConfiguredAndWhatTheFarEndAsksForHolds() {
        PriorityRates rates =
                new PriorityRates(
                        new long[] {1_000_000_000L, 0, 0, 0, 0, 0, 0, 0}, 0, WireFormat.ETHERNET);
        rates.rate(0, 0, 2_000_000_000L);
        rates.rate(0, 1, 2_000_000_000L);
        assertThat(rates.limited()).isEqualTo(0b11);
        rates.start(0, 0, 1226, 0);
        rates.start(0, 1, 1226, 0);
        assertThat(rates.nextStartNs(0b1)).isEqualTo(10_000);
        assertThat(rates.nextStartNs(0b10)).isEqualTo(5_000);
        rates.limit(new long[8]);
        assertThat(rates.limited()).isEqualTo(0b11);
        rates.rate(0, 0, PriorityRates.UNRATED);
        rates.rate(0, 1, PriorityRates.UNRATED);
        assertThat(rates.limited()).isZero();
        assertThat(rates.eligible(1)).isEqualTo(0xFF);
    }

    @Test
    void whatAPriorityWaitsForFollowsItsRateAtOnce() {
        PriorityRates rates = new PriorityRates(new long[8], 0, WireFormat.ETHERNET);
        rates.rate(0, 5, 1_000_000_000L);
        rates.start(0, 5, 1226, 0);
        // Of 10 µs, 4 are over: the other 6 are 3 at twice the rate, or 6,000 at a thousandth.
        rates.rate(4_000, 5, 2_000_000_000L);
        assertThat(rates.nextStartNs(1 << 5)).isEqualTo(7_000);
        rates.rate(4_000, 5, 500_000);
        assertThat(rates.nextStartNs(1 << 5)).as("1 Mb/s at least").isEqualTo(6_004_000);
        rates.rate(5_000, 5, PriorityRates.UNRATED);
        assertThat(rates.eligible(5_000)).isEqualTo(0xFF);
    }
}
