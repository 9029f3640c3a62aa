package io.headgate.control.show;

import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.CongestionSection;
import java.util.List;

/** The counters of congestion points for each queue: a table per mechanism. */
public final class CongestionTable implements ShowTable {
    @Override
    public Heading heading() {
        return Heading.of("congestion", "marks and notifications of each queue's congestion point");
    }

    @Override
    public boolean isOfPorts() {
        return true;
    }

    @Override
    public String text(ShowRequest request) throws DaemonException, InterruptedException {
        List<CongestionSection.Row> rows = CongestionSection.rows(request.counters());
        return rows.isEmpty()
                ? "no congestion point has marked a frame or sent a notification\n"
                : CongestionSection.tables(rows);
    }

    @Override
    public Object json(ShowRequest request) throws DaemonException, InterruptedException {
        return CounterTable.json(request, name(), CongestionSection.rows(request.counters()));
    }
}
