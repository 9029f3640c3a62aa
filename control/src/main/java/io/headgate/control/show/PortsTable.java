package io.headgate.control.show;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.PortTable;
import io.headgate.control.report.Table.Column;
import java.util.List;

/** The traffic of ports, and those of their lossless priorities that are not guaranteed. */
public final class PortsTable implements CounterTable<PortTable.Row> {
    @Override
    public Heading heading() {
        return Heading.of("ports", "what passed each port");
    }

    @Override
    public List<PortTable.Row> rows(CounterSnapshot counters, double seconds) {
        return PortTable.rows(counters, seconds);
    }

    @Override
    public List<Column<PortTable.Row>> columns(List<PortTable.Row> rows, double seconds) {
        return PortTable.columns(seconds);
    }

    @Override
    public String text(ShowRequest request) throws DaemonException, InterruptedException {
        return CounterTable.super.text(request) + Verdicts.of(request).text(false);
    }
}
