package io.headgate.control.show;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.report.FlowControlSection.Wait;
import io.headgate.control.report.Prose;
import io.headgate.control.report.Table.Column;
import java.util.List;
import java.util.Map;

/**
 * Priorities that were paused or without credits, for how long, and whether they are guaranteed
 * lossless.
 */
public final class FlowControlTable implements CounterTable<FlowControlSection.Row> {
    @Override
    public Heading heading() {
        return Heading.of(
                "flow-control", "pauses and credits, and whether lossless is guaranteed", "flow");
    }

    @Override
    public String key() {
        return "flow";
    }

    @Override
    public List<FlowControlSection.Row> rows(CounterSnapshot counters, double seconds) {
        return FlowControlSection.rows(counters);
    }

    @Override
    public List<Column<FlowControlSection.Row>> columns(
            List<FlowControlSection.Row> rows, double seconds) {
        return FlowControlSection.columns(rows);
    }

    @Override
    public String none(double seconds) {
        return "no flow control has been active yet";
    }

    @Override
    public String text(ShowRequest request) throws DaemonException, InterruptedException {
        CounterSnapshot counters = request.counters();
        StringBuilder text = new StringBuilder(CounterTable.super.text(request));
        for (String mismatch : FlowControlSection.mismatches(counters)) {
            text.append('\n').append(Prose.folded(mismatch, 2)).append('\n');
        }
        for (Wait wait : FlowControlSection.waits(FlowControlSection.rows(counters))) {
            text.append('\n').append(Prose.folded(wait.describe(), 2)).append('\n');
        }
        return text + Verdicts.of(request).text(true);
    }

    @Override
    public Map<String, Object> json(ShowRequest request)
            throws DaemonException, InterruptedException {
        CounterSnapshot counters = request.counters();
        Map<String, Object> map = CounterTable.super.json(request);
        map.put("mismatches", FlowControlSection.mismatches(counters));
        map.put("waits", FlowControlSection.waits(FlowControlSection.rows(counters)));
        map.put("margins", Verdicts.of(request).margins());
        return map;
    }
}
