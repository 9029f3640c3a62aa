package io.headgate.control.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a switch alone can see of a cyclic wait. */
final class FlowSectionTest {
    private static final long MS = 1_000_000;

    private static FlowSection.Row row(
            String port, int priority, long stoppedNowNs, long stoppingNowNs) {
        return new FlowSection.Row(
                port, priority, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, stoppedNowNs, stoppingNowNs);
    }

    @Test
    void aPortThatIsLongStoppedAndStopsOthersMayBePartOfACircle() {
        List<FlowSection.Wait> waits =
                FlowSection.waits(
                        List.of(
                                row("p1", 3, 0, 812 * MS),
                                row("p2", 3, 815 * MS, 0),
                                row("p3", 3, 0, 813 * MS),
                                row("p4", 3, 0, 0)));
        assertThat(waits).hasSize(1);
        assertThat(waits.getFirst().describe())
                .startsWith(
                        "port p2, priority 3: stopped for 815 ms, while this switch stops the"
                                + " senders at p1, p3: part of a cyclic wait (deadlock), possibly");
    }

    @Test
    void neitherAShortStopNorOneOfAnotherPriorityNorOfThePortItselfIs() {
        assertThat(FlowSection.waits(List.of(row("p1", 3, 0, 900 * MS), row("p2", 3, 199 * MS, 0))))
                .isEmpty();
        assertThat(FlowSection.waits(List.of(row("p1", 4, 0, 900 * MS), row("p2", 3, 900 * MS, 0))))
                .isEmpty();
        assertThat(FlowSection.waits(List.of(row("p1", 3, 900 * MS, 900 * MS)))).isEmpty();
    }
}
