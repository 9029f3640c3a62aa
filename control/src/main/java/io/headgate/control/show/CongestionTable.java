package io.headgate.control.show;

import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.CongestionSection;
import java.util.List;

/** The counters of congestion points for each queue: a table per mechanism. */
public final class CongestionTable implements ShowTable {
    @Override
    public Heading heading() {
        return Heading.of("congestion", "what each queue has marked, or told senders");
    }

    @Override
    public boolean isOfPorts() {
        return true;
    }

    @Override
    public String text(ShowRequest request) throws DaemonException, InterruptedException {
        List<CongestionSection.Row> rows = CongestionSection.rows(request.counters());
        return rows.isEmpty()
                ? "no congestion point has marked a frame or told a sender\n"
                : CongestionSection.tables(rows);
    }

    @Override
    public Object json(ShowRequest request) throws DaemonException, InterruptedException {
        return CounterTable.json(request, name(), CongestionSection.rows(request.counters()));
    }
}
