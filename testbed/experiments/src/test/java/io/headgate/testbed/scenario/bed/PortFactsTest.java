package io.headgate.testbed.scenario.bed;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.assembly.SwitchEngine;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.engine.PolledHost;
import io.headgate.dataplane.engine.WorkerPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PortFactsTest {
    private static final List<Entry> COUNTERS =
            new SwitchEngine(
                            SwitchConfigReader.read(
                                    """
                                    name: s1
                                    ports:
                                      - {name: a, device: {tap: a}}
                                      - {name: b, device: {tap: b}, lossless: [3], flow-control: pfc}
                                    """,
                                    "test"),
                            WorkerPlan.single(2),
                            new PolledHost(0, 0))
                    .counters()
                    .entries();

    /** Priorities have less the higher they are, so that only the first is the most. */
    private static Map<String, PortFacts> facts(List<Entry> entries) {
        return PortFacts.of("s1", entries, entry -> 1_000_000 - entry.valueIndex());
    }

    @Test
    void aCounterThatIsMissedIsAnErrorAndNotZero() {
        Map<String, PortFacts> full = facts(COUNTERS);
        assertThat(full).containsOnlyKeys("s1/a", "s1/b");
        assertThat(Objects.requireNonNull(full.get("s1/a")).bufferMaxBytes()).isZero();
        assertThat(Objects.requireNonNull(full.get("s1/b")).bufferMaxBytes()).isPositive();
        int missed = 0;
        for (int i = 0; i < COUNTERS.size(); i++) {
            if (COUNTERS.get(i).label().startsWith(DropCounters.LABEL_PREFIX)) {
                continue; // only reasons that occurred are shown
            }
            List<Entry> renamed = new ArrayList<>(COUNTERS);
            String label = renamed.remove(i).label();
            try {
                assertThat(facts(renamed)).as("without %s", label).isEqualTo(full);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageStartingWith("no counter " + label);
                missed++;
            }
        }
        assertThat(missed).isEqualTo(4 + 2 + 8);
    }
}
