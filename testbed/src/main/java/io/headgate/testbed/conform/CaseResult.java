package io.headgate.testbed.conform;

import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import java.util.List;

/**
 * What came out of a case.
 *
 * @param must what must be seen
 * @param why it was skipped or could not be run; else empty
 * @param figures that its file asks for
 * @param seconds on this machine's clock
 */
public record CaseResult(
        ConformanceCase of,
        String title,
        String source,
        String must,
        Verdict verdict,
        String why,
        List<Check> checks,
        List<Figure> figures,
        double seconds) {
    /** How many checks a table names of a case that passed. */
    private static final int NAMED = 2;

    /** How a case ends. */
    public enum Verdict {
        PASS,
        FAIL,
        SKIP
    }

    public CaseResult {
        checks = List.copyOf(checks);
        figures = List.copyOf(figures);
    }

    /** What was seen, in a line: all that was not as it must be, or the first numbers. */
    public String seen() {
        if (!why.isEmpty()) {
            return why;
        }
        List<Check> failed = checks.stream().filter(check -> !check.passed()).toList();
        List<Check> told = failed.isEmpty() ? checks.stream().limit(NAMED).toList() : failed;
        String first = String.join("; ", told.stream().map(Check::sentence).toList());
        return failed.isEmpty()
                ? first + (checks.size() > NAMED ? "; " + checks.size() + " checks in all" : "")
                : first;
    }
}
