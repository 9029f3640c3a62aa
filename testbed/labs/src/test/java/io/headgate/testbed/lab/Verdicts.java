package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;

/**
 * How tests of a lab's mechanics take its verdict. They run on machines that do other things too,
 * so INVALID does not fail them if the machine is a reason; they then print that it was. Where the
 * machine had the time, any other reason fails, and so does every problem.
 */
final class Verdicts {
    private Verdicts() {}

    /**
     * Requires that nothing is wrong with a report but the machine.
     *
     * @return whether the machine had the time, so that numbers may be judged too
     */
    static boolean isFair(RunReport report) {
        if (!report.doubts().isEmpty()) {
            assertThat(report.doubts())
                    .as("the machine is among the reasons: %s", report.toText())
                    .anyMatch(Doubt::ofMachine);
        }
        report.doubts().stream()
                .map(Doubt::why)
                .forEach(why -> System.out.println("INVALID, and no failure: " + why));
        if (report.doubts().isEmpty()) {
            assertThat(report.verdict()).as(report.toText()).isEqualTo("PASS");
        } else {
            assertThat(report.verdict()).isEqualTo("INVALID");
        }
        return report.doubts().isEmpty();
    }
}
