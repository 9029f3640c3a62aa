package io.headgate.control.show;

import static io.headgate.control.report.Table.column;

import io.headgate.config.TrafficConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.Table;
import io.headgate.control.report.Table.Column;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.PriorityCounter.Egress;
import io.headgate.dataplane.counter.PriorityCounter.Ingress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** PFC frames by port and priority, in the columns of other switches' command lines. */
public final class PfcTable implements ShowTable {
    /**
     * Priority-based flow control of a port, frames by priority; a frame that names several counts
     * for each of them. Empty lists: the port sends no pauses.
     */
    public record Row(String port, List<Long> received, List<Long> sent) {}

    @Override
    public Heading heading() {
        return Heading.of("pfc", "PFC frames by port and priority", "pfc-counters");
    }

    @Override
    public boolean isOfPorts() {
        return true;
    }

    private static List<Row> rows(CounterSnapshot counters) {
        List<String> withPfc =
                counters.owners(Scope.EGRESS, label -> label.equals(Egress.XOFF_SENT.label(0)));
        List<Row> rows = new ArrayList<>();
        for (String port : counters.owners(Scope.EGRESS)) {
            if (!withPfc.contains(port)) {
                rows.add(new Row(port, List.of(), List.of()));
                continue;
            }
            List<Long> received = new ArrayList<>();
            List<Long> sent = new ArrayList<>();
            for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
                long in = 0;
                for (Ingress id :
                        List.of(
                                Ingress.XOFF_RECEIVED,
                                Ingress.REFRESH_RECEIVED,
                                Ingress.XON_RECEIVED)) {
                    in += counters.value(Scope.INGRESS, port, id.label(priority));
                }
                long out = 0;
                for (Egress id : List.of(Egress.XOFF_SENT, Egress.REFRESH_SENT, Egress.XON_SENT)) {
                    out += counters.value(Scope.EGRESS, port, id.label(priority));
                }
                received.add(in);
                sent.add(out);
            }
            rows.add(new Row(port, received, sent));
        }
        return rows;
    }

    @Override
    public String text(ShowRequest request) throws DaemonException, InterruptedException {
        record Line(String port, String direction, List<Long> frames) {}
        List<Column<Line>> columns = new ArrayList<>();
        columns.add(column("port", Line::port));
        columns.add(column("frames", Line::direction));
        for (int each = 0; each < TrafficConfig.PRIORITIES; each++) {
            int priority = each;
            columns.add(
                    column(
                            ">PFC" + priority,
                            line -> line.frames.isEmpty() ? "-" : line.frames.get(priority)));
        }
        return Table.of(
                        rows(request.counters()).stream()
                                .flatMap(row ->
                                        Stream.of(
                                                new Line(row.port, "received", row.received),
                                                new Line(row.port, "sent", row.sent)))
                                .toList(),
                        columns)
                .toString();
    }

    @Override
    public Object json(ShowRequest request) throws DaemonException, InterruptedException {
        return CounterTable.json(request, name(), rows(request.counters()));
    }
}
