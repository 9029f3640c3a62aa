package io.headgate.dataplane.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.congestion.TcdConfig.Trend;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The queue's length a period ago, checked against all looks at it; and the conclusion from it. */
class QueueTrendTest {
    private static final long PERIOD_NS = 62_000;
    private static final long APART_NS = 1_001;

    private final QueueTrend trend = new QueueTrend(Trend.SLIDING, PERIOD_NS);

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

    private static boolean grows(QueueTrend trend, long nowNs, long queuedBytes) {
        return trend.hasGrown(nowNs, queuedBytes, 900);
    }

    @Test
    void periodsFollowEachOtherAndNothingIsComparedBetweenTheirEnds() {
        QueueTrend byPeriods = new QueueTrend(Trend.PERIOD, PERIOD_NS);
        assertThat(grows(byPeriods, 1_000, 5_000)).isFalse();
        assertThat(grows(byPeriods, PERIOD_NS, 50_000)).as("within the first").isFalse();
        assertThat(grows(byPeriods, 1_000 + PERIOD_NS, 5_899)).as("its end").isFalse();
        // The next begins with that look, not with one in between.
        assertThat(grows(byPeriods, 500 + 2 * PERIOD_NS, 90_000)).isFalse();
        assertThat(grows(byPeriods, 1_000 + 2 * PERIOD_NS, 6_798)).isFalse();
        assertThat(grows(byPeriods, 1_000 + 3 * PERIOD_NS, 7_698)).as("by 900").isTrue();
    }

    @Test
    void eachLookIsComparedWhereThePeriodSlides() {
        assertThat(grows(trend, 0, 5_000)).isFalse();
        assertThat(grows(trend, 30_000, 1_000)).isFalse();
        assertThat(grows(trend, PERIOD_NS, 5_899)).isFalse();
        assertThat(grows(trend, PERIOD_NS + 1, 5_900)).isTrue();
        assertThat(grows(trend, PERIOD_NS + 30_000, 1_899)).isFalse();
        assertThat(grows(trend, PERIOD_NS + 30_001, 1_900)).isTrue();
    }
}
