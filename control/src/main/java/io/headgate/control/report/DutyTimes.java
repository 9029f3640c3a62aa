package io.headgate.control.report;

import static io.headgate.control.report.Table.column;
import static io.headgate.control.report.Table.number;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The times that each half of a port took in its worker's cycles, so that a stall names the half.
 */
public final class DutyTimes {
    /** Number of rows for a person; programs get all. */
    private static final int SHOWN = 5;

    /**
     * A half of a port.
     *
     * @param longestNs its longest call that did something, including time that other processes
     *     took
     * @param overThreshold number of such calls longer than the workers' stall threshold
     */
    public record Row(String duty, long longestNs, long overThreshold) {}

    private DutyTimes() {}

    /** All halves, the one with the longest call first. */
    public static List<Row> rows(CounterSnapshot counters) {
        List<Row> rows = new ArrayList<>();
        for (String port : counters.owners(Scope.INGRESS)) {
            rows.add(
                    row(
                            counters,
                            Scope.INGRESS,
                            port,
                            ".ingress",
                            IngressCounter.CYCLE_LONGEST_NS,
                            IngressCounter.CYCLES_OVER_THRESHOLD));
            rows.add(
                    row(
                            counters,
                            Scope.EGRESS,
                            port,
                            ".egress",
                            EgressCounter.CYCLE_LONGEST_NS,
                            EgressCounter.CYCLES_OVER_THRESHOLD));
        }
        rows.sort(Comparator.comparingLong(Row::longestNs).reversed());
        return rows;
    }

    private static Row row(
            CounterSnapshot counters,
            Scope scope,
            String port,
            String half,
            CounterId longest,
            CounterId over) {
        return new Row(
                port + half,
                counters.value(scope, port, longest),
                counters.value(scope, port, over));
    }

    public static String text(List<Row> rows) {
        Table table =
                Table.of(
                        rows.subList(0, Math.min(SHOWN, rows.size())),
                        column("half", row -> row.duty()),
                        number(">longest call (µs)", "%.1f", row -> row.longestNs() / 1e3),
                        column(">over threshold (calls)", row -> row.overThreshold()));
        int more = rows.size() - SHOWN;
        return table + (more > 0 ? more + " more: --json has all\n" : "");
    }
}
