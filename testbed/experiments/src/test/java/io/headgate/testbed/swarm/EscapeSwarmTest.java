package io.headgate.testbed.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.swarm.check.TokenEnds;
import io.headgate.testbed.swarm.draw.CaseDrawer;
import io.headgate.testbed.swarm.draw.Drawing;
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
 * every token ends. Runs a fixed set of seeds; {@code headgate verify --blocked --quick} runs any
 * number.
 */
@Tag("swarm")
class EscapeSwarmTest {
    private static final int SEEDS = 150;

    private static final Drawing PLAIN = new Drawing(Set.of("escape"), true);

    @Test
    void theTheoremsHoldInEveryCase() {
        theoremsHold(15);
    }

    @Test
    @Tag("long")
    void theTheoremsHoldInEveryCaseWithMoreOfThemUnderAllChecks() {
        theoremsHold(5);
    }

    /**
     * Runs every seed.
     *
     * @param checked one in this number of seeds runs under all checks, at twenty times the work;
     *     the others run once without
     */
    private static void theoremsHold(int checked) {
        Map<String, Long> counted = new TreeMap<>();
        long unblocked =
                LongStream.rangeClosed(1, SEEDS)
                        .parallel()
                        .map(seed -> run(seed, seed % checked == 0, counted))
                        .sum();
        assertThat(unblocked).as("flows that were blocked and went on").isGreaterThan(SEEDS / 3);
        for (String what : TokenEnds.LABELS) {
            assertThat(counted.getOrDefault(what, 0L)).as(what).isPositive();
        }
    }

    private static long run(long seed, boolean isChecked, Map<String, Long> counted) {
        try {
            CaseRun run = new CaseRun(CaseDrawer.draw(seed, Drawing.BLOCKED), () -> false);
            CaseRun.Result result = isChecked ? run.run() : run.runQuickly();
            synchronized (counted) {
                result.tokens().forEach((name, value) -> counted.merge(name, value, Long::sum));
            }
            return result.unblocked();
        } catch (RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    /**
     * Otherwise the cases would prove nothing. In other seeds a neighbour without Escape, or a flow
     * that no switch knows, is part of the cycle.
     */
    @ParameterizedTest
    @ValueSource(longs = {6, 13, 21})
    void theSameCasesStandStillWithoutEscape(long seed) {
        assertThat(isDeadlocked(seed, PLAIN)).isTrue();
        assertThat(isDeadlocked(seed, Drawing.BLOCKED)).isFalse();
    }

    /**
     * Tokens of several switches, one of which gives them back forty times as slowly, come to one
     * that lets one pass at a time: without turns a flow is refused each time that it asks.
     */
    @ParameterizedTest
    @ValueSource(longs = {35655, 36740})
    void noFlowIsRefusedForEver(long seed) {
        CaseRun run = new CaseRun(CaseDrawer.draw(seed, Drawing.BLOCKED), () -> false);
        assertThat(run.runQuickly().unblocked()).isPositive();
    }

    /** A host takes notices of flows that stand, and nothing else, and so these go on standing. */
    @Test
    void whatWaitsBehindNoticesIsPartOfACircle() {
        assertThat(isDeadlocked(27024, Drawing.BLOCKED)).isTrue();
    }

    private static boolean isDeadlocked(long seed, Drawing drawing) {
        return new CaseRun(CaseDrawer.draw(seed, drawing), () -> false).runQuickly().deadlocked();
    }
}
