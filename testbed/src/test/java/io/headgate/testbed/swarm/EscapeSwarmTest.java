package io.headgate.testbed.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.swarm.draw.CaseDrawer;
import io.headgate.testbed.swarm.draw.Drawing;
import io.headgate.testbed.swarm.draw.SwarmCase;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The theorems of the dissertation (4.4.1 to 4.4.4) over networks in which flows block one another,
 * with faults of all kinds: blocked flows go on, no frame is lost, flows keep their order, and
 * every token ends. So many seeds, the same ones each time; {@code headgate verify --blocked} runs
 * any.
 */
@Tag("swarm")
class EscapeSwarmTest {
    private static final int SEEDS = Integer.getInteger("headgate.escape.seeds", 60);
    private static final Drawing PLAIN = new Drawing(Set.of("escape"), true);

    @Test
    void theTheoremsHoldInEveryCase() {
        Map<String, Long> counted = new TreeMap<>();
        long unblocked =
                LongStream.rangeClosed(1, SEEDS)
                        .parallel()
                        .map(seed -> run(seed, CaseDrawer.draw(seed, Drawing.BLOCKED), counted))
                        .sum();
        assertThat(unblocked).as("flows that were blocked and went on").isGreaterThan(SEEDS / 3);
        for (String what :
                new String[] {
                    "made",
                    "passed",
                    "escaped",
                    "arrived",
                    "through",
                    "exchanged",
                    "reclaimed",
                    "refused.unknown",
                    "refused.open",
                    "refused.pool"
                }) {
            assertThat(counted.getOrDefault("escape." + what, 0L)).as(what).isPositive();
        }
    }

    private static long run(long seed, SwarmCase what, Map<String, Long> counted) {
        try {
            CaseRun.Result result = new CaseRun(what, () -> false).run();
            synchronized (counted) {
                result.counters()
                        .forEach((name, value) ->
                                counted.merge(
                                        name.substring(name.lastIndexOf(' ') + 1),
                                        value,
                                        Long::sum));
            }
            return result.unblocked();
        } catch (RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    /**
     * Otherwise the cases would say nothing. In other seeds a neighbour without Escape, or a flow
     * that nobody knows, is part of the cycle.
     */
    @ParameterizedTest
    @ValueSource(longs = {23, 33, 61})
    void theSameCasesStandStillWithoutEscape(long seed) {
        assertThat(new CaseRun(CaseDrawer.draw(seed, PLAIN), () -> false).run().deadlocked())
                .isTrue();
        assertThat(
                        new CaseRun(CaseDrawer.draw(seed, Drawing.BLOCKED), () -> false)
                                .run()
                                .deadlocked())
                .isFalse();
    }
}
