package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;

/**
 * How tests of a lab's mechanics take its verdict. They run on machines that do other things too,
 * so INVALID does not fail them if the machine is the reason; they then print that it was. Any
 * other reason fails, and so does every problem.
 */
final class Verdicts {
    private Verdicts() {}

    /**
     * Requires that nothing is wrong with a report but the machine.
     *
     * @return whether the machine had the time, so that numbers may be judged too
     */
    static boolean isFair(RunReport report) {
        assertThat(report.doubts())
                .as("the reasons that the machine gives, and no others: %s", report.toText())
                .allMatch(doubt -> doubt.ofMachine());
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
