package io.headgate.testbed.scenario;

import io.headgate.control.report.Table;
import java.util.List;

/**
 * The conclusions of a scenario from all its runs.
 *
 * @param statements sentences on what happened, and on what did not; no full stops
 * @param tables numbers for comparison with each other
 */
public record Findings(
        List<Check> checks, List<Figure> figures, List<String> statements, List<Titled> tables) {
    /** A table and what it shows. */
    public record Titled(String title, Table table) {}

    public Findings {
        checks = List.copyOf(checks);
        figures = List.copyOf(figures);
        statements = List.copyOf(statements);
        tables = List.copyOf(tables);
    }

    /** Without tables. */
    public Findings(List<Check> checks, List<Figure> figures, List<String> statements) {
        this(checks, figures, statements, List.of());
    }

    /** Whether everything was as expected. */
    public boolean passed() {
        return checks.stream().allMatch(Check::passed);
    }
}
