package io.headgate.testbed.swarm.draw;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ControlDrawerTest {
    private static final int SEEDS = 600;

    @Test
    void everyRegisteredControlIsObeyedBySomeFlowOfTheFirstSeedsUnlessTheyAreLeftOut() {
        Set<String> obeyed = new TreeSet<>();
        Set<String> without = new TreeSet<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            controls(CaseDrawer.draw(seed).streams(), obeyed);
            controls(
                    CaseDrawer.draw(seed, new Drawing(Set.of(ControlDrawer.NAME), false)).streams(),
                    without);
        }
        List<String> all =
                MechanismRegistry.of(Mechanism.Kind.RATE_CONTROL).stream()
                        .map(Mechanism::name)
                        .filter(name -> !name.equals("fixed"))
                        .toList();
        assertThat(obeyed).containsExactlyInAnyOrderElementsOf(all);
        assertThat(without).containsExactlyInAnyOrder("dcqcn", "rocc");
    }

    private static void controls(List<Stream> streams, Set<String> into) {
        for (Stream stream : streams) {
            if (stream.pattern() instanceof SendPattern.Controlled controlled) {
                into.add(controlled.control().name());
            }
        }
    }
}
