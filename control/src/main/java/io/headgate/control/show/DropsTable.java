package io.headgate.control.show;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.Prose;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.SwitchSection;
import io.headgate.control.report.Table.Column;
import java.util.List;

/**
 * Dropped frames with their reasons, and frames that the kernel counts as dropped although they
 * were not.
 */
public final class DropsTable implements CounterTable<Drop> {
    @Override
    public Heading heading() {
        return Heading.of("drops", "dropped frames, with the reason");
    }

    @Override
    public List<Drop> rows(CounterSnapshot counters, double seconds) {
        return SwitchSection.dropsOf(counters);
    }

    @Override
    public List<Column<Drop>> columns(List<Drop> rows, double seconds) {
        return RunReport.dropColumns();
    }

    @Override
    public String none(double seconds) {
        return seconds == 0 ? "no drops" : String.format("no drops in %.1f s", seconds);
    }

    @Override
    public String text(ShowRequest request) throws DaemonException, InterruptedException {
        StringBuilder text = new StringBuilder(CounterTable.super.text(request));
        SwitchSection.unhandled(request.counters())
                .forEach(one -> text.append('\n').append(Prose.folded(one, 2)).append('\n'));
        return text.toString();
    }
}
