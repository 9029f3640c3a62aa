package io.headgate.control.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport.Section;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunReportTest {
    private static RunReport part(int number) {
        RunReport part = new RunReport("a part");
        part.add(new Section("Losses", number, "lost: " + number));
        part.file("capture", Path.of("capture" + number));
        part.problem("too much");
        return part;
    }

    @Test
    void partsThatFoundTheSameKindOfThingStandSideBySide() {
        RunReport report = new RunReport("headgate lab hol");
        report.addAll(part(1), "with PFC");
        report.addAll(part(2), "with credits");

        assertThat(report.toText())
                .contains("Losses with PFC\n  lost: 1", "Losses with credits\n  lost: 2")
                .contains("capture with PFC: capture1", "capture with credits: capture2");
        assertThat(report.toJson())
                .contains("\"Losses with PFC\" : 1", "\"Losses with credits\" : 2");
        assertThat(report.problems())
                .isEqualTo(List.of("with PFC: too much", "with credits: too much"));
    }
}
