package io.headgate.control.show;

import static io.headgate.control.report.Table.column;
import static io.headgate.control.report.Table.number;

import io.headgate.config.Mechanisms;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.lldp.LldpNeighbour;
import io.headgate.control.report.Json;
import io.headgate.control.report.Table.Column;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.lldp.LldpConfig;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The announcements of neighbours (IEEE 802.1AB, LLDP). */
public final class LldpTable implements SwitchTable<LldpNeighbour> {
    private static final String PRIORITY = "priority ";

    @Override
    public Heading heading() {
        return Heading.of("lldp", "the neighbour at the far end of each port");
    }

    @Override
    public List<LldpNeighbour> answer(RunningSwitch running) throws DaemonException {
        Mechanisms.Use lldp = running.config().mechanisms().use(LldpConfig.class);
        if (lldp == null || !lldp.isEnabled()) {
            throw new DaemonException(
                    ("LLDP is off on switch %s; add services: {lldp: {}} to its configuration"
                                    + " (without enabled: false) and restart it")
                            .formatted(running.config().name()));
        }
        return LldpNeighbour.of(running.realTime().engine(), running.realTime().nowNs());
    }

    @Override
    public List<Column<LldpNeighbour>> columns() {
        return List.of(
                column("port", LldpNeighbour::port),
                column("system", row -> row.system().isEmpty() ? "-" : row.system()),
                column("chassis", LldpNeighbour::chassis),
                column("far port", LldpNeighbour::farPort),
                number(">heard (s ago)", "%.1f", row -> row.ageMs() / 1e3),
                column(">good for (s)", LldpNeighbour::secondsLeft),
                column("PFC here", row -> cell(row.ownPfc())),
                column("PFC there", row -> cell(row.pfc())));
    }

    private static String cell(int bits) {
        return bits < 0
                ? "not said"
                : bits == 0 ? "none" : LldpNeighbour.priorities(bits).substring(PRIORITY.length());
    }

    @Override
    public String none() {
        return "no neighbour has been found yet; both ends of a link need LLDP: services: {lldp:"
                + " {}} in the configuration";
    }

    /** The table with a sentence for each end that differs. */
    @Override
    public String text(JsonNode answer) {
        String problems =
                Json.list(answer, rows()).stream()
                        .map(LldpNeighbour::problem)
                        .filter(problem -> !problem.isEmpty())
                        .map(problem -> problem + "\n")
                        .collect(Collectors.joining());
        return SwitchTable.super.text(answer) + (problems.isEmpty() ? "" : "\n" + problems);
    }
}
