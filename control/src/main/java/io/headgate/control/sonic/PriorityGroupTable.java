package io.headgate.control.sonic;

import static io.headgate.control.report.Table.column;

import io.headgate.config.TrafficConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.Table.Column;
import io.headgate.control.show.CounterTable;
import io.headgate.control.show.Heading;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.PriorityCounter.Ingress;
import java.util.ArrayList;
import java.util.List;

/** The maximum that each priority held of each port's buffer, in the columns of other switches. */
public final class PriorityGroupTable implements CounterTable<PriorityGroupTable.Row> {
    /**
     * A port.
     *
     * @param mostBytes maximum by priority; empty: the port has no flow control and one buffer for
     *     all
     */
    public record Row(String port, List<Long> mostBytes) {}

    @Override
    public Heading heading() {
        return Heading.of(
                "priority-group",
                "maximum number of bytes per priority in each port's buffer, PG0 to PG7, since"
                        + " 'headgate clear'",
                "pg",
                "priority-group-watermark");
    }

    @Override
    public String key() {
        return "priorityGroups";
    }

    @Override
    public List<Row> rows(CounterSnapshot counters, double seconds) {
        List<String> byPriority =
                counters.owners(
                        Scope.INGRESS, label -> label.equals(Ingress.OCCUPANCY_MAX_BYTES.label(0)));
        List<Row> rows = new ArrayList<>();
        for (String port : counters.owners(Scope.INGRESS)) {
            List<Long> most = new ArrayList<>();
            for (int each = 0;
                    byPriority.contains(port) && each < TrafficConfig.PRIORITIES;
                    each++) {
                most.add(
                        counters.value(
                                Scope.INGRESS, port, Ingress.OCCUPANCY_MAX_BYTES.label(each)));
            }
            rows.add(new Row(port, most));
        }
        return rows;
    }

    @Override
    public List<Column<Row>> columns(List<Row> rows, double seconds) {
        List<Column<Row>> columns = new ArrayList<>();
        columns.add(column("port", Row::port));
        for (int each = 0; each < TrafficConfig.PRIORITIES; each++) {
            int priority = each;
            columns.add(
                    column(
                            ">PG" + priority,
                            row -> row.mostBytes.isEmpty() ? "-" : row.mostBytes.get(priority)));
        }
        return columns;
    }
}
