package io.headgate.testbed.scenario;

import java.util.List;

/**
 * What a scenario makes of all its runs.
 *
 * @param statements sentences on what happened, and on what did not; no full stops
 */
public record Findings(List<Check> checks, List<Figure> figures, List<String> statements) {
    public Findings {
        checks = List.copyOf(checks);
        figures = List.copyOf(figures);
        statements = List.copyOf(statements);
    }

    /** Whether everything was as expected. */
    public boolean passed() {
        return checks.stream().allMatch(Check::passed);
    }
}
