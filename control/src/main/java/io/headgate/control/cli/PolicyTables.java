package io.headgate.control.cli;

import static io.headgate.control.report.Table.column;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.policy.LoadedPolicy;
import io.headgate.control.report.Table;
import io.headgate.control.report.Table.Column;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.openqueue.PolicyCounter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints the policies of ports, and the counters of their queues, for people. */
final class PolicyTables {
    private static final String NONE =
            "no port has a policy; queues: {policy: …} in its configuration\n";

    /**
     * A queue of a port's policy.
     *
     * @param unit unit of its size, its present length and its maximum length
     */
    record Row(
            String port,
            String file,
            String queue,
            String unit,
            double size,
            Map<String, Long> counts) {}

    private PolicyTables() {}

    /** The policies in words, port by port. */
    static String shown(List<LoadedPolicy> loaded) {
        if (loaded.isEmpty()) {
            return NONE;
        }
        StringBuilder text = new StringBuilder();
        for (LoadedPolicy each : loaded) {
            text.append(text.isEmpty() ? "" : "\n")
                    .append("port ")
                    .append(each.port())
                    .append(": ")
                    .append(each.file())
                    .append(each.enabled() ? "" : " (switched off)")
                    .append('\n');
            each.explanation().forEach(line -> text.append("  ").append(line).append('\n'));
        }
        return text.toString();
    }

    /** The queues of policies that are in use. */
    static List<Row> rows(List<LoadedPolicy> loaded, CounterSnapshot counters) {
        List<Row> rows = new ArrayList<>();
        for (LoadedPolicy each : loaded) {
            if (!each.enabled()) {
                continue;
            }
            for (int queue = 0; queue < each.queues().size(); queue++) {
                Map<String, Long> counts = new LinkedHashMap<>();
                for (PolicyCounter counter : PolicyCounter.values()) {
                    String label = counter.text().of(each.mechanism()).atQueue(queue).label();
                    counts.put(
                            counter.text().label(),
                            counters.value(Scope.EGRESS, each.port(), label));
                }
                rows.add(
                        new Row(
                                each.port(),
                                each.file(),
                                each.queues().get(queue),
                                each.unit(),
                                each.sizes().get(queue),
                                counts));
            }
        }
        return rows;
    }

    /** One line for each queue. */
    static String table(List<Row> rows) {
        if (rows.isEmpty()) {
            return NONE;
        }
        List<Column<Row>> columns = new ArrayList<>();
        columns.add(column("port", Row::port));
        columns.add(column("policy", Row::file));
        columns.add(column("queue", Row::queue));
        columns.add(column(">size", row -> "%.0f".formatted(row.size)));
        columns.add(column("of", Row::unit));
        for (PolicyCounter counter : PolicyCounter.values()) {
            String label = counter.text().label();
            columns.add(column(">" + label, row -> String.valueOf(row.counts.get(label))));
        }
        return Table.of(rows, columns).toString();
    }
}
