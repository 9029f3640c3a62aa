package io.headgate.control.show;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.DutyTimes;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.SwitchSection;
import io.headgate.control.report.Table.Column;
import java.util.List;
import java.util.Map;

/** The load of the workers, and the halves with the longest calls. */
public final class WorkersTable implements CounterTable<SwitchSection.Worker> {
    @Override
    public Heading heading() {
        return Heading.of(
                "workers", "how busy the workers are, and the halves with the longest calls");
    }

    @Override
    public boolean isOfPorts() {
        return false;
    }

    @Override
    public List<SwitchSection.Worker> rows(CounterSnapshot counters, double seconds) {
        return SwitchSection.workers(counters);
    }

    @Override
    public List<Column<SwitchSection.Worker>> columns(
            List<SwitchSection.Worker> rows, double seconds) {
        return RunReport.workerColumns();
    }

    @Override
    public String none(double seconds) {
        return "no workers";
    }

    @Override
    public String text(ShowRequest request) throws DaemonException, InterruptedException {
        return CounterTable.super.text(request)
                + "\n"
                + DutyTimes.text(DutyTimes.rows(request.counters()));
    }

    @Override
    public Map<String, Object> json(ShowRequest request)
            throws DaemonException, InterruptedException {
        Map<String, Object> map = CounterTable.super.json(request);
        map.put("duties", DutyTimes.rows(request.counters()));
        return map;
    }
}
