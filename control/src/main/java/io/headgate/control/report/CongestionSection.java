package io.headgate.control.report;

import static io.headgate.control.report.Table.column;

import io.headgate.config.MechanismRegistry;
import io.headgate.config.TrafficConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.Table.Column;
import io.headgate.dataplane.congestion.CongestionMechanism;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.CounterText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The counters of congestion points for a person: per congestion point and queue. */
public final class CongestionSection {
    /**
     * A queue that a mechanism watches, and whose frames it has marked or has sent notices about.
     *
     * @param counts by the mechanism's own labels, in its order
     */
    public record Row(String mechanism, String port, int priority, Map<String, Long> counts) {}

    private CongestionSection() {}

    /** All queues with counts, from counters alone. */
    public static List<Row> rows(CounterSnapshot counters) {
        List<Row> rows = new ArrayList<>();
        for (CongestionMechanism<?> mechanism : mechanisms()) {
            String prefix = mechanism.name() + ".";
            for (String port : counters.owners(Scope.EGRESS, label -> label.startsWith(prefix))) {
                for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
                    Map<String, Long> counts = new LinkedHashMap<>();
                    boolean isUsed = false;
                    for (CounterText text : mechanism.counters()) {
                        String label = text.of(mechanism.name()).atPriority(priority).label();
                        long value = counters.value(Scope.EGRESS, port, label);
                        counts.put(text.label(), value);
                        isUsed |= value != 0 && text.kind() == CounterId.Kind.TOTAL;
                    }
                    if (isUsed) {
                        rows.add(new Row(mechanism.name(), port, priority, counts));
                    }
                }
            }
        }
        return rows;
    }

    @SuppressWarnings("rawtypes") // nothing is asked that depends on their records
    private static List<CongestionMechanism> mechanisms() {
        return MechanismRegistry.all(CongestionMechanism.class);
    }

    /** A table for each mechanism, below its name; empty without rows. */
    public static String tables(List<Row> rows) {
        StringBuilder text = new StringBuilder();
        for (CongestionMechanism<?> mechanism : mechanisms()) {
            List<Row> own =
                    rows.stream().filter(row -> row.mechanism.equals(mechanism.name())).toList();
            if (!own.isEmpty()) {
                text.append(text.isEmpty() ? "" : "\n").append(mechanism.name()).append('\n');
                text.append(table(mechanism, own).indented(2));
            }
        }
        return text.toString();
    }

    private static Table table(CongestionMechanism<?> mechanism, List<Row> rows) {
        List<Column<Row>> columns = new ArrayList<>();
        columns.add(column("port", Row::port));
        columns.add(column(">priority", Row::priority));
        for (CounterText of : mechanism.counters()) {
            columns.add(
                    column(
                            ">" + of.label() + (of.unit().isEmpty() ? "" : " (" + of.unit() + ")"),
                            row -> String.valueOf(row.counts.get(of.label()))));
        }
        return Table.of(rows, columns);
    }
}
