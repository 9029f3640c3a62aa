package io.headgate.control.show;

import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.LinkControlSection;
import java.util.List;

/**
 * The counters of each mechanism that exchanges link control with far ends, with one column per
 * port.
 */
public final class LinkControlTable implements ShowTable {
    @Override
    public Heading heading() {
        return Heading.of(
                "link-control", "counters of mechanisms that communicate with the far end");
    }

    @Override
    public boolean isOfPorts() {
        return true;
    }

    @Override
    public String text(ShowRequest request) throws DaemonException, InterruptedException {
        List<LinkControlSection.Row> rows = LinkControlSection.rows(request.counters());
        return rows.isEmpty()
                ? "no port has a mechanism that communicates with its far end; add one with"
                        + " link-control in the configuration\n"
                : LinkControlSection.tables(rows);
    }

    @Override
    public Object json(ShowRequest request) throws DaemonException, InterruptedException {
        return CounterTable.json(request, name(), LinkControlSection.rows(request.counters()));
    }
}
