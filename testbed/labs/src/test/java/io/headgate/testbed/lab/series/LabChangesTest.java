package io.headgate.testbed.lab.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.SwitchChange;
import io.headgate.control.report.RunReport;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LabChangesTest {
    private static final SwitchChange RATE =
            new SwitchChange(List.of("ports", "0", "rate"), "p1.rate", "1Gbps", "1Mbps");

    @Test
    void ofEachNetworkTheFirstChangesAreKept() {
        LabChanges first = new LabChanges(System.nanoTime());
        LabChanges second = new LabChanges(System.nanoTime());
        first.add("s1", Collections.nCopies(130, RATE));
        second.add("s2", List.of(RATE));
        assertThat(first.all()).hasSize(100);
        assertThat(second.all()).hasSize(1);
        RunReport report = new RunReport("test");
        LabChanges.describe(List.of(first, second), report);
        assertThat(report.toText())
                .contains(
                        "Changed while it ran", "and 30 more keys later\n  changed at 0.0 s: s2 ");
    }

    @Test
    void whatIsSetToTheSameAtSeveralPortsIsNamedOnce() {
        SwitchChange other =
                new SwitchChange(List.of("ports", "1", "rate"), "p2.rate", "1Gbps", "1Mbps");
        SwitchChange seed = new SwitchChange(List.of("seed"), "seed", 1, 2);
        SwitchChange fast =
                new SwitchChange(List.of("ports", "2", "rate"), "p3.rate", "1Mbps", "1Gbps");
        SwitchChange whole =
                new SwitchChange(
                        List.of("ports", "1", "detour"),
                        "p2.detour",
                        null,
                        Map.of("escape", Map.of("enabled", true)));
        assertThat(LabChanges.words(List.of(RATE))).isEqualTo("set p1.rate=1Mbps");
        assertThat(LabChanges.words(List.of(whole))).isEqualTo("set p2.detour");
        assertThat(LabChanges.words(List.of(RATE, other, RATE))).isEqualTo("set rate=1Mbps");
        assertThat(LabChanges.words(List.of(RATE, other, seed)))
                .isEqualTo("set rate=1Mbps, seed=2");
        assertThat(LabChanges.words(List.of(RATE, fast, other, seed)))
                .isEqualTo("set rate=1Mbps, p3.rate=1Gbps and 1 more");
    }

    @Test
    void whereNothingWasChangedNothingIsSaid() {
        RunReport report = new RunReport("test");
        LabChanges.describe(List.of(new LabChanges(0), new LabChanges(0)), report);
        assertThat(report.toText()).doesNotContain("Changed");
    }
}
