package io.headgate.control.show;

import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.LinkControlSection;
import java.util.List;

/** Tokens, pools and frames of Escape, with one column per port. */
public final class EscapeTable implements ShowTable {
    @Override
    public Heading heading() {
        return Heading.of("escape", "tokens, pools and frames of Escape");
    }

    @Override
    public boolean isOfPorts() {
        return true;
    }

    @Override
    public String text(ShowRequest request) throws DaemonException, InterruptedException {
        List<LinkControlSection.Row> rows = LinkControlSection.rows(request.counters(), name());
        return rows.isEmpty()
                ? "no port has Escape; add detour: {escape: {}} to ports with flow-control: pfc in"
                        + " the configuration\n"
                : LinkControlSection.tables(rows);
    }

    @Override
    public Object json(ShowRequest request) throws DaemonException, InterruptedException {
        return CounterTable.json(
                request, name(), LinkControlSection.rows(request.counters(), name()));
    }
}
