package io.headgate.testbed.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.swarm.check.CaseNetwork;
import io.headgate.testbed.swarm.draw.CaseDrawer;
import io.headgate.testbed.swarm.draw.SwarmCase;
import io.headgate.testbed.virtual.RunOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Cases of the swarm with each half of a switch on a worker of its own: while one is in a call,
 * between what it reads and what it does, another runs. All that holds otherwise must hold.
 */
final class InterleavedHalvesTest {
    private static final int SEEDS = Integer.getInteger("headgate.interleaved.seeds", 12);

    @Test
    void everySeedHolds() {
        long interleaved = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            SwarmCase what = CaseDrawer.draw(seed);
            List<CaseNetwork> networks = new ArrayList<>();
            new CaseRun(what, () -> false, networks::add)
                    .run(RunOptions.of(seed).withChecking(true).withInterleaving(true), false);
            interleaved += networks.getFirst().run().interleaved();
        }
        assertThat(interleaved).as("calls within calls that did something").isPositive();
    }
}
