package io.headgate.testbed.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.domain.CrossbarConfig;
import io.headgate.dataplane.domain.CrossbarConfig.InputQueues;
import io.headgate.dataplane.domain.CrossbarMechanism;
import io.headgate.dataplane.domain.InputBufferedConfig;
import io.headgate.dataplane.domain.InputBufferedConfig.Marking;
import io.headgate.dataplane.domain.InputBufferedMechanism;
import io.headgate.testbed.swarm.draw.CaseDrawer;
import io.headgate.testbed.swarm.draw.Drawing;
import io.headgate.testbed.swarm.draw.SwarmCase;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random networks whose switches are crossbars, under every check: nothing is lost that must not
 * be, flows keep their order, everything comes to rest, and a run is the same each time.
 */
@Tag("swarm")
class CrossbarSwarmTest {
    /** A domain owns the queues that frames would escape from. */
    private static final Drawing NO_ESCAPE = new Drawing(Set.of("escape"), false);

    private static final int SEEDS = Integer.getInteger("headgate.crossbar.seeds", 12);

    @ParameterizedTest
    @CsvSource({"VIRTUAL_OUTPUT, 1", "VIRTUAL_OUTPUT, 3", "FIFO, 1"})
    void everyCheckHoldsInSwitchesThatAreCrossbars(InputQueues inputQueues, int speedup) {
        CrossbarConfig crossbar = new CrossbarConfig(inputQueues, speedup);
        int others = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            SwarmCase plain = CaseDrawer.draw(seed, NO_ESCAPE);
            SwarmCase what =
                    plain.with(plain.settings().with(new CrossbarMechanism().use(crossbar)));
            try {
                long digest = new CaseRun(what, () -> false).run().digest();
                others += digest == new CaseRun(plain, () -> false).runQuickly().digest() ? 0 : 1;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        // Fewer at a higher speedup, at which inputs seldom wait for their lines.
        assertThat(others).as("runs that a crossbar changes").isPositive();
    }

    @Test
    void everyCheckHoldsInSwitchesWithSmallInputBuffers() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SwarmCase plain = CaseDrawer.draw(seed, NO_ESCAPE);
            Marking marking = Marking.values()[(int) (seed % Marking.values().length)];
            InputBufferedConfig config =
                    new InputBufferedConfig((int) (seed % 5), marking, 4, Mark.Field.ECN);
            SwarmCase what =
                    plain.with(plain.settings().with(new InputBufferedMechanism().use(config)));
            try {
                new CaseRun(what, () -> false).run();
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }
}
