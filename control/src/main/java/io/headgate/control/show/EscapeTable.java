package io.headgate.control.show;

import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.EscapeSection;

/** Tokens, pools and frames of Escape: a column for each port. */
public final class EscapeTable implements ShowTable {
    @Override
    public String name() {
        return "escape";
    }

    @Override
    public String title() {
        return "tokens, pools and frames of Escape";
    }

    @Override
    public boolean isOfPorts() {
        return true;
    }

    @Override
    public String text(ShowRequest request) throws DaemonException, InterruptedException {
        return EscapeSection.table(EscapeSection.rows(request.counters()));
    }

    @Override
    public Object json(ShowRequest request) throws DaemonException, InterruptedException {
        return CounterTable.json(request, name(), EscapeSection.rows(request.counters()));
    }
}
