package io.headgate.control.report;

import io.headgate.control.lldp.LldpNeighbour;
import java.util.List;
import java.util.Locale;

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
        Table table =
                new Table(
                        "port",
                        "system",
                        "chassis",
                        "far port",
                        ">heard (s ago)",
                        ">good for (s)",
                        "PFC here",
                        "PFC there");
        StringBuilder problems = new StringBuilder();
        for (LldpNeighbour row : rows) {
            table.row(
                    row.port(),
                    row.system().isEmpty() ? "-" : row.system(),
                    row.chassis(),
                    row.farPort(),
                    String.format(Locale.ROOT, "%.1f", row.ageMs() / 1e3),
                    Long.toString(row.secondsLeft()),
                    cell(row.ownPfc()),
                    cell(row.pfc()));
            if (!row.problem().isEmpty()) {
                problems.append(row.problem()).append('\n');
            }
        }
        return table + (problems.isEmpty() ? "" : "\n" + problems);
    }
}
