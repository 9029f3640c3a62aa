package io.headgate.testbed.lab.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.SwitchChange;
import io.headgate.control.report.RunReport;
import java.util.Collections;
import java.util.List;
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
    void whereNothingWasChangedNothingIsSaid() {
        RunReport report = new RunReport("test");
        LabChanges.describe(List.of(new LabChanges(0), new LabChanges(0)), report);
        assertThat(report.toText()).doesNotContain("Changed");
    }
}
