package io.headgate.control.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.FlowControlSection.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a switch alone can see of a cyclic wait. */
final class FlowControlSectionTest {
    private static final long MS = 1_000_000;

    private static FlowControlSection.Row row(
            String port, int priority, long stoppedNowNs, long stoppingNowNs) {
        return new FlowControlSection.Row(
                port,
                priority,
                Kind.PAUSES,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                stoppedNowNs,
                stoppingNowNs);
    }

    private static FlowControlSection.Row counts(
            Kind kind, long xoffSent, long controlSent, long blocksLost) {
        return new FlowControlSection.Row(
                "p1",
                3,
                kind,
                xoffSent,
                0,
                0,
                0,
                0,
                0,
                controlSent,
                7,
                blocksLost,
                0,
                0,
                0,
                1,
                1,
                0,
                0,
                0);
    }

    @Test
    void theTableHasColumnsForTheKindOfFlowControlThatThereIs() {
        // Whether anything was paused yet does not matter.
        assertThat(headings(counts(Kind.PAUSES, 0, 0, 0)))
                .contains("XOFF sent", "XOFF received")
                .noneMatch(heading -> heading.contains("credits"));
        FlowControlSection.Row credits = counts(Kind.CREDITS, 0, 4711, 0);
        assertThat(headings(credits))
                .contains("credits sent (frames)")
                .noneMatch(heading -> heading.contains("XOFF") || heading.contains("made good"));
        assertThat(FlowControlSection.table(List.of(credits)).rows().getFirst()).contains("4711");
        assertThat(headings(counts(Kind.CREDITS, 0, 4711, 5)))
                .contains("credits made good (blocks)");
        assertThat(headings(counts(Kind.PAUSES, 2, 4, 0), credits))
                .contains("XOFF sent", "credits sent (frames)");
    }

    private static List<String> headings(FlowControlSection.Row... rows) {
        return FlowControlSection.table(List.of(rows)).headings();
    }

    @Test
    void portsOfWhichTheSameIsSaidAreNamedTogether() {
        assertThat(
                        FlowControlSection.describe(
                                List.of(
                                        new FlowControlSection.Margin("p1", true, 1, 1, 1, "a\n"),
                                        new FlowControlSection.Margin("p2", true, 2, 1, 1, "b\n"),
                                        new FlowControlSection.Margin("p3", true, 1, 1, 1, "a\n"))))
                .isEqualTo("ports p1, p3: a\nport p2: b\n");
    }

    @Test
    void aPortThatIsLongStoppedAndStopsOthersMayBePartOfACircle() {
        List<FlowControlSection.Wait> waits =
                FlowControlSection.waits(
                        List.of(
                                row("p1", 3, 0, 812 * MS),
                                row("p2", 3, 815 * MS, 0),
                                row("p3", 3, 0, 813 * MS),
                                row("p4", 3, 0, 0)));
        assertThat(waits).hasSize(1);
        assertThat(waits.getFirst().describe())
                .startsWith(
                        "port p2, priority 3: stopped for 815 ms, while this switch stops the"
                                + " senders at p1, p3: possible deadlock (cyclic wait)");
    }

    @Test
    void neitherAShortStopNorOneOfAnotherPriorityNorOfThePortItselfIs() {
        assertThat(
                        FlowControlSection.waits(
                                List.of(row("p1", 3, 0, 900 * MS), row("p2", 3, 199 * MS, 0))))
                .isEmpty();
        assertThat(
                        FlowControlSection.waits(
                                List.of(row("p1", 4, 0, 900 * MS), row("p2", 3, 900 * MS, 0))))
                .isEmpty();
        assertThat(FlowControlSection.waits(List.of(row("p1", 3, 900 * MS, 900 * MS)))).isEmpty();
    }
}
