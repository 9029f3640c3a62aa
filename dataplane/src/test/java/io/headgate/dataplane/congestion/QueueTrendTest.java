package io.headgate.dataplane.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How long a queue was a period ago, beside all looks at it. */
class QueueTrendTest {
    private static final long PERIOD_NS = 62_000;
    private static final long APART_NS = 1_001;

    private final QueueTrend trend = new QueueTrend(PERIOD_NS);

    @Test
    void whatIsSaidIsAPeriodOldOrALittleMore() {
        Random random = new Random(1);
        for (int stop = 0; stop < 50; stop++) {
            // From many looks between two that are kept, to one in several periods.
            long mostNs = 1L << random.nextInt(4, 18);
            NavigableMap<Long, Long> all = new TreeMap<>();
            trend.forget();
            long nowNs = random.nextInt(1_000_000);
            for (int look = 0; look < 1_000; look++) {
                long bytes = random.nextInt(1_000_000);
                trend.look(nowNs, bytes);
                all.put(nowNs, bytes);
                nowNs += 1 + random.nextLong(mostNs);
                check(nowNs, all);
            }
        }
    }

    private void check(long nowNs, NavigableMap<Long, Long> all) {
        long said = trend.aPeriodAgo(nowNs);
        Map.Entry<Long, Long> last = all.floorEntry(nowNs - PERIOD_NS);
        if (last == null) {
            assertThat(said).isEqualTo(QueueTrend.UNKNOWN);
        } else {
            assertThat(all.subMap(last.getKey() - APART_NS, true, last.getKey(), true).values())
                    .contains(said);
        }
    }
}
