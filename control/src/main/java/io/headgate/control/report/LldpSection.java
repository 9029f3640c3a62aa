package io.headgate.control.report;

import static io.headgate.control.report.Table.column;
import static io.headgate.control.report.Table.number;

import io.headgate.control.lldp.LldpNeighbour;
import java.util.List;
import java.util.stream.Collectors;

/** What neighbours say of themselves (IEEE 802.1AB, LLDP), as a person sees it. */
public final class LldpSection {
    private static final String PRIORITY = "priority ";

    private LldpSection() {}

    private static String cell(int bits) {
        return bits < 0
                ? "not said"
                : bits == 0 ? "none" : LldpNeighbour.priorities(bits).substring(PRIORITY.length());
    }

    /** One line for each, then a sentence for each that differs. */
    public static String table(List<LldpNeighbour> rows) {
        if (rows.isEmpty()) {
            return "no neighbour has been heard; lldp in the configuration of both ends lets them"
                    + " speak\n";
        }
        String problems =
                rows.stream()
                        .map(LldpNeighbour::problem)
                        .filter(problem -> !problem.isEmpty())
                        .map(problem -> problem + "\n")
                        .collect(Collectors.joining());
        Table table =
                Table.of(
                        rows,
                        column("port", LldpNeighbour::port),
                        column("system", row -> row.system().isEmpty() ? "-" : row.system()),
                        column("chassis", LldpNeighbour::chassis),
                        column("far port", LldpNeighbour::farPort),
                        number(">heard (s ago)", "%.1f", row -> row.ageMs() / 1e3),
                        column(">good for (s)", LldpNeighbour::secondsLeft),
                        column("PFC here", row -> cell(row.ownPfc())),
                        column("PFC there", row -> cell(row.pfc())));
        return table + (problems.isEmpty() ? "" : "\n" + problems);
    }
}
